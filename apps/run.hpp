#pragma once

namespace capstan::app {

/// The whole program: parses, runs, and turns errors into messages and exit codes.
int run(int argc, char** argv);

}  // namespace capstan::app
