#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/child_process.hpp"
#include "apps/commands.hpp"
#include "apps/terminal.hpp"
#include "capstan/errors.hpp"
#include "capstan/files/whole_file.hpp"
#include "capstan/record/frame_reader.hpp"
#include "capstan/serve/view_server.hpp"

namespace capstan::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(120);  // for the next picture
constexpr std::size_t kLargestPicture = 16 << 20;

struct RenderArguments {
  std::string run, output, size = "1280x720", look;
  double fps = 30, speed = 1, from = 0;
  double to = std::numeric_limits<double>::infinity();
};

struct Size {
  int width, height;
};

Size size_of(const std::string& text) {
  int width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2 || width < 16 || height < 16 ||
      width > 4096 || height > 4096)
    throw InputError("--size: is '" + text + "', expected WIDTHxHEIGHT, 16 to 4096 each, like 1280x720");
  return {width - width % 2, height - height % 2};  // as video wants it
}

/// What ffmpeg is told, by the ending of the clip's name.
std::vector<std::string> encoder_for(const std::string& output) {
  const std::string extension = fs::path(output).extension().string();
  if (extension == ".mp4")
    return {"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"};
  if (extension == ".webm") return {"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "32", "-b:v", "0"};
  if (extension == ".gif") return {"-vf", "split[a][b];[a]palettegen[p];[b][p]paletteuse"};
  throw InputError("-o: is '" + output + "', expected a name that ends in .mp4, .webm or .gif");
}

/// The pictures that the page sends, one after the other, on their way to ffmpeg.
class Clip {
 public:
  Clip(const RenderArguments& arguments, int pictures, const std::string& ffmpeg)
      : pictures_(pictures),
        part_(fs::path(arguments.output).parent_path() /
              (fs::path(arguments.output).stem().string() + ".part" +
               fs::path(arguments.output).extension().string())),
        log_(part_.string() + ".log"),
        ffmpeg_(ffmpeg, words(arguments), log_.string()) {}
  ~Clip() {
    std::error_code ignored;
    fs::remove(part_, ignored);
    fs::remove(log_, ignored);
  }
  Clip(const Clip&) = delete;
  Clip& operator=(const Clip&) = delete;

  void add(const std::string& png) {
    const std::lock_guard lock(mutex_);
    if (!ffmpeg_.write(png)) problem_ = "ffmpeg has ended: " + said();
    ++done_;
    last_ = Clock::now();
  }
  void fail(const std::string& why) {
    const std::lock_guard lock(mutex_);
    problem_ = why;
  }
  int done() const {
    const std::lock_guard lock(mutex_);
    return done_;
  }
  int pictures() const { return pictures_; }
  std::string problem() const {
    const std::lock_guard lock(mutex_);
    if (problem_.empty() && Clock::now() - last_ > kPatience)
      return fmt::format("no picture came for {} s; the last one was {} of {}", kPatience.count(), done_,
                         pictures_);
    return problem_;
  }
  void finish(const std::string& output) {
    if (ffmpeg_.wait() != 0) throw InputError("ffmpeg could not write the clip: " + said());
    fs::rename(part_, output);
  }

 private:
  std::vector<std::string> words(const RenderArguments& arguments) const {
    std::vector<std::string> result = {
        "-y", "-loglevel", "error", "-f", "image2pipe", "-framerate", fmt::format("{}", arguments.fps),
        "-i", "-"};
    for (const std::string& word : encoder_for(arguments.output)) result.push_back(word);
    result.push_back(fs::absolute(part_).string());
    return result;
  }
  std::string said() const {
    std::error_code ignored;
    return fs::exists(log_, ignored) ? files::read_whole_file(log_) : "";
  }

  mutable std::mutex mutex_;
  const int pictures_;
  const fs::path part_, log_;
  ChildProcess ffmpeg_;
  int done_ = 0;
  Clock::time_point last_ = Clock::now();
  std::string problem_;
};

std::string needed(const std::vector<std::string>& names, const std::string& package) {
  const std::string found = find_program(names);
  if (found.empty())
    throw InputError(
        fmt::format("render: needs {}, which is not installed; on Debian: apt-get install {}. "
                    "'capstan frame' draws single pictures without it.",
                    names.front(), package));
  return found;
}

/// A folder for the browser's own files, removed at the end.
class BrowserFolder {
 public:
  BrowserFolder() {
    std::string name = (fs::temp_directory_path() / "capstan-render-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw InputError("render: cannot make a folder in " + name);
    path_ = name;
  }
  ~BrowserFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  BrowserFolder(const BrowserFolder&) = delete;
  BrowserFolder& operator=(const BrowserFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> browser_words(const fs::path& folder, const Size& size, const std::string& url) {
  std::vector<std::string> words = {"--headless=new",
                                    "--user-data-dir=" + folder.string(),
                                    fmt::format("--window-size={},{}", size.width, size.height),
                                    "--use-gl=angle",
                                    "--use-angle=swiftshader",
                                    "--enable-unsafe-swiftshader",
                                    "--no-first-run",
                                    "--mute-audio",
                                    "--hide-scrollbars"};
  if (::geteuid() == 0) words.push_back("--no-sandbox");  // it refuses root otherwise; the page is our own
  words.push_back(url);
  return words;
}

int render(const RenderArguments& arguments) {
  const Size size = size_of(arguments.size);
  encoder_for(arguments.output);  // refuses a name it does not know before anything is done
  const std::string chromium = needed({"chromium", "chromium-browser", "google-chrome"}, "chromium");
  const std::string ffmpeg = needed({"ffmpeg"}, "ffmpeg");
  std::vector<serve::RunFiles> runs;
  runs.emplace_back(arguments.run);
  const record::FrameReader reader(arguments.run);
  if (!reader.dropped().empty()) fmt::print(stderr, "capstan: {}: {}\n", arguments.run, reader.dropped());
  const double to = std::min(arguments.to, reader.time(reader.frames() - 1));
  if (!(arguments.from >= 0 && arguments.from <= to))
    throw InputError(fmt::format("--from: is {:.6g} s, expected 0 to {:.6g}", arguments.from, to));
  const int pictures =
      1 + static_cast<int>(std::floor((to - arguments.from) / arguments.speed * arguments.fps + 1e-9));

  const InterruptGuard guard;
  files::make_folders_for(arguments.output);
  Clip clip(arguments, pictures, ffmpeg);
  serve::LoopbackServer server;
  serve_runs(server, std::move(runs));
  const nlohmann::json wanted = {{"width", size.width},
                                 {"height", size.height},
                                 {"from", arguments.from},
                                 {"step", arguments.speed / arguments.fps},
                                 {"pictures", pictures}};
  server.get("/api/render", [&](const std::string&) {
    return serve::Reply{200, "application/json", wanted.dump()};
  });
  server.post("/render/frame", "image/png", kLargestPicture, [&](const std::string& png) {
    clip.add(png);
    return serve::Reply{};
  });
  server.post("/render/failed", "application/json", 1 << 16, [&](const std::string& why) {
    clip.fail("the page says: " + why);
    return serve::Reply{};
  });
  server.start(0);
  const BrowserFolder folder;
  ChildProcess browser(chromium,
                       browser_words(folder.path(), size, server.url() + "#ratio=1&" + arguments.look), "");

  Progress progress;
  progress.start(fmt::format("{} pictures", pictures));
  while (clip.done() < pictures) {
    if (interrupted()) return interrupted_code();
    std::string problem = clip.problem();
    if (problem.empty() && browser.has_ended()) problem = "the browser has ended";
    if (!problem.empty()) throw InputError("render: " + problem);
    progress.set_fraction(static_cast<double>(clip.done()) / pictures);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  progress.clear();
  clip.finish(arguments.output);
  fmt::print("{}: {} pictures, {:.4g} s, {:.1f} MB\n", arguments.output, pictures, pictures / arguments.fps,
             1e-6 * static_cast<double>(fs::file_size(arguments.output)));
  return kAllConverged;
}

}  // namespace

void add_render_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RenderArguments>();
  CLI::App* command = app.add_subcommand("render", "Make a clip of a run, as the viewer shows it");
  command->add_option("DIR", arguments->run, "Folder of a run")->required();
  command->add_option("-o,--output", arguments->output, "Clip to write: .mp4, .webm or .gif")
      ->type_name("FILE")
      ->required();
  command->add_option("--size", arguments->size, "Pixels")->type_name("WxH")->capture_default_str();
  command->add_option("--fps", arguments->fps, "Pictures a second")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 120.0));
  command->add_option("--speed", arguments->speed, "0.5: half as fast as it was")
      ->capture_default_str()
      ->check(CLI::Range(1e-3, 1e3));
  command->add_option("--from", arguments->from, "Time to begin at")->type_name("S");
  command->add_option("--to", arguments->to, "Time to end at; the end of the run if not given")
      ->type_name("S");
  command->add_option("--look", arguments->look,
                      "What stands behind the # in the viewer's address: camera, colours, contacts");
  command->footer(R"(
Examples:
  capstan render runs/hair -o hair.mp4
  capstan render runs/knot -o knot.gif --size 640x480 --fps 15 --speed 0.5

Needs chromium and ffmpeg.)");
  command->callback([&action, arguments] { action = [arguments] { return render(*arguments); }; });
}

}  // namespace capstan::app
