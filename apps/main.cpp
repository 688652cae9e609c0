#include "apps/commands.hpp"

int main(int argc, char** argv) { return capstan::app::run(argc, argv); }
