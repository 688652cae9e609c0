#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "capstan/serve/run_files.hpp"

namespace capstan::serve {

/// viewer/dist/viewer.html, as it was when the library was compiled.
std::string_view viewer_page();

/// At /.
void serve_page(LoopbackServer& server);

/// The page with the runs in it, to send to somebody: needs no server.
std::string page_with(const std::vector<RunFiles>& runs);

}  // namespace capstan::serve
