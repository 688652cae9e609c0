#include "apps/run.hpp"

int main(int argc, char** argv) { return capstan::app::run(argc, argv); }
