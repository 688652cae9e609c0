// Feeds readers with damaged files until it has enough, or writes the seeds for libFuzzer.
//     mutate_readers [--reader NAME] [--inputs N] [--seed S]      a failure prints the seed of the input
// Without --reader the slow ones get fewer inputs, so that all take about the same time.
//     mutate_readers --write-seeds DIR
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>

#include "capstan/files/whole_file.hpp"
#include "fuzz/mutation.hpp"
#include "fuzz/readers.hpp"

namespace capstan::fuzz {
namespace {

constexpr unsigned kLongestSeconds = 20;  // for one input

struct Arguments {
  std::string reader, seeds_folder;
  unsigned long long inputs = 100000, seed = 1;
};

const char* current_reader = "";
unsigned long long current_seed = 0;

/// Names the input and lets the signal end the program.
void on_signal(int signal) {
  char text[160];
  const int size = std::snprintf(text, sizeof text, "\n%s: seed %llu: %s\n", current_reader, current_seed,
                                 signal == SIGALRM ? "takes too long" : "crashes");
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, text, static_cast<std::size_t>(size));
  std::signal(signal, SIG_DFL);
  ::raise(signal);
}

bool try_input(const Reader& reader, const std::vector<std::string>& seeds, unsigned long long seed,
               unsigned long long& accepted) {
  const std::string bytes = mutated(seeds, seed);
  current_seed = seed;
  ::alarm(kLongestSeconds);
  try {
    const Outcome outcome = run(reader, bytes);
    accepted += outcome.accepted;
    if (outcome.largest_allocation <= outcome.allowed) return true;
    std::printf("%s: seed %llu: one allocation of %zu bytes for a file of %zu, allowed are %zu\n",
                reader.name, seed, outcome.largest_allocation, bytes.size(), outcome.allowed);
  } catch (const std::exception& error) {
    std::printf("%s: seed %llu: throws what is no InputError: %s\n", reader.name, seed, error.what());
  }
  std::fflush(stdout);
  return false;
}

/// Returns the number of findings.
unsigned long long mutate(const Reader& reader, const Arguments& arguments) {
  const std::vector<std::string> seeds = reader.seeds();
  const unsigned long long inputs = arguments.reader.empty()
                                        ? arguments.inputs / static_cast<unsigned>(reader.relative_time)
                                        : arguments.inputs;
  current_reader = reader.name;
  unsigned long long findings = 0, accepted = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned long long k = 0; k < inputs; ++k)
    findings += !try_input(reader, seeds, arguments.seed + k, accepted);
  ::alarm(0);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%-12s %10llu inputs %9llu read %4llu findings %8.1f s\n", reader.name, inputs, accepted,
              findings, seconds);
  std::fflush(stdout);
  return findings;
}

void write_seeds(const std::filesystem::path& folder) {
  for (const Reader& reader : readers()) {
    std::filesystem::create_directories(folder / reader.name);
    int number = 0;
    for (const std::string& seed : reader.seeds())
      files::write_whole_file(folder / reader.name / ("seed_" + std::to_string(number++)), seed);
  }
}

Arguments parsed(int count, char** words) {
  Arguments arguments;
  for (int k = 1; k + 1 < count; k += 2) {
    const std::string key = words[k];
    if (key == "--reader")
      arguments.reader = words[k + 1];
    else if (key == "--inputs")
      arguments.inputs = std::strtoull(words[k + 1], nullptr, 10);
    else if (key == "--seed")
      arguments.seed = std::strtoull(words[k + 1], nullptr, 10);
    else if (key == "--write-seeds")
      arguments.seeds_folder = words[k + 1];
    else
      std::fprintf(stderr, "unknown option %s\n", words[k]), std::exit(2);
  }
  return arguments;
}

int main(const Arguments& arguments) {
  if (!arguments.seeds_folder.empty()) {
    write_seeds(arguments.seeds_folder);
    return 0;
  }
  for (const int signal : {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, on_signal);
  unsigned long long findings = 0;
  for (const Reader& one : readers())
    if (arguments.reader.empty() || arguments.reader == one.name) findings += mutate(one, arguments);
  return findings == 0 ? 0 : 1;
}

}  // namespace
}  // namespace capstan::fuzz

int main(int count, char** words) { return capstan::fuzz::main(capstan::fuzz::parsed(count, words)); }
