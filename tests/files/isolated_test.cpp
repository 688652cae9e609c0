#include "capstan/files/isolated.hpp"

#include <sys/resource.h>

#include <csignal>
#include <cstdlib>

#include "files/support.hpp"

namespace capstan::test {
namespace {

namespace fs = std::filesystem;

/// Files that made Capstan 0.1 crash; they are not part of the source tree.
fs::path repro_folder() { return fs::path(CAPSTAN_SOURCE_DIR) / ".." / "shared" / "repro"; }

TEST(Isolated, HandsOverWhatTheWorkReturns) {
  std::string long_text(3 << 20, 'x');
  EXPECT_EQ(files::in_child_process("a", 1, [&] { return long_text; }), long_text);
  EXPECT_EQ(files::in_child_process("a", 1, [] { return std::string(); }), "");
}

TEST(Isolated, PassesOnWhatTheWorkRefuses) {
  const std::string message = refusal_of(
      [] { files::in_child_process("a", 1, []() -> std::string { throw InputError("a:/p: is wrong"); }); });
  EXPECT_EQ(message, "a:/p: is wrong");
}

TEST(Isolated, SurvivesACrashOfTheWork) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGKILL}) {
    const std::string message = refusal_of([&] {
      files::in_child_process("a.h5", 1, [&] {
        std::raise(signal);
        return std::string("not reached");
      });
    });
    EXPECT_NE(message.find("a.h5: is damaged"), std::string::npos) << message;
  }
}

TEST(Isolated, SurvivesWorkThatTakesAllMemory) {
  const std::string message = refusal_of(
      [] { files::in_child_process("a.h5", 1000, [] { return std::string(std::size_t(1) << 34, 'x'); }); });
  EXPECT_NE(message.find("a.h5: is damaged"), std::string::npos) << message;
}

TEST(Isolated, DoesNotTakeHalfAnAnswerForAWhole) {
  files::ParcelWriter parcel;
  const std::vector<int> list{1, 2, 3};
  parcel.put(7).put_list(list.data(), list.size()).put_text("text");
  const std::string whole = parcel.take();
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refusal_of([&] {
                files::ParcelReader reader(std::string_view(whole).substr(0, size), "a");
                reader.get<int>();
                reader.get_list<int>();
                reader.get_text();
              }),
              "");
  files::ParcelReader reader(whole, "a");
  EXPECT_EQ(reader.get<int>(), 7);
  EXPECT_EQ(reader.get_list<int>(), list);
  EXPECT_EQ(reader.get_text(), "text");
}

TEST(Isolated, FilesThatCrashTheLibraryAreRefused) {
  if (!fs::exists(repro_folder())) GTEST_SKIP() << "../shared/repro is not there";
  for (const char* name : {"solve_segv_9a1c5a33.hdf5", "solve_segv_9d03d820.hdf5"}) {
    const fs::path file = repro_folder() / name;
    EXPECT_NE(refusal_of([&] { read_problem(file); }), "") << name;
    try {  // these may be whole
      read_info(file);
      read_solution(file);
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace capstan::test
