#include "files/support.hpp"

namespace capstan::test {
namespace {

const char* const kLocalText =
    "2\n1\n"           // dimension, contacts
    "0\n2\n2\n2\t2\n"  // W: dense, 2 x 2
    "4 1\n3 5\n"       // by columns: W = [4 3; 1 5]
    "-1 0.5\n0.3\n";   // q, mu

TEST(SiconosText, ReadsADenseMatrixByColumns) {
  const ContactProblem problem = parse_problem(kLocalText, "x");
  Eigen::Matrix2d W;
  W << 4, 3, 1, 5;
  EXPECT_EQ(problem.W().dense(), W);
  EXPECT_EQ(problem.b(), Eigen::Vector2d(-1, 0.5));
  EXPECT_EQ(problem.law(0).friction[0], 0.3);
}

TEST(SiconosText, AcceptsPlusSignsExtraSpaceAndAFlagAtTheEnd) {
  const ContactProblem problem =
      parse_problem("\r\n +2 1 0 2 2 2 2\t+4e0 1 3 5.\n\n-1 .5 3e-1\r\n1\r\n", "x");
  expect_same(problem, parse_problem(kLocalText, "x"));
}

TEST(SiconosText, CountsWhatIsTooSmallForADoubleAsZero) {
  EXPECT_EQ(parse_problem("2 1 0 2 2 2 2 4 1 3 5 1e-400 0.5 0.3", "x").b()[0], 0);
}

// W = [4 3 0 0; 1 5 0 0; 0 0 6 0; 2 0 0 7] in every storage.
Eigen::MatrixXd matrix_of_all_storages() {
  Eigen::MatrixXd W(4, 4);
  W << 4, 3, 0, 0, 1, 5, 0, 0, 0, 0, 6, 0, 2, 0, 0, 7;
  return W;
}
const std::string kRest = "\n1 2 3 4\n0.1 0.2\n";

TEST(SiconosText, ReadsSparseBlocks) {
  const ContactProblem problem = parse_problem(
      "2\n2\n1\n4\n4\n3\n2\n2\n2 4\n2 4\n3\n3\n0 1 3\n0 0 1\n0\n4\n1\n3\n5\n1\n0\n2\n0\n0\n2\n6\n0\n0\n7" +
          kRest,
      "x");
  EXPECT_EQ(problem.W().dense(), matrix_of_all_storages());
}

TEST(SiconosText, ReadsSparseBlocksWhoseLastRowsAreEmptyAndLeftOut) {
  const ContactProblem problem =
      parse_problem("2\n2\n1\n4\n4\n1\n2\n2\n2 4\n2 4\n2\n1\n0 1\n0\n0\n4\n1\n3\n5" + kRest, "x");
  EXPECT_EQ(problem.W().dense()(1, 0), 1);
  EXPECT_EQ(problem.W().dense().bottomRows(2).norm(), 0);
}

TEST(SiconosText, ReadsTriplets) {
  const ContactProblem problem = parse_problem(
      "2\n2\n2\n4\n4\n1\nCSparse Version 3.2.0, Sept 12, 2017.  Copyright (c) Timothy A. Davis, 2006-2016\n"
      "triplet: 4-by-4, nzmax: 9 nnz: 7\n 0 0 : 4\n 0 1 : 3\n 1 0 : 1\n 1 1 : 5\n 2 2 : 6\n 3 0 : 2\n 3 3 : "
      "7" +
          kRest,
      "x");
  EXPECT_EQ(problem.W().dense(), matrix_of_all_storages());
}

TEST(SiconosText, ReadsHalfOfASymmetricMatrix) {
  const ContactProblem problem = parse_problem(
      "2\n2\n2\n4\n4\n4\ntriplet: 4-by-4, nzmax: 5 nnz: 5\n0 0 : 4\n1 0 : 1\n1 1 : 5\n2 2 : 6\n3 3 : 7" +
          kRest,
      "x");
  EXPECT_EQ(problem.W().dense()(1, 0), 1);
  EXPECT_EQ(problem.W().dense()(0, 1), 1);
  EXPECT_EQ(problem.W().dense()(0, 0), 4);
}

TEST(SiconosText, ReadsCompressedColumns) {
  const ContactProblem problem = parse_problem(
      "2\n2\n2\n4\n4\n2\nCSparse Version 3.1.9\n4-by-4, nzmax: 7 nnz: 7, 1-norm: 8\n"
      "col 0 : locations 0 to 2\n0 : 4\n1 : 1\n3 : 2\ncol 1 : locations 3 to 4\n0 : 3\n1 : 5\n"
      "col 2 : locations 5 to 5\n2 : 6\ncol 3 : locations 6 to 6\n3 : 7" +
          kRest,
      "x");
  EXPECT_EQ(problem.W().dense(), matrix_of_all_storages());
}

TEST(SiconosText, ReadsCompressedRowsWhichAreCalledColumns) {
  const ContactProblem problem = parse_problem(
      "2\n2\n2\n4\n4\n3\nCSparse Version 3.1.9\n4-by-4, nzmax: 7 nnz: 7, 1-norm: -1\n"
      "col 0 : locations 0 to 1\n0 : 4\n1 : 3\ncol 1 : locations 2 to 3\n0 : 1\n1 : 5\n"
      "col 2 : locations 4 to 4\n2 : 6\ncol 3 : locations 5 to 6\n0 : 2\n3 : 7" +
          kRest,
      "x");
  EXPECT_EQ(problem.W().dense(), matrix_of_all_storages());
}

TEST(SiconosText, TellsGlobalFromLocalEvenWhereMHasOneRowAContactComponent) {
  // M = diag(2, 4), H = [1 0; 5 1] by columns, q, b, mu; as many rows as a local problem would have.
  const ContactProblem problem =
      parse_problem("2 1  0 2 2 2 2  2 0 0 4  0 2 2 2 2  1 5 0 1  7 8  9 10  0.5 0", "x");
  ASSERT_TRUE(problem.has_mass());
  Eigen::Matrix2d H;
  H << 1, 5, 0, 1;  // the transpose of the file's
  EXPECT_EQ(Eigen::MatrixXd(problem.H().sparse()), H);
  EXPECT_EQ(problem.f(), Eigen::Vector2d(7, 8));
  EXPECT_EQ(problem.w(), Eigen::Vector2d(9, 10));
}

TEST(SiconosText, TakesALocalProblemForLocalThoughItsVectorLooksLikeAMatrixHeader) {
  // q = (0, 2) and mu = 2 read like "dense, 2 rows, 2 columns", but nothing follows.
  const ContactProblem problem = parse_problem("2 1  0 2 2 2 2  4 1 3 5  0 2  2", "x");
  EXPECT_FALSE(problem.has_mass());
}

TEST(SiconosText, WritesAndReadsBackBitByBit) {
  const Scratch scratch;
  for (const int d : {2, 3})
    for (const int contacts : {0, 1, 7})
      for (const bool global : {false, true}) {
        SCOPED_TRACE(testing::Message() << d << "D, " << contacts << " contacts, global " << global);
        const ContactProblem problem = global ? sample_global(d, contacts) : sample_local(d, contacts);
        write_siconos(scratch / "copy.dat", problem);
        expect_same(problem, read_siconos(scratch / "copy.dat"));
      }
}

TEST(SiconosText, WritesALargeCoupledMassMatrixWithoutFillingItUp) {
  // 400 masses in a row, each coupled to the next: too wide for a dense block.
  const int n = 400;
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = 0; k < n; ++k) {
    entries.emplace_back(k, k, 2.5);
    if (k > 0) entries.emplace_back(k, k - 1, -1), entries.emplace_back(k - 1, k, -1);
  }
  Eigen::SparseMatrix<double> M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseMatrix<double, Eigen::RowMajor> H(2, n);
  H.insert(0, 3) = 1;
  H.insert(1, 300) = -1;
  const ContactProblem problem = ContactProblem::from_sparse(
      2, M, Eigen::VectorXd::Ones(n), H, Eigen::Vector2d(1, 2), {ContactLaw::coulomb(0.5)});
  ASSERT_FALSE(problem.mass().is_block_diagonal());
  const Scratch scratch;
  write_siconos(scratch / "copy.dat", problem);
  EXPECT_LT(std::filesystem::file_size(scratch / "copy.dat"), 50000u);
  expect_same(problem, read_problem(scratch / "copy.dat"));
  write_fclib(scratch / "copy.hdf5", problem);
  expect_same(problem, read_problem(scratch / "copy.hdf5"));
}

TEST(SiconosText, HasNoPlaceForOtherLawsAndLeavesNoFileThen) {
  const Scratch scratch;
  const auto refused = [&](ContactLaw law, const std::string& word) {
    const ContactProblem plain = sample_local(3, 1);
    const ContactProblem problem = ContactProblem::from_delassus(plain.W(), plain.b(), {law});
    const std::string message = refusal_of([&] { write_siconos(scratch / "no.dat", problem); });
    EXPECT_NE(message.find(word), std::string::npos) << message;
  };
  refused(ContactLaw::elliptic(0.3, 0.4), "contact 0 has elliptic friction");
  refused(ContactLaw::coulomb(0.3).with_restitution(0.5, -1), "velocity shift");
  refused(ContactLaw::coulomb(0.3).with_traction(Eigen::Vector4d::Ones(), Eigen::Vector4d::Zero()),
          "traction");
  EXPECT_NE(refusal_of([&] { write_siconos(scratch / "no.dat", sample_local(4, 1)); }).find("dimension 4"),
            std::string::npos);
  EXPECT_EQ(scratch.files(), 0);
}

// Damaged texts: what is wrong, where.

TEST(SiconosText, RefusesWhatIsNoProblem) {
  expect_refused("", {"is empty"});
  expect_refused("   \n", {"neither HDF5", "nor Siconos text"});
  expect_refused("hello", {"neither HDF5", "nor Siconos text"});
  expect_refused(std::string("\x89PNG\r\n\x1a\n\0\0", 10), {"neither HDF5"});
  expect_refused("7", {":1:1:", "found \"7\"", "expected the dimension of a contact, 2 or 3"});
  expect_refused("5\n1\n", {":1:1:", "rolling friction", "not supported yet"});
}

TEST(SiconosText, RefusalsNameLineColumnAndToken) {
  expect_refused("2\n  x1\n", {":2:3:", "found \"x1\"", "the number of contacts, an integer from 0 to"});
  expect_refused("2\n-1\n", {":2:1:", "found \"-1\""});
  expect_refused("2\n1.0\n", {":2:1:", "found \"1.0\""});
  expect_refused("2\n99999999999\n", {":2:1:", "found \"99999999999\""});
  expect_refused("2 1 7", {":1:5:", "the storage type of a matrix, an integer from 0 to 2"});
  expect_refused("2 1 0 2 2 2 3", {":1:13:", "found \"3\"", "the number of columns once more, 2"});
  expect_refused("2 1 0 2 3 2 3 1 2 3 4 5 6", {"2 x 3", "expected a square"});
  expect_refused("2 1 0 2 2 2 2 4 1 3 five 1 2 3",
                 {":1:21:", "found \"five\"", "an entry of a dense matrix, a finite number"});
}

TEST(SiconosText, RefusesNumbersThatAreNotFinite) {
  for (const std::string bad : {"nan", "-nan", "inf", "-inf", "1e999"}) {
    expect_refused("2 1 0 2 2 2 2\n4 " + bad + " 3 5  1 2  0.3",
                   {":2:3:", "found \"" + bad + "\"", "a finite number"});
    expect_refused("2 1 0 2 2 2 2\n4 1 3 5\n1 " + bad + "  0.3", {":3:3:", "an entry of q"});
    expect_refused("2 1 0 2 2 2 2\n4 1 3 5\n1 2\n" + bad, {":4:1:", "friction"});
  }
}

TEST(SiconosText, RefusesNegativeFriction) {
  expect_refused("2 1 0 2 2 2 2 4 1 3 5\n1 2\n-0.3", {":3:1:", "found \"-0.3\"", "mu of contact 0", ">= 0"});
}

TEST(SiconosText, RefusesTruncatedFiles) {
  expect_refused("2 1 0 2 2", {"found the end of the file"});
  expect_refused("2 1 0 2 2 2 2 4 1", {"ends too early", "a dense matrix needs 4 numbers"});
  expect_refused("2 1 0 2 2 2 2 4 1 3 5 1", {"ends too early", "q needs 2"});
  expect_refused("2 1 0 2 2 2 2 4 1 3 5 1 2", {"ends too early", "mu needs 1"});
}

TEST(SiconosText, RefusesMoreNumbersThanAProblemHas) {
  expect_refused("2 1 0 2 2 2 2 4 1 3 5 1 2 0.3\n0 7", {":2:3:", "found \"7\"", "the end of the file"});
  expect_refused("2 1 0 2 2 2 2 4 1 3 5 1 2 0.3\n0.5", {":2:1:", "found \"0.5\"", "the end of the file"});
}

TEST(SiconosText, RefusesAbsurdSizesWithoutAllocatingThem) {
  expect_refused("3 2147483647 0 3 3 3 3", {":1:3:", "number of contacts"});
  expect_refused("3 1 0 2147483647 2147483647 2147483647 2147483647 1 2",
                 {"ends too early", "a dense matrix"});
  expect_refused("3 1 1 2147483646 2147483646 2147483647 2147483646 2147483646 1 2",
                 {"ends too early", "block sizes"});
  expect_refused("3 1 1 3 3 2147483647 1 1 3 3 2 2147483647 0 2147483647 0",
                 {"ends too early", "list of blocks"});
  expect_refused("3 1 2 3 3 1 triplet: 3-by-3, nzmax: 1 nnz: 2147483647",
                 {"ends too early", "list of entries"});
  expect_refused(
      "3 1 2 2147483647 2147483647 1\ntriplet: 2147483647-by-2147483647, nzmax: 0 nnz: 0\n"
      "2 2147483647 3 1\ntriplet: 2147483647-by-3, nzmax: 0 nnz: 0\n1 2 3",
      {"ends too early", "q needs 2147483647"});
}

TEST(SiconosText, RefusesWrongSparseBlocks) {
  const auto with = [](const std::string& ends, const std::string& pointers, const std::string& column,
                       const std::string& number) {
    return "2 2 1 4 4\n1 2 2\n" + ends + " 2 4\n3 1\n" + pointers + "\n" + column + "\n" + number +
           " 1 0 0 1\n1 2 3 4 0.1 0.2";
  };
  EXPECT_NO_THROW(parse_problem(with("2 4", "0 1 1", "1", "0"), "x"));
  expect_refused(with("2 5", "0 1 1", "1", "0"), {":3:3:", "found \"5\"", "the end of a block"});
  expect_refused(with("2 2", "0 1 1", "1", "0"), {":3:3:", "the end of a block"});
  expect_refused(with("2 3", "0 1 1", "1", "0"), {":3:3:", "blocks that end at 4"});
  expect_refused(with("2 4", "1 1 1", "1", "0"), {":5:1:", "a pointer to the blocks of a row"});
  expect_refused(with("2 4", "0 1 0", "1", "0"), {":5:5:", "a pointer to the blocks of a row"});
  expect_refused(with("2 4", "0 0 0", "1", "0"), {":5:5:", "row pointers that end at 1"});
  expect_refused(with("2 4", "0 1 1", "2", "0"), {":6:1:", "the column of a block, an integer from 0 to 1"});
  expect_refused(with("2 4", "0 1 1", "1", "5"), {":7:1:", "the number of this block, 0"});
}

TEST(SiconosText, RefusesWrongSparseMatrices) {
  expect_refused("2 1 2 2 2 5", {":1:11:", "the kind of sparse matrix, an integer from 1 to 4"});
  expect_refused("2 1 2 2 2 1\nhello", {":2:1:", "found \"hello\"", "\"triplet:\""});
  expect_refused("2 1 2 2 2 1\ntriplet: 3-by-2, nzmax: 1 nnz: 1\n0 0 : 1",
                 {":2:10:", "the number of rows once more, 2"});
  expect_refused("2 1 2 2 2 1\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n2 0 : 1",
                 {":3:1:", "the row of an entry, an integer from 0 to 1"});
  expect_refused("2 1 2 2 2 1\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n0 0 1", {":3:5:", "\":\""});
  expect_refused("2 1 2 2 2 2\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 1 : locations 0 to 0",
                 {":3:5:", "the number of this column, 0"});
  expect_refused("2 1 2 2 2 2\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to 1",
                 {":3:24:", "the last location"});
  expect_refused(
      "2 1 2 2 2 2\n2-by-2, nzmax: 1 nnz: 1, 1-norm: 1\ncol 0 : locations 0 to -1\ncol 1 : locations 0 to "
      "-1\n1 2 3",
      {"hold 0 entries, expected 1"});
}

TEST(SiconosText, RefusesKindsThatOnlyASquareMatrixCanHave) {
  const std::string M = "2 1  0 3 3 3 3  1 0 0 0 1 0 0 0 1  2 3 2 ";
  expect_refused(M + "4 triplet: 3-by-2, nzmax: 1 nnz: 1\n2 1 : 1",
                 {"half of a symmetric matrix", "not square"});
  expect_refused(M + "3 3-by-2, nzmax: 1 nnz: 0, 1-norm: 1\n", {"stored by rows", "not square"});
}

TEST(SiconosText, RefusesMatricesThatDoNotFitTheContacts) {
  expect_refused("2 3  0 2 2 2 2  4 1 3 5  -1 0.5  0.3 0.3 0.3", {"2 x 2", "3 contacts need 6 rows"});
  expect_refused("2 2  0 2 2 2 2  2 0 0 4  0 2 2 2 2  1 5 0 1  7 8  9 10  0.5",
                 {"H is 2 x 2, expected 2 x 4"});
}

TEST(SiconosText, PassesOnWhatTheProblemItselfRefuses) {
  // The mass matrix must be positive.
  expect_refused("2 1  0 2 2 2 2  2 0 0 -4  0 2 2 2 2  1 5 0 1  7 8  9 10  0.5",
                 {"some.file: M:", "not positive"});
}

}  // namespace
}  // namespace capstan::test
