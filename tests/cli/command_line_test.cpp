// The program as a user meets it: run it, read what it prints, look at its exit code.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>

#include "apps/problem_source.hpp"
#include "apps/suggest.hpp"
#include "apps/svg_plot.hpp"
#include "capstan/files/problem_file.hpp"
#include "capstan/sample/sample.hpp"
#include "capstan/solve/certificate.hpp"
#include "cli/program_test.hpp"

namespace capstan::app {
namespace {

using nlohmann::json;

struct Outcome {
  int exit_code;
  std::string out, err;
};

class CommandLine : public ProgramTest {
 protected:
  Outcome run(const std::string& arguments) const {
    const int exit_code = ProgramTest::run(arguments);
    return {exit_code, out(), err()};
  }
};

std::vector<json> json_lines(const std::string& text) {
  std::vector<json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(json::parse(line));
  return lines;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(CommandLine, VersionAndHelpSucceed) {
  EXPECT_EQ(run("--version").exit_code, 0);
  EXPECT_TRUE(contains(run("--version").out, "capstan 0."));
  for (const char* command : {"--help", "solve --help", "bench --help", "sample --help", "certify --help"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 0) << command;
    EXPECT_TRUE(contains(outcome.out, "Example")) << command;
  }
}

TEST_F(CommandLine, SolvePrintsOneJsonObjectALineWithEveryField) {
  const Outcome outcome = run("solve sample:slope sample:stack_3 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto lines = json_lines(outcome.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["problem"], "slope");
  EXPECT_EQ(lines[0]["contacts"], 4);
  EXPECT_EQ(lines[0]["dofs"], 6);
  EXPECT_EQ(lines[1]["contacts"], 12);
  for (const json& line : lines) {
    EXPECT_EQ(line["status"], "converged");
    EXPECT_LE(line["error"].get<double>(), 1e-6);
    EXPECT_EQ(line["open"].get<int>() + line["stick"].get<int>() + line["slide"].get<int>(),
              line["contacts"]);
    for (const char* field :
         {"solver", "iterations", "natural_map_error", "worst_contact", "seconds_setup", "seconds_solve",
          "penetration_velocity", "cone_violation", "dissipation_defect", "islands"})
      EXPECT_TRUE(line.contains(field)) << field;
  }
}

TEST_F(CommandLine, SolveShowsATableWithoutColourInAPipe) {
  const Outcome outcome = run("solve sample:slope");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.out, "open/stick/slide"));
  EXPECT_TRUE(contains(outcome.out, "converged"));
  EXPECT_FALSE(contains(outcome.out, "\033"));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(CommandLine, TheNaturalMapCanBeTheMeasure) {
  const auto lines =
      json_lines(run("solve sample:slope_sliding --measure natural_map --tol 1e-9 --json").out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_LE(lines[0]["natural_map_error"].get<double>(), 1e-9);
}

TEST_F(CommandLine, AProblemThatDoesNotConvergeGivesOne) {
  const Outcome outcome =
      run("solve sample:slope sample:fibers_nu2 --solver gs --max-iterations 1 --tol 1e-14 --json");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out;
  const auto lines = json_lines(outcome.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1]["status"], "iteration_limit");
}

TEST_F(CommandLine, ABadFileIsNamedAndTheOthersAreSolved) {
  std::ofstream(folder / "broken.dat") << "not a problem\n";
  const Outcome outcome = run("solve sample:slope missing.dat broken.dat sample:stack_2 --json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(json_lines(outcome.out).size(), 2u);
  EXPECT_TRUE(contains(outcome.err, "missing.dat")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "broken.dat")) << outcome.err;
}

TEST_F(CommandLine, WriteKeepsTheProblemAndItsAnswer) {
  ASSERT_EQ(run("sample stack_4 -o tower.hdf5.dat").exit_code, 0);
  ASSERT_EQ(run("solve tower.hdf5.dat sample:slope --write answers").exit_code, 0);
  const fs::path written = folder / "answers" / "tower.hdf5";
  ASSERT_TRUE(fs::exists(written));
  EXPECT_TRUE(fs::exists(folder / "answers" / "slope.hdf5"));
  const ContactProblem problem = read_problem(written);
  EXPECT_EQ(problem.b(), make_sample("stack_4").b());
  const auto solution = read_solution(written);
  ASSERT_TRUE(solution);
  EXPECT_LE(certify(problem, solution->r).error, 1e-6);
  const Outcome certified = run("certify answers/tower.hdf5 --json");
  EXPECT_EQ(certified.exit_code, 0) << certified.err;
  EXPECT_LE(json::parse(certified.out)["error"].get<double>(), 1e-6);
}

TEST_F(CommandLine, NamesThatCollideAreRefusedBeforeAnyWork) {
  ASSERT_EQ(run("sample slope -o a.hdf5").exit_code, 0);
  ASSERT_EQ(run("sample slope -o a.dat").exit_code, 0);
  const Outcome outcome = run("solve a.hdf5 a.dat --write answers");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "a.dat")) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(fs::exists(folder / "answers"));
  EXPECT_EQ(run("solve a.hdf5 --write .").exit_code, 2) << "would overwrite its input";
}

TEST_F(CommandLine, CertifyNeedsAnAnswer) {
  ASSERT_EQ(run("sample slope -o a.hdf5").exit_code, 0);
  const Outcome outcome = run("certify a.hdf5");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(contains(outcome.err, "a.hdf5")) << outcome.err;
}

TEST_F(CommandLine, WrongWordsAreAnsweredWithTheNearestOne) {
  const struct {
    const char *arguments, *expected;
  } cases[] = {{"solve --slover gs", "--solver"},
               {"slove", "solve"},
               {"solve sample:slope --solver atuo", "auto"},
               {"solve --tol -1", "tol"},
               {"solve --measure errror", "error"},
               {"solve sample:slpe", "slope"},
               {"bench sample:slope --solvers auto,gss", "gs"},
               {"sample stakc_3 -o x.hdf5", "stack_LEVELS"}};
  for (const auto& [arguments, expected] : cases) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(contains(outcome.err, expected)) << arguments << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("terminate"), std::string::npos);
  }
}

