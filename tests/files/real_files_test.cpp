// Every file of the collection of real problems, if it is there.
#include <cstdlib>
#include <map>

#include "files/support.hpp"

namespace capstan::test {
namespace {

std::filesystem::path collection() {
  if (const char* folder = std::getenv("CAPSTAN_PROBLEMS")) return folder;
  return std::filesystem::path(CAPSTAN_SOURCE_DIR) / "../shared/problems";
}

std::vector<std::filesystem::path> real_files() {
  std::vector<std::filesystem::path> result;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(collection(), none))
    if (entry.path().extension() == ".dat" || entry.path().extension() == ".hdf5")
      result.push_back(entry.path());
  std::sort(result.begin(), result.end());
  return result;
}

/// Told by the name alone, as the README of the collection does.
bool is_rolling(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  for (const char* part : {"RFC3D", "rfc3d", "rockfall", "Chute"})
    if (name.find(part) != std::string::npos) return true;
  return false;
}

#define SKIP_WITHOUT_COLLECTION(files) \
  if (files.empty()) GTEST_SKIP() << "no problem files in " << collection() << "; set CAPSTAN_PROBLEMS"

TEST(RealFiles, AreReadOrRefusedAsRollingFriction) {
  const auto files = real_files();
  SKIP_WITHOUT_COLLECTION(files);
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    if (!is_rolling(path)) {
      EXPECT_NO_THROW(read_problem(path));
      continue;
    }
    const std::string message = refusal_of([&] { read_problem(path); });
    EXPECT_EQ(message.rfind(path.string() + ":", 0), 0u) << message;
    EXPECT_NE(message.find("rolling friction"), std::string::npos) << message;
    EXPECT_NE(message.find("not supported yet"), std::string::npos) << message;
  }
}

TEST(RealFiles, HaveTheSizesOfTheirHeaders) {
  const auto files = real_files();
  SKIP_WITHOUT_COLLECTION(files);
  for (const auto& path : files) {
    if (path.extension() != ".dat" || is_rolling(path)) continue;
    SCOPED_TRACE(path.string());
    int dimension = 0, contacts = 0, storage = 0, rows = 0;
    std::ifstream(path) >> dimension >> contacts >> storage >> rows;
    const ContactProblem problem = read_problem(path);
    const std::string name = path.filename().string();
    const bool global = name.rfind("GFC3D", 0) == 0 || name.rfind("gfc2d", 0) == 0;
    EXPECT_EQ(problem.dimension(), dimension);
    EXPECT_EQ(problem.contacts(), contacts);
    EXPECT_EQ(problem.has_mass(), global && name != "GFC3D_TwoRods1-condensed.dat");
    EXPECT_EQ(problem.dofs(), problem.has_mass() ? rows : 0);
  }
}

struct Size {
  int contacts, dofs;
};

TEST(RealFiles, OfFclibHaveTheirKnownSizes) {
  const auto files = real_files();
  SKIP_WITHOUT_COLLECTION(files);
  const std::map<std::string, Size> known{{"Box_Stacks-i0035-31-0.hdf5", {31, 450}},
                                          {"Capsules-i125-1213.hdf5", {286, 0}},
                                          {"LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", {60, 0}},
                                          {"Spheres-i099-356-679.hdf5", {356, 12000}},
                                          {"local_problem_test.hdf5", {48, 0}},
                                          {"spheres-in-a-box-98-i10000-256-10.hdf5", {256, 588}}};
  for (const auto& [name, size] : known) {
    if (!std::filesystem::exists(collection() / name)) continue;
    const ContactProblem problem = read_problem(collection() / name);
    EXPECT_EQ(problem.dimension(), 3) << name;
    EXPECT_EQ(problem.contacts(), size.contacts) << name;
    EXPECT_EQ(problem.dofs(), size.dofs) << name;
  }
}

TEST(RealFiles, SurviveBothWritersBitByBit) {
  const auto files = real_files();
  SKIP_WITHOUT_COLLECTION(files);
  const Scratch scratch;
  for (const auto& path : files) {
    if (is_rolling(path)) continue;
    SCOPED_TRACE(path.string());
    const ContactProblem problem = read_problem(path);
    write_fclib(scratch / "copy", problem);
    expect_same(problem, read_problem(scratch / "copy"));
    write_siconos(scratch / "copy", problem);
    expect_same(problem, read_problem(scratch / "copy"));
  }
}

TEST(RealFiles, AreSolvedToTheLastDigitsByDefault) {
  const auto files = real_files();
  SKIP_WITHOUT_COLLECTION(files);
#ifdef __SANITIZE_ADDRESS__
  constexpr int kMaxContacts = 100;  // instrumented code is slow
#else
  constexpr int kMaxContacts = 1000000;
#endif
  for (const auto& path : files) {
    if (is_rolling(path)) continue;
    SCOPED_TRACE(path.string());
    const ContactProblem problem = read_problem(path);
    if (problem.contacts() > kMaxContacts) continue;
    SolveOptions options;
    options.tolerance = 1e-8;
    const Solution solution = solve(problem, options);
    EXPECT_EQ(solution.report.status, Status::converged);
    EXPECT_LE(certify(problem, solution.r).error, 1e-8);
  }
}

TEST(RealFiles, GiveTheirTitleAndAPlaceholderForASolution) {
  const auto path = collection() / "Box_Stacks-i0035-31-0.hdf5";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there; set CAPSTAN_PROBLEMS";
  EXPECT_EQ(read_info(path).title, "Box_stacks");
  const auto solution = read_solution(path);
  ASSERT_TRUE(solution);
  EXPECT_EQ(solution->r.size(), 93);
  EXPECT_EQ(solution->v.size(), 450);
  EXPECT_EQ(solution->r.norm(), 0);  // why nobody should trust it
}

}  // namespace
}  // namespace capstan::test
