#include "files/support.hpp"

#include <sys/resource.h>

#include <csignal>
#include <limits>

namespace capstan::test {
namespace {

const std::string kLocal = "/fclib_local", kGlobal = "/fclib_global";
constexpr double kNan = std::numeric_limits<double>::quiet_NaN(),
                 kInf = std::numeric_limits<double>::infinity();
constexpr int kHuge = std::numeric_limits<int>::max();

Solution sample_solution(const ContactProblem& problem) {
  Solution solution;
  solution.r = Eigen::VectorXd::LinSpaced(problem.b().size(), -1, 1);
  solution.u = Eigen::VectorXd::LinSpaced(problem.b().size(), 1, 1.7);
  if (problem.has_mass()) solution.v = Eigen::VectorXd::LinSpaced(problem.dofs(), 3, 5);
  return solution;
}

TEST(Fclib, WritesAndReadsBackBitByBit) {
  const Scratch scratch;
  for (const int d : {2, 3})
    for (const int contacts : {0, 1, 7})
      for (const bool global : {false, true}) {
        SCOPED_TRACE(testing::Message() << d << "D, " << contacts << " contacts, global " << global);
        const ContactProblem problem = global ? sample_global(d, contacts) : sample_local(d, contacts);
        write_fclib(scratch / "copy.hdf5", problem);
        expect_same(problem, read_problem(scratch / "copy.hdf5"));
        EXPECT_FALSE(read_solution(scratch / "copy.hdf5"));
      }
}

TEST(Fclib, KeepsEveryBitOfExtremeNumbers) {
  const Scratch scratch;
  Eigen::Matrix2d W;
  W << 1e308, 5e-324, 2.2250738585072014e-308, 1.0 / 3;
  const ContactProblem problem =
      ContactProblem::from_delassus(BlockMatrix::from_dense(W, 2), Eigen::Vector2d(-0.0, 0.1),
                                    {ContactLaw::coulomb(std::nextafter(0.7, 1.0))});
  write_fclib(scratch / "copy.hdf5", problem);
  expect_same(problem, read_problem(scratch / "copy.hdf5"));
  write_siconos(scratch / "copy.dat", problem);
  expect_same(problem, read_problem(scratch / "copy.dat"));
}

TEST(Fclib, KeepsLawsItHasNoWordsForInAGroupOfItsOwn) {
  const Scratch scratch;
  const ContactLaw laws[] = {ContactLaw::elliptic(0.3, 0.7),
                             ContactLaw::coulomb(0.5).with_restitution(0.5, -2),
                             ContactLaw::drilling(0.3, 0.4, 0.01).with_traction({1, 2, 3, 4}, {5, 6, 7, 8})};
  for (const int d : {2, 3, 4}) {
    const ContactProblem plain = sample_local(d, 3);
    const ContactProblem problem =
        ContactProblem::from_delassus(plain.W(), plain.b(), {laws[0], laws[1], laws[2]});
    write_fclib(scratch / "copy.hdf5", problem);
    expect_same(problem, read_problem(scratch / "copy.hdf5"));
  }
}

TEST(Fclib, LeavesThatGroupOutWhereCoulombIsAll) {
  Image image(sample_local(3, 2));
  EXPECT_EQ(image.take().find("capstan"), std::string::npos);
}

TEST(Fclib, KeepsTheSolutionAndTheInfo) {
  const Scratch scratch;
  for (const bool global : {false, true}) {
    const ContactProblem problem = global ? sample_global(3, 4) : sample_local(3, 4);
    const Solution solution = sample_solution(problem);
    write_fclib(scratch / "copy.hdf5", problem, &solution, {"title", "two\nlines, na\xc3\xafve", ""});
    const auto read = read_solution(scratch / "copy.hdf5");
    ASSERT_TRUE(read);
    EXPECT_TRUE(same_bits(read->r, solution.r));
    EXPECT_TRUE(same_bits(read->u, solution.u));
    EXPECT_TRUE(same_bits(read->v, solution.v));
    const ProblemInfo info = read_info(scratch / "copy.hdf5");
    EXPECT_EQ(info.title, "title");
    EXPECT_EQ(info.description, "two\nlines, na\xc3\xafve");
    EXPECT_EQ(info.math_info, "");
  }
}

TEST(Fclib, IsFoundByItsContentsNotByItsExtension) {
  const Scratch scratch;
  const ContactProblem problem = sample_local(2, 2);
  write_fclib(scratch / "hdf5.dat", problem);
  write_siconos(scratch / "text.hdf5", problem);
  expect_same(problem, read_problem(scratch / "hdf5.dat"));
  expect_same(problem, read_problem(scratch / "text.hdf5"));
  EXPECT_EQ(read_info(scratch / "text.hdf5").title, "");
  EXPECT_FALSE(read_solution(scratch / "text.hdf5"));
}

TEST(Fclib, ReadsAllThreeWaysToStoreAMatrix) {
  // W = [4 3; 1 5]; in triplets p is the column.
  const auto with = [](int nz, int nzmax, const std::vector<int>& p, const std::vector<int>& i,
                       const std::vector<double>& x) {
    Image image(sample_local(2, 1));
    image.integers(kLocal + "/W/nz", {nz}).integers(kLocal + "/W/nzmax", {nzmax});
    return image.integers(kLocal + "/W/p", p).integers(kLocal + "/W/i", i).reals(kLocal + "/W/x", x).take();
  };
  Eigen::Matrix2d W;
  W << 4, 3, 1, 5;
  EXPECT_EQ(parse_problem(with(4, 9, {0, 1, 0, 1}, {0, 0, 1, 1}, {4, 3, 1, 5}), "x").W().dense(), W);
  EXPECT_EQ(parse_problem(with(-1, 4, {0, 2, 4}, {0, 1, 0, 1}, {4, 1, 3, 5}), "x").W().dense(), W);
  EXPECT_EQ(parse_problem(with(-2, 4, {0, 2, 4}, {0, 1, 0, 1}, {4, 3, 1, 5}), "x").W().dense(), W);
  // Entries given twice add up, and room after the last entry may hold anything.
  EXPECT_EQ(parse_problem(with(5, 5, {0, 1, 0, 1, 0}, {0, 0, 1, 1, 0}, {3, 3, 1, 5, 1}), "x").W().dense(), W);
  EXPECT_EQ(parse_problem(with(-2, 5, {0, 2, 4}, {0, 1, 0, 1, 77}, {4, 3, 1, 5, 8}), "x").W().dense(), W);
}

TEST(Fclib, ReadsOtherWidthsOfNumbers) {
  Image image(sample_local(2, 1));
  image.integers(kLocal + "/spacedim", {2}, H5T_STD_I16BE).wide_integers(kLocal + "/W/p", {0, 2, 4});
  image.reals(kLocal + "/vectors/q", {0.5, 2}, H5T_IEEE_F32BE);
  EXPECT_EQ(parse_problem(image.take(), "x").b(), Eigen::Vector2d(0.5, 2));
}

TEST(Fclib, IsReplacedWholeOrNotAtAll) {
  const Scratch scratch;
  set_contents(scratch / "copy.hdf5", "old");
  const ContactProblem problem = sample_global(3, 2);
  Solution wrong = sample_solution(problem);
  wrong.v.conservativeResize(3);
  const std::string message = refusal_of([&] { write_fclib(scratch / "copy.hdf5", problem, &wrong); });
  EXPECT_NE(message.find("copy.hdf5:/solution/v"), std::string::npos) << message;
  EXPECT_EQ(contents(scratch / "copy.hdf5"), "old");
  write_fclib(scratch / "copy.hdf5", problem);
  expect_same(problem, read_problem(scratch / "copy.hdf5"));
  EXPECT_EQ(scratch.files(), 1);
}

TEST(Fclib, LeavesNothingBehindWhereItCannotBeWritten) {
  const Scratch scratch;
  const ContactProblem problem = sample_local(3, 2);
  EXPECT_NE(
      refusal_of([&] { write_fclib(scratch / "missing/copy.hdf5", problem); }).find("cannot be written"),
      std::string::npos);
  std::filesystem::create_directory(scratch / "folder");
  set_contents(scratch / "folder/file", "");
  EXPECT_NE(refusal_of([&] { write_fclib(scratch / "folder", problem); }).find("cannot be written"),
            std::string::npos);
  EXPECT_EQ(scratch.files(), 1);
}

TEST(Fclib, LeavesNothingBehindWhereTheDiskIsFull) {
  const Scratch scratch;
  set_contents(scratch / "copy.hdf5", "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = refusal_of([&] { write_fclib(scratch / "copy.hdf5", sample_local(3, 8)); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find("copy.hdf5: cannot be written"), std::string::npos) << message;
  EXPECT_EQ(contents(scratch / "copy.hdf5"), "old");
  EXPECT_EQ(scratch.files(), 1);
}

TEST(Fclib, CannotHoldAMassMatrixThatIsAnOperator) {
  const Scratch scratch;
  ContactJacobian H(2, {0, 2});
  H.add_contact();
  H.add_block(0, Eigen::Matrix2d::Identity());
  const ContactProblem problem =
      ContactProblem::from_mass(MassMatrix::from_operator(2, [](const Eigen::VectorXd& f) { return f; }),
                                Eigen::Vector2d(1, 2), H, Eigen::Vector2d(0, 0), {ContactLaw::coulomb(1)});
  EXPECT_NE(refusal_of([&] { write_fclib(scratch / "no.hdf5", problem); }).find("operator"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { write_siconos(scratch / "no.dat", problem); }).find("operator"),
            std::string::npos);
  EXPECT_EQ(scratch.files(), 0);
}

// Damaged files.

TEST(Fclib, RefusesMissingAndUnreadableFiles) {
  const Scratch scratch;
  EXPECT_NE(refusal_of([&] { read_problem(scratch / "none.hdf5"); }).find("none.hdf5: cannot be read"),
            std::string::npos);
  EXPECT_NE(refusal_of([&] { read_problem(scratch / ""); }).find("is a directory"), std::string::npos);
  set_contents(scratch / "empty.hdf5", "");
  EXPECT_NE(refusal_of([&] { read_problem(scratch / "empty.hdf5"); }).find("empty.hdf5: is empty"),
            std::string::npos);
}

TEST(Fclib, RefusesTruncatedFiles) {
  const std::string whole = Image(sample_global(3, 3)).take();
  for (std::size_t size = 8; size < whole.size(); size += 97) {
    SCOPED_TRACE(size);
    expect_refused(whole.substr(0, size), {"some.file"});
  }
  expect_refused(whole.substr(0, 7), {"neither HDF5"});
  expect_refused(whole.substr(0, whole.size() / 2), {"damaged or truncated"});
}

TEST(Fclib, RefusesOtherHdf5Files) {
  Image empty(sample_local(3, 1));
  expect_refused(empty.remove(kLocal).take(),
                 {"some.file:/:", "expected a group /fclib_global or /fclib_local"});
}

TEST(Fclib, RefusesMissingParts) {
  for (const std::string part : {"/spacedim", "/W", "/W/m", "/W/n", "/W/nz", "/W/nzmax", "/W/p", "/W/i",
                                 "/W/x", "/vectors/q", "/vectors/mu"})
    expect_refused(Image(sample_local(3, 2)).remove(kLocal + part).take(),
                   {"some.file:" + kLocal + part + ": is missing"});
  for (const std::string part :
       {"/spacedim", "/M", "/H", "/M/p", "/H/x", "/vectors/f", "/vectors/w", "/vectors/mu"})
    expect_refused(Image(sample_global(3, 2)).remove(kGlobal + part).take(),
                   {"some.file:" + kGlobal + part + ": is missing"});
}

TEST(Fclib, DoesWithoutInfo) {
  const Scratch scratch;
  set_contents(scratch / "bare.hdf5", Image(sample_local(3, 2)).remove(kLocal + "/info").take());
  EXPECT_NO_THROW(read_problem(scratch / "bare.hdf5"));
  EXPECT_EQ(read_info(scratch / "bare.hdf5").title, "");
}

TEST(Fclib, ReadsTextsOfVariableLengthAndRefusesOtherTypes) {
  const Scratch scratch;
  set_contents(scratch / "info.hdf5",
               Image(sample_local(3, 1)).variable_text(kLocal + "/info/title", "hello").take());
  EXPECT_EQ(read_info(scratch / "info.hdf5").title, "hello");
  set_contents(scratch / "info.hdf5", Image(sample_local(3, 1)).integers(kLocal + "/info/title", {1}).take());
  EXPECT_NE(refusal_of([&] {
              read_info(scratch / "info.hdf5");
            }).find("info.hdf5:/fclib_local/info/title: has another type"),
            std::string::npos);
}

TEST(Fclib, RefusesWrongTypes) {
  const auto local = [] { return sample_local(3, 1); };
  expect_refused(Image(local()).reals(kLocal + "/spacedim", {3}).take(),
                 {kLocal + "/spacedim", "another type, expected an integer"});
  expect_refused(Image(local()).text(kLocal + "/W/m", "3").take(), {kLocal + "/W/m", "expected an integer"});
  expect_refused(Image(local()).reals(kLocal + "/W/p", {0, 3, 6, 9}).take(),
                 {kLocal + "/W/p", "expected integers"});
  expect_refused(Image(local()).integers(kLocal + "/vectors/mu", {1}).take(),
                 {kLocal + "/vectors/mu", "expected floating-point"});
  expect_refused(Image(local()).text(kLocal + "/vectors/q", "abc").take(),
                 {kLocal + "/vectors/q", "expected floating-point"});
  expect_refused(Image(local()).group(kLocal + "/W/x").take(), {kLocal + "/W/x", "expected a dataset"});
  expect_refused(Image(local()).remove(kLocal + "/W").integers(kLocal + "/W", {1}).take(),
                 {kLocal + "/W/m", "is missing"});
}

TEST(Fclib, RefusesNumbersWiderThanAnyMachineHas) {
  const hid_t wide = H5Tcopy(H5T_NATIVE_INT);
  H5Tset_size(wide, 1 << 20);
  Image image(sample_local(3, 1));
  image.declare(kLocal + "/W/p", wide, {4});
  H5Tclose(wide);
  expect_refused(image.take(), {kLocal + "/W/p", "has entries of 1048576 bytes"});
}

TEST(Fclib, RefusesWrongSizes) {
  const auto local = [] { return sample_local(2, 1); };  // W is 2 x 2 with 4 entries
  expect_refused(Image(local()).integers(kLocal + "/spacedim", {2, 2}).take(),
                 {kLocal + "/spacedim", "has 2 entries, expected 1"});
  expect_refused(Image(local()).integers(kLocal + "/W/p", {0, 2}).take(),
                 {kLocal + "/W/p", "has 2 entries, expected 3"});
  expect_refused(Image(local()).integers(kLocal + "/W/i", {0, 1, 0}).take(),
                 {kLocal + "/W/i", "has 3 entries, expected 4"});
  expect_refused(Image(local()).reals(kLocal + "/W/x", {1, 2, 3, 4, 5}).take(),
                 {kLocal + "/W/x", "has 5 entries, expected 4"});
  expect_refused(Image(local()).reals(kLocal + "/vectors/q", {1}).take(),
                 {kLocal + "/vectors/q", "has 1 entries, expected 2"});
  expect_refused(Image(local()).reals(kLocal + "/vectors/mu", {}).take(),
                 {kLocal + "/vectors/mu", "has 0 entries, expected 1"});
  expect_refused(Image(local()).declare(kLocal + "/vectors/q", H5T_NATIVE_DOUBLE, {1, 2}).take(),
                 {kLocal + "/vectors/q", "has 1 x 2 entries in a table"});
  expect_refused(Image(local()).integers(kLocal + "/spacedim", {3}).take(),
                 {kLocal + "/W", "2 contact components", "multiple of spacedim = 3"});
  expect_refused(Image(local()).integers(kLocal + "/W/n", {3}).take(),
                 {kLocal + "/W", "is 2 x 3, expected 2 x 2"});
  expect_refused(Image(sample_global(2, 2)).integers(kGlobal + "/H/m", {10}).take(),
                 {kGlobal + "/H", "is 10 x 4, expected 9 x 4"});
}

TEST(Fclib, RefusesWrongDimensions) {
  for (const int d : {-1, 0, 1, 6})
    expect_refused(Image(sample_local(3, 1)).integers(kLocal + "/spacedim", {d}).take(),
                   {kLocal + "/spacedim", "is " + std::to_string(d)});
  expect_refused(Image(sample_local(3, 1)).integers(kLocal + "/spacedim", {4}).take(),
                 {"is 4, expected 2 or 3", "/capstan"});
  expect_refused(Image(sample_local(3, 1)).integers(kLocal + "/spacedim", {5}).take(),
                 {"rolling friction", "not supported yet"});
}

TEST(Fclib, RefusesRollingFrictionAndBilateralConstraints) {
  expect_refused(Image(sample_local(3, 1)).remove(kLocal).group("/fclib_global_rolling").take(),
                 {"/fclib_global_rolling", "rolling friction is not supported yet"});
  for (const std::string part : {"/V", "/R"})
    expect_refused(Image(sample_local(3, 1)).group(kLocal + part).take(),
                   {kLocal + part, "bilateral constraints are not supported"});
  expect_refused(Image(sample_global(3, 1)).group(kGlobal + "/G").take(),
                 {kGlobal + "/G", "bilateral constraints are not supported"});
}

TEST(Fclib, RefusesNumbersThatAreNotFiniteOrNegativeFriction) {
  for (const double bad : {kNan, kInf, -kInf}) {
    expect_refused(Image(sample_local(2, 1)).reals(kLocal + "/W/x", {1, bad, 1, 1}).take(),
                   {kLocal + "/W/x", "entry 1 is", "finite"});
    expect_refused(Image(sample_local(2, 1)).reals(kLocal + "/vectors/q", {bad, 1}).take(),
                   {kLocal + "/vectors/q", "entry 0 is", "finite"});
    expect_refused(Image(sample_local(2, 1)).reals(kLocal + "/vectors/mu", {bad}).take(),
                   {kLocal + "/vectors/mu", "entry 0 is", "finite"});
  }
  expect_refused(Image(sample_local(2, 2)).reals(kLocal + "/vectors/mu", {0.5, -0.25}).take(),
                 {kLocal + "/vectors/mu", "entry 1 is -0.25", ">= 0"});
}

TEST(Fclib, RefusesIndicesOutOfRange) {
  const auto local = [] { return sample_local(2, 1); };
  expect_refused(Image(local()).integers(kLocal + "/W/i", {0, 1, 0, 2}).take(),
                 {kLocal + "/W/i", "entry 3 is 2", "from 0 to 1"});
  expect_refused(Image(local()).integers(kLocal + "/W/i", {0, -1, 0, 1}).take(),
                 {kLocal + "/W/i", "entry 1 is -1"});
  expect_refused(Image(local()).integers(kLocal + "/W/p", {1, 2, 4}).take(),
                 {kLocal + "/W/p", "entry 0 is 1"});
  expect_refused(Image(local()).integers(kLocal + "/W/p", {0, 3, 2}).take(),
                 {kLocal + "/W/p", "entry 2 is 2", "from 3 to 4"});
  expect_refused(Image(local()).integers(kLocal + "/W/p", {0, 2, 5}).take(),
                 {kLocal + "/W/p", "entry 2 is 5"});
  expect_refused(Image(local()).wide_integers(kLocal + "/W/p", {0, 2, 1LL << 40}).take(),
                 {kLocal + "/W/p", "32-bit"});
  const std::string H = kGlobal + "/H";
  const ContactProblem global = sample_global(2, 1);  // H has 12 entries
  expect_refused(Image(global).integers(H + "/p", std::vector<int>(12, 2)).take(),
                 {H + "/p", "entry 0 is 2", "from 0 to 1"});
  expect_refused(Image(global).integers(H + "/i", std::vector<int>(12, 6)).take(),
                 {H + "/i", "entry 0 is 6", "from 0 to 5"});
}

TEST(Fclib, RefusesAbsurdSizesWithoutAllocatingThem) {
  const auto local = [] { return sample_local(3, 1); };
  for (const std::string size : {"/W/m", "/W/n", "/W/nz", "/W/nzmax"})
    expect_refused(Image(local()).integers(kLocal + size, {kHuge}).take(), {kLocal + "/W"});
  expect_refused(Image(local()).integers(kLocal + "/W/m", {-3}).take(),
                 {kLocal + "/W/m", "is -3, expected an integer >= 0"});
  expect_refused(Image(local()).integers(kLocal + "/W/nz", {-3}).take(), {kLocal + "/W/nz", "is -3"});
  expect_refused(Image(local()).wide_integers(kLocal + "/W/m", {1LL << 40}).take(),
                 {kLocal + "/W/m", "is 1099511627776"});
  expect_refused(Image(local()).integers(kLocal + "/W/nz", {9}).integers(kLocal + "/W/nzmax", {8}).take(),
                 {kLocal + "/W/nzmax", "is 8, expected at least nz = 9"});
  // Consistent, and nothing behind it: 2^31 - 1 entries of 8 bytes that were never written.
  Image declared(local());
  declared.integers(kLocal + "/W/nz", {kHuge}).integers(kLocal + "/W/nzmax", {kHuge});
  for (const std::string list : {"/W/p", "/W/i"}) declared.declare(kLocal + list, H5T_NATIVE_INT, {kHuge});
  expect_refused(declared.declare(kLocal + "/W/x", H5T_NATIVE_DOUBLE, {kHuge}).take(),
                 {"declares 2147483647 entries", "0 bytes"});
}

TEST(Fclib, RefusesAWrongGroupOfFullLaws) {
  const ContactProblem plain = sample_local(3, 1);
  const ContactProblem problem =
      ContactProblem::from_delassus(plain.W(), plain.b(), {ContactLaw::elliptic(0.3, 0.7)});
  expect_refused(Image(problem).remove("/capstan/shift").take(), {"/capstan/shift: is missing"});
  expect_refused(Image(problem).integers("/capstan/version", {2}).take(), {"/capstan/version", "is 2"});
  expect_refused(Image(problem).reals("/capstan/friction", {0.3, 0.7, 0}).take(),
                 {"/capstan/friction", "has 3 entries, expected 1 x 3"});
  Image negative(problem);
  negative.declare("/capstan/traction", H5T_NATIVE_DOUBLE, {2, 4});
  expect_refused(negative.take(), {"/capstan/traction", "has 2 x 4 entries in a table"});
}

TEST(Fclib, RefusesAWrongSolution) {
  const Scratch scratch;
  const ContactProblem problem = sample_global(2, 2);
  const Solution solution = sample_solution(problem);
  const auto refused = [&](Image& image, const std::string& words) {
    set_contents(scratch / "wrong.hdf5", image.take());
    const std::string message = refusal_of([&] { read_solution(scratch / "wrong.hdf5"); });
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  refused(Image(problem, &solution).remove("/solution/u"), "/solution/u: is missing");
  refused(Image(problem, &solution).reals("/solution/u", {1}), "/solution/u: has 1 entries, expected 4");
  refused(Image(problem, &solution).reals("/solution/v", {kNan}), "/solution/v: entry 0 is nan");
}

TEST(Fclib, PassesOnWhatTheProblemItselfRefuses) {
  Image image(sample_global(2, 1));
  image.reals(kGlobal + "/M/x", std::vector<double>(18, -1.0));
  expect_refused(image.take(), {"some.file: M:"});
}

}  // namespace
}  // namespace capstan::test