TEST_F(CommandLine, SolversAndSamplesAreListed) {
  const Outcome outcome = run("solvers");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(contains(outcome.out, "auto "));
  EXPECT_TRUE(contains(outcome.out, "gs "));
  for (const json& line : json_lines(run("solvers --json").out))
    EXPECT_FALSE(line["summary"].get<std::string>().empty());
  for (const std::string& name : sample_names()) EXPECT_TRUE(contains(run("sample --list").out, name));
}

TEST_F(CommandLine, BenchWritesATableAndPlots) {
  const Outcome outcome =
      run("bench sample:slope sample:stack_3 --solvers auto,gs --tols 1e-4,1e-6 --repeat 2 --out out");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string csv = contents(folder / "out" / "results.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 2 * 2 * 2);
  EXPECT_TRUE(contains(csv, "slope,4,gs,1e-06,converged"));
  EXPECT_TRUE(contains(contents(folder / "out" / "profile_1e-06.svg"), "</svg>"));
  EXPECT_TRUE(contains(contents(folder / "out" / "convergence_stack_3.svg"), "</svg>"));
}

TEST_F(CommandLine, AnswersDoNotDependOnTheNumberOfThreads) {
  const auto hash = [&](int threads) {
    const Outcome outcome = run("bench sample:spheres_60 --solvers auto --tols 1e-6 --repeat 1 --out out" +
                                std::to_string(threads) + " --threads " + std::to_string(threads));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string csv = contents(folder / ("out" + std::to_string(threads)) / "results.csv");
    return csv.substr(csv.rfind(',') + 1);
  };
  const std::string one = hash(1);
  EXPECT_EQ(one.size(), 17u);
  EXPECT_EQ(one, hash(2));
  EXPECT_EQ(one, hash(4));
}

TEST_F(CommandLine, InterruptStopsAtTheNextJudgementAndKeepsWhatIsDone) {
  const fs::path out = folder / "out";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (!std::freopen(out.c_str(), "w", stdout) || !std::freopen("/dev/null", "w", stderr)) _exit(3);
    execl(CAPSTAN_BINARY, "capstan", "solve", "sample:slope", "sample:fibers_nu2", "sample:slope_sliding",
          "--solver", "gs", "--tol", "1e-300", "--max-iterations", "100000000", "--json", nullptr);
    _exit(3);
  }
  // The first problem stalls at rounding or runs on for ever; either way the program is at work when it is
  // asked.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  kill(child, SIGINT);
  int status = 0;
  pid_t ended = 0;
  for (int tries = 0; tries < 200 && ended == 0; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ended = waitpid(child, &status, WNOHANG);
  }
  if (ended == 0) {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    FAIL() << "still at work 10 s after the interrupt";
  }
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_FALSE(contains(contents(out), "slope_sliding")) << "went on after the interrupt";
}

TEST(ProblemNames, LoseTheirFolderAndTheirEndings) {
  EXPECT_EQ(name_of("a/b/X.hdf5.dat"), "X");
  EXPECT_EQ(name_of("X.dat"), "X");
  EXPECT_EQ(name_of("X.hdf5"), "X");
  EXPECT_EQ(name_of("X.dat.hdf5.dat"), "X");
  EXPECT_EQ(name_of("Capsules-i100-1090.v2.dat"), "Capsules-i100-1090.v2");
  EXPECT_EQ(name_of("X.txt"), "X.txt");
}

TEST(Suggestions, CountInsertionsDeletionsChangesAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("slover", "solver"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(did_you_mean("qqqqqq", {"auto", "gs"}), "");
}

TEST(SvgPlot, IsWellFormedAndEscapesNames) {
  Plot plot;
  plot.title = "a < b & c";
  plot.x = {"x", true};
  plot.y = {"y", true};
  plot.series = {{"s<1>", {{0, 1}, {1, 1e-3}, {10, 1e-6}}, false, true}};
  const std::string text = svg(plot);
  EXPECT_TRUE(contains(text, "a &lt; b &amp; c"));
  EXPECT_TRUE(contains(text, "s&lt;1&gt;"));
  EXPECT_FALSE(contains(text, "nan"));
  EXPECT_FALSE(contains(text, "inf"));
}

}  // namespace
}  // namespace capstan::app
