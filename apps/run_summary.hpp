#pragma once
#include <string>

#include "capstan/record/summary.hpp"

namespace capstan::app {

/// The run in the columns of [Daviet11, Table 1], with what the table leaves out below it.
std::string summary_table(const std::string& name, const record::Manifest& manifest,
                          const record::Summary& summary);

}  // namespace capstan::app
