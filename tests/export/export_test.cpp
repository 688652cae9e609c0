// What is chosen, where it goes, and what is left behind when something fails.
#include <nlohmann/json.hpp>

#include "capstan/files/hair.hpp"
#include "capstan/files/obj.hpp"
#include "export/support.hpp"

namespace capstan::exports::test {
namespace {

namespace fs = std::filesystem;

std::vector<int> numbers(const Footage& footage) {
  std::vector<int> list;
  for (int k = 0; k < footage.frames(); ++k) list.push_back(footage.number(k));
  return list;
}

TEST(Footage, TakesFramesFromFirstToLastAndEveryNth) {
  const RecordedRun run(8);
  EXPECT_EQ(numbers(run.footage()), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(numbers(run.footage({2, 5})), (std::vector{2, 3, 4, 5}));
  EXPECT_EQ(numbers(run.footage({1, std::nullopt, 3})), (std::vector{1, 4, 7}));
  EXPECT_EQ(numbers(run.footage({7, 7})), (std::vector{7}));
}

TEST(Footage, RefusesFramesThatAreNotThere) {
  const RecordedRun run(8);
  for (const FrameChoice& choice : {FrameChoice{0, 8}, FrameChoice{-1}, FrameChoice{5, 4}, FrameChoice{8}})
    EXPECT_NE(refusal([&] { run.footage(choice); }).find("expected frames from 0 to 7"), std::string::npos);
  EXPECT_NE(refusal([&] { run.footage({0, 3, 0}); }).find("--every: is 0, expected 1"), std::string::npos);
}

TEST(Footage, RefusesWhatIsNotARun) {
  const Scratch scratch;
  EXPECT_NE(refusal([&] { Footage(scratch / "none", {}); }).find("is not there"), std::string::npos);
  EXPECT_NE(refusal([&] { Footage(scratch.path(), {}); }).find("is not the folder of a run"),
            std::string::npos);
}

TEST(Footage, KnowsTheBoxAroundEverythingButPlanes) {
  const RecordedRun run(3);
  Footage footage = run.footage();
  footage.begin(0, {});
  const Eigen::AlignedBox3d box = footage.survey().box;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Matrix3Xd points = run.snapshot(k).points;
    for (const auto& p : points.colwise()) EXPECT_TRUE(box.contains(p));
  }
  EXPECT_LT(box.diagonal().norm(), 5);  // the plane has no end
  // The square that stands for the plane lies in it and reaches beyond the box.
  const record::Solid& floor = footage.solids()[0].surface;
  EXPECT_EQ(floor.vertices.row(2).cwiseAbs().maxCoeff(), 0);
  EXPECT_GT((floor.vertices.rowwise().maxCoeff() - floor.vertices.rowwise().minCoeff()).head<2>().minCoeff(),
            2 * box.diagonal().norm());
}

TEST(Footage, DrawsTheLargestForcesAsATwentiethOfTheScene) {
  const RecordedRun run(6);  // 9 contacts, forces |(1, 2c)|; 98 of 100 lie below that of c = 4
  Footage footage = run.footage();
  footage.begin(0, {});
  const double length = footage.survey().metres_per_newton() * footage.survey().high_force;
  EXPECT_NEAR(length, 0.05 * footage.survey().box.diagonal().norm(), 1e-12);
  EXPECT_NEAR(footage.survey().high_force, std::hypot(1, 6), 1e-2);
}

TEST(Footage, TurnsDoNotJumpToTheOtherSideOfTheSphere) {
  std::vector<capstan::Frame> poses;
  for (int k = 0; k < 40; ++k)
    poses.push_back({Eigen::Vector3d::Zero(), Eigen::AngleAxisd(0.4 * k, Eigen::Vector3d::UnitX()).matrix()});
  const auto turns = turns_of(poses);
  for (std::size_t k = 1; k < turns.size(); ++k)
    EXPECT_NEAR(turns[k].dot(turns[k - 1]), std::cos(0.2), 1e-12);
  EXPECT_FALSE(stands_still(poses));
  EXPECT_TRUE(stands_still({poses[3], poses[3]}));
}

TEST(Export, EveryFormatWritesWhatItSaysAndNothingElse) {
  const RecordedRun run;
  for (const ExportFormat& format : export_formats()) {
    const std::string output = "out" + (format.series ? "" : format.ending);
    const ExportReport report = run.exported(format.name, output);
    EXPECT_EQ(report.frames, 5) << format.name;
    EXPECT_GT(report.bytes, 1000u) << format.name;
    EXPECT_EQ(report.files[0], run.scratch / output);
    for (const fs::path& file : report.files) {
      EXPECT_TRUE(fs::exists(file)) << file;
      fs::remove_all(file);
    }
    EXPECT_EQ(run.scratch.files(), 1) << format.name;  // the run itself
  }
}

TEST(Export, SaysWhatAFormatHasNoPlaceFor) {
  const RecordedRun run;
  EXPECT_TRUE(run.exported("usd", "a.usda").left_out.empty());
  EXPECT_EQ(run.exported("glb", "a.glb").left_out, (std::vector<std::string>{"contacts"}));
  EXPECT_EQ(run.exported("hair", "a").left_out,
            (std::vector<std::string>{"7 obstacles and rigid bodies", "2 soft bodies", "contacts"}));
}

TEST(Export, IsTheSameTwice) {
  const RecordedRun run;
  for (const ExportFormat& format : export_formats()) {
    if (format.series) continue;
    run.exported(format.name, "a" + format.ending);
    run.exported(format.name, "b" + format.ending);
    EXPECT_EQ(contents(run.scratch / ("a" + format.ending)), contents(run.scratch / ("b" + format.ending)))
        << format.name;
  }
}

TEST(Export, RefusesToOverwriteUnlessAsked) {
  const RecordedRun run;
  testing_support::set_contents(run.scratch / "a.usda", "mine");
  EXPECT_NE(refusal([&] { run.exported("usd", "a.usda"); }).find("is there already"), std::string::npos);
  EXPECT_EQ(contents(run.scratch / "a.usda"), "mine");
  Footage footage = run.footage();
  ExportOptions options;
  options.output = run.scratch / "a.usda";
  options.overwrite = true;
  export_run(footage, RecordedRun::format("usd"), options);
  EXPECT_EQ(contents(run.scratch / "a.usda").substr(0, 9), "#usda 1.0");
}

TEST(Export, RefusesToOverwriteTheSecondFileToo) {
  const RecordedRun run;
  testing_support::set_contents(run.scratch / "a_contacts.vtkhdf", "mine");
  EXPECT_NE(refusal([&] { run.exported("vtkhdf", "a.vtkhdf"); }).find("a_contacts.vtkhdf: is there already"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(run.scratch / "a.vtkhdf"));
  EXPECT_EQ(contents(run.scratch / "a_contacts.vtkhdf"), "mine");
}

TEST(Export, OverwritesNoFolderThatHoldsOtherThings) {
  const RecordedRun run;
  fs::create_directories(run.scratch / "home");
  testing_support::set_contents(run.scratch / "home/letter.txt", "mine");
  Footage footage = run.footage();
  ExportOptions options;
  options.output = run.scratch / "home";
  options.overwrite = true;
  EXPECT_NE(refusal([&] { export_run(footage, RecordedRun::format("obj"), options); }).find("letter.txt"),
            std::string::npos);
  EXPECT_EQ(contents(run.scratch / "home/letter.txt"), "mine");
}

TEST(Export, LeavesNothingWhenItIsStopped) {
  const RecordedRun run;
  for (const ExportFormat& format : export_formats()) {
    Footage footage = run.footage();
    ExportOptions options;
    options.output = run.scratch / ("out" + (format.series ? "" : format.ending));
    options.progress = [](double done) {
      if (done > 0.6) throw std::runtime_error("stop");
    };
    EXPECT_THROW(export_run(footage, format, options), std::runtime_error) << format.name;
    EXPECT_EQ(run.scratch.files(), 1) << format.name;
  }
}

TEST(Export, ProgressGrowsToOne) {
  const RecordedRun run;
  for (const ExportFormat& format : export_formats()) {
    Footage footage = run.footage();
    double last = 0;
    ExportOptions options;
    options.output = run.scratch / ("p_" + format.name + (format.series ? "" : format.ending));
    options.progress = [&](double done) {
      EXPECT_GE(done, last);
      last = done;
    };
    export_run(footage, format, options);
    EXPECT_EQ(last, 1) << format.name;
  }
}

TEST(Export, WantsTheEndingOfTheFormat) {
  const RecordedRun run;
  EXPECT_NE(refusal([&] { run.exported("usd", "a.usdc"); }).find("ends in .usda"), std::string::npos);
}

TEST(ExportHair, ReadsBackToTheStrands) {
  const RecordedRun run;
  run.exported("hair", "a", {0, 4, 2});
  const HairFile hair = read_hair(run.scratch / "a/waves_000002.hair");
  const record::Snapshot snapshot = run.snapshot(2);
  ASSERT_EQ(hair.strands.size(), 3u);
  Eigen::Index at = 0;
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t i = 0; i < hair.strands[s].size(); ++i) {
      EXPECT_EQ(hair.strands[s][i], snapshot.points.col(at++));  // multiples of 2^-17 m are floats
      EXPECT_EQ(hair.thickness[s][i], double(float(2 * run.manifest.radii[s])));
    }
  EXPECT_EQ(at, snapshot.points.cols());
}

TEST(ExportObj, ReadsBackToAllBodies) {
  const RecordedRun run;
  run.exported("obj", "a");
  const ObjShapes shapes = read_obj(run.scratch / "a/waves_000003.obj");
  const record::Snapshot snapshot = run.snapshot(3);
  ASSERT_EQ(shapes.polylines.size(), 3u);
  for (Eigen::Index i = 0; i < snapshot.points.cols(); ++i)
    EXPECT_LT((shapes.vertices[std::size_t(i)] - snapshot.points.col(i)).norm(), 1e-7);
  EXPECT_EQ(shapes.polylines[2].back(), 12);
  for (Eigen::Index i = 0; i < snapshot.mesh_points.cols(); ++i)
    EXPECT_LT((shapes.vertices[13 + std::size_t(i)] - snapshot.mesh_points.col(i)).norm(), 1e-7);
  // The tetrahedron is the last one, its vertices carried by its pose.
  const Eigen::Vector3d corner = snapshot.obstacles[6].apply({0, 0, 1});
  EXPECT_LT((shapes.vertices.back() - corner).norm(), 1e-6);
}

TEST(ExportHair, RefusesARunWithoutStrands) {
  const Scratch scratch;
  record::Manifest manifest;
  manifest.scene = "scene.toml";
  auto run = record::RunDirectory::create(scratch / "run", manifest, "");
  record::Snapshot snapshot;
  snapshot.points.resize(3, 0);
  snapshot.mesh_points.resize(3, 0);
  run.write(snapshot);
  Footage footage(scratch / "run", {});
  ExportOptions options;
  options.output = scratch / "out";
  EXPECT_NE(refusal([&] { export_run(footage, RecordedRun::format("hair"), options); }).find("has none"),
            std::string::npos);
  // Others write an empty scene.
  for (const ExportFormat& format : export_formats()) {
    if (format.name == "hair") continue;
    options.output = scratch / ("empty" + format.name + (format.series ? "" : format.ending));
    EXPECT_EQ(export_run(footage, format, options).frames, 1) << format.name;
  }
}

}  // namespace
}  // namespace capstan::exports::test
