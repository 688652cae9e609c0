// capstan check and capstan new, as a user meets them.
#include "cli/program_test.hpp"

namespace capstan::app {
namespace {

class SceneCommands : public ProgramTest {};

TEST_F(SceneCommands, NewWritesASceneThatPassesCheck) {
  ASSERT_EQ(run("new curls"), 0) << err();
  EXPECT_EQ(run("check curls.toml"), 0) << err();
  EXPECT_NE(out().find("strands    31"), std::string::npos) << out();
}

TEST_F(SceneCommands, NewDoesNotOverwrite) {
  write("mine.toml", "precious");
  EXPECT_EQ(run("new mine"), 2);
  EXPECT_EQ(contents(folder / "mine.toml"), "precious");
  EXPECT_NE(err().find("mine.toml: is there already"), std::string::npos) << err();
}

TEST_F(SceneCommands, CheckTellsEveryErrorAndExitsWithTwo) {
  write("bad.toml", "[simulation]\nfsp = 25\n[[strand]]\nmaterial = \"nylon\"\nlength = -1\n");
  EXPECT_EQ(run("check bad.toml"), 2);
  EXPECT_EQ(out(), "");
  EXPECT_EQ(err(),
            "capstan: bad.toml:2:1: simulation.fsp: unknown key; did you mean 'fps'?\n"
            "bad.toml:5:10: strand.length: is -1, expected a number > 0\n");
}

TEST_F(SceneCommands, CheckAppliesOverrides) {
  ASSERT_EQ(run("new curls"), 0);
  EXPECT_EQ(run("check curls.toml --set groom.0.count=5"), 0) << err();
  EXPECT_NE(out().find("strands    6"), std::string::npos) << out();
  EXPECT_EQ(run("check curls.toml --set groom.0.count=0"), 2);
}

}  // namespace
}  // namespace capstan::app
