#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/suggest.hpp"
#include "apps/terminal.hpp"
#include "capstan/errors.hpp"
#include "capstan/export/export_run.hpp"

namespace capstan::app {
namespace {

struct ExportArguments {
  std::string run, format, frames, output;
  int every = 1;
  bool overwrite = false, json = false;
};

struct Stopped {};  // by Ctrl-C

const exports::ExportFormat& format_named(const std::string& name) {
  std::vector<std::string> names;
  for (const exports::ExportFormat& format : exports::export_formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  if (name == "usdc")
    throw InputError(
        "--to: is 'usdc', the binary form of usd, which takes the Python package usd-core: export --to usd "
        "-o x.usda, then 'pip install usd-core' and 'python -m capstan.usdc x.usda x.usdc'");
  throw InputError(
      fmt::format("--to: is '{}', expected {}{}", name, fmt::join(names, ", "), did_you_mean(name, names)));
}

/// "a:b", "a:", ":b" or "a".
exports::FrameChoice choice_of(const ExportArguments& arguments) {
  exports::FrameChoice choice;
  choice.every = arguments.every;
  const std::string& text = arguments.frames;
  if (text.empty()) return choice;
  const auto number = [&](const std::string& part) {
    int value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size())
      throw InputError("--frames: is '" + text + "', expected first:last, as in 0:49, 10: or :20");
    return value;
  };
  const std::size_t colon = text.find(':');
  const std::string first = text.substr(0, colon),
                    last = colon < text.size() ? text.substr(colon + 1) : first;
  if (!first.empty()) choice.first = number(first);
  if (!last.empty()) choice.last = number(last);
  return choice;
}

std::string formats_text() {
  std::string text;
  for (const exports::ExportFormat& format : exports::export_formats())
    text += fmt::format("  {:<7} {:<23} {}\n", format.name, format.holds,
                        format.opens + (format.series ? "; a file a frame" : ""));
  return text;
}

void print_report(const ExportArguments& arguments, const exports::Footage& footage,
                  const exports::ExportReport& report) {
  const int last = footage.number(footage.frames() - 1);
  if (arguments.json) {
    nlohmann::ordered_json json = {{"run", arguments.run},
                                   {"format", arguments.format},
                                   {"frames", report.frames},
                                   {"first", footage.number(0)},
                                   {"last", last},
                                   {"bytes", report.bytes},
                                   {"left_out", report.left_out}};
    for (const auto& file : report.files) json["files"].push_back(file.string());
    fmt::print("{}\n", json.dump());
    return;
  }
  std::vector<std::string> files;
  for (const auto& file : report.files) files.push_back(file.string());
  fmt::print("{}: {} frames, {} to {}, {:.1f} MB\n", fmt::join(files, ", "), report.frames, footage.number(0),
             last, 1e-6 * double(report.bytes));
  if (!report.left_out.empty())
    fmt::print("{} has no place for: {}\n", arguments.format, fmt::join(report.left_out, ", "));
}

int export_frames(const ExportArguments& arguments) {
  const exports::ExportFormat& format = format_named(arguments.format);
  exports::Footage footage(arguments.run, choice_of(arguments));
  if (!footage.dropped().empty()) fmt::print(stderr, "capstan: {}: {}\n", arguments.run, footage.dropped());
  const InterruptGuard guard;
  Progress progress;
  progress.start(fmt::format("{} frames to {}", footage.frames(), format.name));
  exports::ExportOptions options;
  options.output = arguments.output.empty() ? default_output(footage, format).string() : arguments.output;
  options.overwrite = arguments.overwrite;
  options.progress = [&](double fraction) {
    progress.set_fraction(fraction);
    if (interrupted()) throw Stopped{};
  };
  try {
    const exports::ExportReport report = export_run(footage, format, options);
    progress.clear();
    print_report(arguments, footage, report);
  } catch (const Stopped&) {
    return interrupted_code();
  }
  return kAllConverged;
}

}  // namespace

void add_export_command(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command = app.add_subcommand("export", "Write a run in a format of other programs");
  command->add_option("DIR", arguments->run, "Folder of a run; it may still be going on")->required();
  command->add_option("--to", arguments->format, "usd, glb, vtp, vtkhdf, hair, obj or npz")
      ->type_name("FORMAT")
      ->required();
  command->add_option("--frames", arguments->frames, "First and last frame, both included; all if not given")
      ->type_name("A:B");
  command->add_option("--every", arguments->every, "Of these every n-th")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output,
                      "File to write, or folder for a file a frame; named after the run if not given");
  command->add_flag("--overwrite", arguments->overwrite, "Replace what is there");
  command->add_flag("--json", arguments->json, "The summary as one JSON object");
  command->footer("\nFormats:\n" + formats_text() + R"(
Examples:
  capstan export runs/hair --to usd                  hair.usda
  capstan export runs/heap --to glb -o heap.glb --every 2
  capstan export runs/hair --to vtp --frames 0:49    hair_vtp/hair.pvd, for ParaView
  python -m capstan.usdc hair.usda hair.usdc         a third of the size; needs usd-core

docs/export.md says which format suits which program.)");
  command->callback([&action, arguments] { action = [arguments] { return export_frames(*arguments); }; });
}

}  // namespace capstan::app
