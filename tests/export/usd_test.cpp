// The text of a .usda: what a reader of plain text can check. usd-core reads it in
// python/tests/test_export.py.
#include <regex>
#include <sstream>

#include "capstan/files/usd_curves.hpp"
#include "export/support.hpp"

namespace capstan::exports::test {
namespace {

std::string usd_of(const RecordedRun& run, const FrameChoice& choice = {}) {
  run.exported("usd", "a.usda", choice);
  return contents(run.scratch / "a.usda");
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// All numbers of the text from `start` to the end of its line.
std::vector<float> numbers_in_line(const std::string& text, const std::string& start) {
  std::size_t at = text.find(start) + start.size();
  const std::string line = text.substr(at, text.find('\n', at) - at);
  const std::regex number("[-+0-9.e]+");
  std::vector<float> values;
  for (std::sregex_iterator i(line.begin(), line.end(), number), end; i != end; ++i)
    values.push_back(std::stof(i->str()));
  return values;
}

TEST(ExportUsd, SaysUnitsAxisAndTimes) {
  const std::string text = usd_of(RecordedRun(8), {2, 6, 2});
  EXPECT_EQ(text.substr(0, 10), "#usda 1.0\n");
  for (const char* line : {"metersPerUnit = 1\n", "upAxis = \"Z\"\n", "timeCodesPerSecond = 25\n",
                           "startTimeCode = 2\n", "endTimeCode = 6\n", "defaultPrim = \"World\"\n"})
    EXPECT_TRUE(holds(text, line)) << line;
}

TEST(ExportUsd, NumbersReadBackToTheFloatsOfTheRecording) {
  const RecordedRun run;
  const std::string text = usd_of(run);
  const std::string curves = text.substr(text.find("def BasisCurves \"strands\""));
  EXPECT_TRUE(holds(curves, "int[] curveVertexCounts = [4, 3, 6]\n"));
  for (int k = 0; k < 5; ++k) {
    const std::vector<float> values = numbers_in_line(
        curves.substr(curves.find("point3f[] points.timeSamples")), "  " + std::to_string(k) + ": ");
    const Eigen::Matrix3Xf points = run.snapshot(k).points.cast<float>();
    ASSERT_EQ(values.size(), 39u);
    EXPECT_EQ(Eigen::Map<const Eigen::Matrix3Xf>(values.data(), 3, 13), points);
  }
}

TEST(ExportUsd, ShapesAreUsdsOwn) {
  const std::string text = usd_of(RecordedRun());
  for (const char* shape : {"def Sphere", "def Capsule", "def Cylinder", "def Cube", "def Mesh"})
    EXPECT_TRUE(holds(text, shape)) << shape;
  EXPECT_TRUE(holds(text, "float3 xformOp:scale = (0.1, 0.2, 0.3)"));
}

TEST(ExportUsd, NamesAreLettersAndEachIsThereOnce) {
  const std::string text = usd_of(RecordedRun());
  EXPECT_TRUE(holds(text, "def Xform \"the_floor\""));
  EXPECT_TRUE(holds(text, "def Xform \"box\""));
  EXPECT_TRUE(holds(text, "def Xform \"box_2\""));
}

TEST(ExportUsd, OneFrameNeedsNoSamples) {
  const std::string text = usd_of(RecordedRun(), {3, 3});
  EXPECT_FALSE(holds(text, "timeSamples"));
  EXPECT_TRUE(holds(text, "point3f[] points = [("));
}

TEST(ExportUsd, BracketsAreBalanced) {
  const std::string text = usd_of(RecordedRun());
  for (const auto& [open, close] : {std::pair('{', '}'), std::pair('(', ')'), std::pair('[', ']')})
    EXPECT_EQ(std::count(text.begin(), text.end(), open), std::count(text.begin(), text.end(), close))
        << open;
}

TEST(ExportUsd, ContactsAreSegmentsFromTheirPlaceAlongTheForce) {
  const RecordedRun run;
  const std::string text = usd_of(run);
  const std::string curves = text.substr(text.find("def BasisCurves \"contacts\""));
  const float scale = numbers_in_line(curves, "metresPerNewton = ")[0];
  const std::vector<float> ends =
      numbers_in_line(curves.substr(curves.find("point3f[] points.timeSamples")), "  3: ");
  ASSERT_EQ(ends.size(), 18u);
  for (std::size_t c = 0; c < 3; ++c) {
    const record::RecordedContact contact = run.snapshot(3).contacts[c];
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(ends[6 * c + std::size_t(d)], contact.x[d], 1e-7);
      EXPECT_NEAR(ends[6 * c + 3 + std::size_t(d)], contact.x[d] + scale * contact.f[d], 1e-6);
    }
  }
  EXPECT_TRUE(holds(curves, "int[] curveVertexCounts.timeSamples"));
}

TEST(ExportUsd, IsAGroomAgain) {
  const RecordedRun run;
  const UsdCurves curves =
      parse_usd_curves(usd_of(run, {3, 4}), "a.usda");  // frame 3 has contacts, which are no hair
  const record::Snapshot snapshot = run.snapshot(3);
  ASSERT_EQ(curves.strands.size(), 3u);
  Eigen::Index at = 0;
  for (std::size_t s = 0; s < 3; ++s) {
    for (const Eigen::Vector3d& p : curves.strands[s])
      EXPECT_LT((p - snapshot.points.col(at++)).norm(), 1e-8);
    EXPECT_FLOAT_EQ(float(curves.widths[s]), float(2 * run.manifest.radii[s]));
  }
  EXPECT_EQ(at, snapshot.points.cols());
}

}  // namespace
}  // namespace capstan::exports::test
