#include "tools/command/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "tools/command/command_parsers.h"
#include "tools/command/command_words.h"

namespace relist::command {
namespace {

constexpr std::array<std::string_view, 6> kCommands = {"serve",  "watch", "run",
                                                       "replay", "check", "shrink"};
constexpr std::string_view kCommandList = "serve, watch, run, replay, check and shrink";
// Named so that a wish for one of them gets an answer that helps.
constexpr std::array kLaterCommands = {"explore", "conform", "record", "lab"};

std::optional<KnownOption> FindOptionOf(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) return std::nullopt;
  return KnownOption{
      .takes_value = option->get_items_expected_max() > 0,
      .repeatable = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll,
      .name = option->get_single_name()};
}

ParsedCommandLine Refuse(const std::string& message) {
  return {.command = {}, .message = "relist: " + message + "\n", .exit_status = kUsage};
}

bool Exists(std::string_view word) {
  return std::find(kCommands.begin(), kCommands.end(), word) != kCommands.end();
}

// CLI11 would call these commands unexpected arguments.
std::string UnknownCommand(std::string_view word) {
  for (std::string_view later : kLaterCommands) {
    if (word == later) {
      return fmt::format("`{}` is not in this version: it has {}", word, kCommandList);
    }
  }
  return fmt::format("unknown command `{}`; there are {}", word, kCommandList);
}

}  // namespace

ParsedCommandLine ParseCommandLine(int argc, const char* const* argv) {
  CLI::App app(
      "List-then-watch that proves itself: a fake apiserver that fails on purpose, and "
      "an informer that has to recover.",
      "relist");
  app.require_subcommand(1);
  app.set_version_flag("--version", "relist " RELIST_VERSION);
  ServeParser serve(app);
  WatchParser watch(app);
  RunParser run(app);
  ReplayParser replay(app);
  CheckParser check(app);
  ShrinkParser shrink(app);
  if (argc < 2) return Refuse(fmt::format("a command is missing; there are {}", kCommandList));
  if (argv[1][0] != '-' && !Exists(argv[1])) {
    return Refuse(UnknownCommand(argv[1]));
  }
  if (argv[1][0] == '-' && app.get_option_no_throw(argv[1]) == nullptr) {
    return Refuse(fmt::format("unknown option {}; `relist --help` lists what there is", argv[1]));
  }
  if (Exists(argv[1])) {
    const CLI::App& command = *app.get_subcommand(argv[1]);
    const Result<void> checked =
        CheckWords(argv[1], std::vector<std::string>(argv + 2, argv + argc),
                   [&command](const std::string& name) { return FindOptionOf(command, name); });
    if (!checked.ok()) return Refuse(checked.error().message());
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return {.command = {}, .message = app.help(), .exit_status = kGood};
  } catch (const CLI::CallForVersion& version) {
    return {.command = {}, .message = std::string(version.what()) + "\n", .exit_status = kGood};
  } catch (const CLI::ArgumentMismatch& error) {
    // Words that stand for an option, too: `watch cm team -n other`.
    const std::string told = error.what();
    const size_t name_end = told.find(": At Most 1");
    if (name_end == std::string::npos) return Refuse(told);
    return Refuse(told.substr(0, name_end) + " is given twice; once is right");
  } catch (const CLI::ParseError& error) {
    return Refuse(error.what());
  }
  if (const std::string wrong = check.Wrong(); check.command.parsed() && !wrong.empty())
    return Refuse(wrong);
  if (const std::string wrong = run.Wrong(); run.command.parsed() && !wrong.empty())
    return Refuse(wrong);
  ParsedCommandLine parsed;
  if (serve.command.parsed()) parsed.command = serve.Finish();
  if (watch.command.parsed()) parsed.command = watch.options;
  if (run.command.parsed()) parsed.command = run.Finish();
  if (replay.command.parsed()) parsed.command = replay.Finish();
  if (check.command.parsed()) parsed.command = check.options;
  if (shrink.command.parsed()) parsed.command = shrink.options;
  return parsed;
}

}  // namespace relist::command
