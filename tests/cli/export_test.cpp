// capstan export and import, as a user meets them.
#include <nlohmann/json.hpp>

#include "cli/program_test.hpp"

namespace capstan::app {
namespace {

using nlohmann::json;

constexpr const char* kBall = R"(
[simulation]
duration = 0.2
dt = 5e-3

[[obstacle]]
name = "floor"
shape = "plane"

[[rigid]]
name = "ball"
shape = "sphere"
radius = 0.1
position = [0, 0, 0.11]
)";

class ExportCommand : public ProgramTest {
 protected:
  void SetUp() override {
    write("ball.toml", kBall);
    ASSERT_EQ(run("run ball.toml -o runs/ball"), 0) << err();
  }
  int files() const { return int(std::distance(fs::directory_iterator(folder), fs::directory_iterator())); }
};

TEST_F(ExportCommand, WritesEveryFormatUnderTheNameOfTheRun) {
  for (const char* words : {"usd ball.usda", "glb ball.glb", "vtp ball_vtp/ball.pvd", "vtkhdf ball.vtkhdf",
                            "npz ball.npz", "obj ball_obj/ball_000005.obj"}) {
    const std::string text = words, format = text.substr(0, text.find(' ')),
                      file = text.substr(text.find(' ') + 1);
    EXPECT_EQ(run("export runs/ball --to " + format), 0) << err();
    EXPECT_TRUE(fs::exists(folder / file)) << file;
    EXPECT_NE(out().find("6 frames, 0 to 5"), std::string::npos) << out();
  }
}

TEST_F(ExportCommand, TellsItInJsonToo) {
  ASSERT_EQ(run("export runs/ball/ --to glb --frames 1:4 --every 2 -o out/x.glb --json"), 0) << err();
  const json report = json::parse(out());
  EXPECT_EQ(report["frames"], 2);
  EXPECT_EQ(report["first"], 1);
  EXPECT_EQ(report["last"], 3);
  EXPECT_EQ(report["files"], json::array({"out/x.glb"}));
  EXPECT_EQ(report["bytes"], fs::file_size(folder / "out/x.glb"));
  EXPECT_EQ(report["left_out"], json::array({"contacts"}));
}

TEST_F(ExportCommand, RefusesWithAHint) {
  const int before = files();
  const auto refused = [&](const std::string& words, const std::string& message) {
    EXPECT_EQ(run("export " + words), 2) << words;
    EXPECT_NE(err().find(message), std::string::npos) << words << ": " << err();
  };
  refused("runs/ball --to usda", "did you mean 'usd'?");
  refused("runs/ball --to usdc", "python -m capstan.usdc");
  refused("runs/ball --to hair", "the run has none");
  refused("runs --to usd", "runs: is not the folder of a run");
  refused("nowhere --to usd", "nowhere: is not there");
  refused("runs/ball --to usd --frames 2:9", "--frames: is 2:9, expected frames from 0 to 5");
  refused("runs/ball --to usd --frames a:b", "--frames: is 'a:b', expected first:last");
  refused("runs/ball --to usd --every 0", "--every: is 0, expected 1 or more");
  refused("runs/ball --to usd -o ball.usd", "expected a name that ends in .usda");
  refused("runs/ball", "--to");
  EXPECT_EQ(files(), before);  // nothing is left behind
}

TEST_F(ExportCommand, OverwritesOnlyIfAsked) {
  ASSERT_EQ(run("export runs/ball --to usd"), 0);
  EXPECT_EQ(run("export runs/ball --to usd"), 2);
  EXPECT_NE(err().find("ball.usda: is there already"), std::string::npos);
  EXPECT_EQ(run("export runs/ball --to usd --overwrite --frames 3"), 0);
  EXPECT_EQ(run("export runs/ball --to obj"), 0);
  EXPECT_EQ(run("export runs/ball --to obj --overwrite --frames :1"), 0) << err();
  EXPECT_FALSE(fs::exists(folder / "ball_obj/ball_000005.obj"));
}

class ImportCommand : public ProgramTest {};

TEST_F(ImportCommand, MakesASceneThatChecksAndRuns) {
  write("m.xml",
        "<mujoco model='stack'>\n<option timestep='0.005' cone='elliptic'/>\n<worldbody>\n"
        "<geom name='floor' type='plane' size='0 0 1' friction='0.6'/>\n"
        "<body name='low' pos='0 0 0.1'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body>\n"
        "<body name='high' pos='0 0 0.3'><joint type='free'/><geom type='box' size='.1 .1 .1'/></body>\n"
        "</worldbody>\n</mujoco>\n");
  ASSERT_EQ(run("import m.xml -o stack.toml"), 0) << err();
  EXPECT_NE(out().find("2 rigid bodies, 1 obstacles"), std::string::npos) << out();
  EXPECT_NE(out().find("m.xml:2: option: cone is ignored"), std::string::npos) << out();
  EXPECT_EQ(run("check stack.toml"), 0) << err();
  EXPECT_EQ(run("run stack.toml --frames 3"), 0) << err();
  EXPECT_EQ(run("import m.xml -o stack.toml"), 2);
  EXPECT_EQ(run("import m.xml -o stack.toml --overwrite --json"), 0) << err();
  EXPECT_EQ(json::parse(out())["ignored"][0]["line"], 2);
}

TEST_F(ImportCommand, RefusesWhatItCannotRead) {
  write("bad.xml", "<mujoco>\n<worldbody>\n<geom\n</mujoco>");
  EXPECT_EQ(run("import bad.xml -o x.toml"), 2);
  EXPECT_NE(err().find("bad.xml:4:"), std::string::npos) << err();
  EXPECT_EQ(run("import missing.xml -o x.toml"), 2);
  EXPECT_EQ(run("import bad.xml -o x.xml"), 2);
  EXPECT_NE(err().find("ends in .toml"), std::string::npos);
  write("wig.usda", "#usda 1.0\n");
  EXPECT_EQ(run("import wig.usda -o x.toml"), 2);
  EXPECT_NE(err().find("[[groom]] file = \"wig.usda\""), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "x.toml"));
}

}  // namespace
}  // namespace capstan::app
