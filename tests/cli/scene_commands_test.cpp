// capstan check and capstan new, as a user meets them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace capstan::app {
namespace {

namespace fs = std::filesystem;

class SceneCommands : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder =
        fs::temp_directory_path() / ("capstan_scene_" + std::string(info->name()) + std::to_string(getpid()));
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string contents(const std::string& name) const {
    std::ifstream file(folder / name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder / name) << text; }
  int run(const std::string& arguments) const {
    const std::string command =
        "cd '" + folder.string() + "' && '" + CAPSTAN_BINARY + "' " + arguments + " >out 2>err";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  fs::path folder;
};

TEST_F(SceneCommands, NewWritesASceneThatPassesCheck) {
  ASSERT_EQ(run("new curls"), 0) << contents("err");
  EXPECT_EQ(run("check curls.toml"), 0) << contents("err");
  EXPECT_NE(contents("out").find("strands    31"), std::string::npos) << contents("out");
}

TEST_F(SceneCommands, NewDoesNotOverwrite) {
  write("mine.toml", "precious");
  EXPECT_EQ(run("new mine"), 2);
  EXPECT_EQ(contents("mine.toml"), "precious");
  EXPECT_NE(contents("err").find("mine.toml: is there already"), std::string::npos) << contents("err");
}

TEST_F(SceneCommands, CheckTellsEveryErrorAndExitsWithTwo) {
  write("bad.toml", "[simulation]\nfsp = 25\n[[strand]]\nmaterial = \"nylon\"\nlength = -1\n");
  EXPECT_EQ(run("check bad.toml"), 2);
  EXPECT_EQ(contents("out"), "");
  EXPECT_EQ(contents("err"),
            "capstan: bad.toml:2:1: simulation.fsp: is no known key; did you mean 'fps'?\n"
            "bad.toml:5:10: strand.length: is -1, expected a number > 0\n");
}

TEST_F(SceneCommands, CheckAppliesOverrides) {
  ASSERT_EQ(run("new curls"), 0);
  EXPECT_EQ(run("check curls.toml --set groom.0.count=5"), 0) << contents("err");
  EXPECT_NE(contents("out").find("strands    6"), std::string::npos) << contents("out");
  EXPECT_EQ(run("check curls.toml --set groom.0.count=0"), 2);
}

}  // namespace
}  // namespace capstan::app
