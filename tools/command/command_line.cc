#include "tools/command/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string_view>

#include "tools/command/command_words.h"

namespace relist::command {
namespace {

constexpr std::array<std::string_view, 4> kCommands = {"serve", "watch", "run", "replay"};
// Named so that a wish for one of them gets an answer that helps.
constexpr std::array kLaterCommands = {"explore", "shrink", "check", "conform", "record", "lab"};

CLI::Validator DurationText() {
  return CLI::Validator(
      [](std::string& text) {
        Result<Duration> parsed = ParseDuration(text);
        return parsed.ok() ? std::string() : parsed.error().message();
      },
      "DURATION");
}

// CLI11 converts numbers by itself; a duration is kept as text and turned when all is read.
class DurationOption {
 public:
  DurationOption(CLI::App& app, const std::string& name, std::optional<Duration>& target,
                 const std::string& help)
      : target_(target) {
    app.add_option(name, text_, help)->check(DurationText());
  }
  void Store() {
    if (!text_.empty()) target_ = *ParseDuration(text_);
  }

 private:
  std::string text_;
  std::optional<Duration>& target_;
};

struct ServeParser {
  explicit ServeParser(CLI::App& app)
      : command(*app.add_subcommand("serve", "Run the fake apiserver until SIGTERM")),
        grace(command, "--shutdown-grace", shutdown_grace,
              "Open watches go on so long after SIGTERM (a real server: 60s)"),
        bookmarks(command, "--bookmark-period", options.bookmark_period,
                  "Between two bookmarks of a watch"),
        timeout(command, "--timeout-min", options.timeout_min,
                "A watch without timeoutSeconds ends after this to twice this"),
        compaction(command, "--compaction-period", options.compaction_period,
                   "Between two compactions; 0: only when asked") {
    command.add_option("--port", options.port, "Port; 0 is any free one")
        ->check(CLI::Range(0, 65535));
    command.add_option("--address", options.address, "Address to listen on");
    command.add_flag("--tls", options.tls, "HTTPS, with a CA and a certificate made now");
    command.add_option("--token", options.token, "Ask for this bearer token; implies --tls");
    command
        .add_option("--objects", options.objects,
                    "A List or an object to start with; may be repeated")
        ->allow_extra_args(false)
        ->check(CLI::ExistingFile);
    command.add_option("--scenario", options.scenario, "Faults to strike with")
        ->check(CLI::ExistingFile);
    command.add_option("--history", options.history,
                       "Write what happens here, a JSON line each; none: keep none");
    command.add_option("--kubeconfig", options.kubeconfig, "Write the kubeconfig here");
    command.add_option("--rate", options.rate, "The server's seconds in a real second")
        ->check(CLI::Range(1.0, 60.0));
    command
        .add_option("--watch-window", options.watch_window,
                    "Events of a resource that a watch may go back")
        ->check(CLI::Range(1, 1000000));
    command.add_option("--controllers", controllers, "none: there are none in this version")
        ->check(CLI::IsMember({"none"}));
  }

  ServeOptions Finish() {
    grace.Store();
    options.shutdown_grace = shutdown_grace.value_or(Duration(0));
    bookmarks.Store();
    timeout.Store();
    compaction.Store();
    options.tls = options.tls || !options.token.empty();
    return options;
  }

  ServeOptions options;
  std::optional<Duration> shutdown_grace;
  std::string controllers = "none";
  CLI::App& command;
  DurationOption grace, bookmarks, timeout, compaction;
};

struct WatchParser {
  explicit WatchParser(CLI::App& app)
      : command(*app.add_subcommand("watch",
                                    "Follow a resource with our informer; a JSON line "
                                    "for each callback")) {
    command
        .add_option("resource", options.resource, "cm, deployments.apps, widgets.v1.example.com")
        ->required();
    CLI::Option* ns = command.add_option("namespace,-n,--namespace", options.ns, "Namespace");
    command.add_flag("-A,--all-namespaces", options.all_namespaces, "All namespaces")->excludes(ns);
    command.add_option("-l,--selector", options.selector, "Label selector");
    command.add_option("--kubeconfig", options.kubeconfig, "Instead of $KUBECONFIG")
        ->check(CLI::ExistingFile);
  }

  WatchOptions options;
  CLI::App& command;
};

void AddWorldAndSeed(CLI::App& command, std::string* world, std::optional<uint64_t>* seed) {
  command.add_option("--world", *world, "sim: virtual time; http: sockets on this machine")
      ->check(CLI::IsMember({"sim", "http"}));
  command.add_option("--seed", *seed, "Seed of whatever the script leaves to chance");
}

struct RunParser {
  explicit RunParser(CLI::App& app)
      : command(*app.add_subcommand("run", "Run scenarios and check what they promise")) {
    command.add_option("scenario", options.scenarios, "Files")
        ->required()
        ->check(CLI::ExistingFile);
    AddWorldAndSeed(command, &world, &options.seed);
    command
        .add_option("--report", options.reports, "FILE.json, or FILE.xml (JUnit); may be repeated")
        ->allow_extra_args(false);
    command.add_flag("--timeline", options.timeline, "Show what happened, line by line");
  }

  RunOptions Finish() {
    options.http = world == "http";
    return options;
  }

  RunOptions options;
  std::string world = "sim";
  CLI::App& command;
};

struct ReplayParser {
  explicit ReplayParser(CLI::App& app)
      : command(*app.add_subcommand("replay",
                                    "Run a scenario or a saved tape again, with its "
                                    "history on the screen")) {
    command.add_option("file", options.file, "Scenario or tape")
        ->required()
        ->check(CLI::ExistingFile);
    AddWorldAndSeed(command, &world, &options.seed);
  }

  ReplayOptions Finish() {
    options.http = world == "http";
    return options;
  }

  ReplayOptions options;
  std::string world = "sim";
  CLI::App& command;
};

std::optional<KnownOption> FindOptionOf(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) return std::nullopt;
  return KnownOption{.takes_value = option->get_items_expected_max() > 0};
}

ParsedCommandLine Refuse(std::string message) {
  return {.command = {}, .message = "relist: " + message + "\n", .exit_status = kUsage};
}

bool Exists(std::string_view word) {
  return std::find(kCommands.begin(), kCommands.end(), word) != kCommands.end();
}

// CLI11 would call these commands unexpected arguments.
std::string UnknownCommand(std::string_view word) {
  for (std::string_view later : kLaterCommands) {
    if (word == later) {
      return fmt::format("`{}` is not in this version: it has serve, watch, run and replay", word);
    }
  }
  return fmt::format("unknown command `{}`; there are serve, watch, run and replay", word);
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
  if (argc < 2) return Refuse("a command is missing; there are serve, watch, run and replay");
  if (argv[1][0] != '-' && !Exists(argv[1])) {
    return Refuse(UnknownCommand(argv[1]));
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
  } catch (const CLI::ParseError& error) {
    return Refuse(error.what());
  }
  ParsedCommandLine parsed;
  if (serve.command.parsed()) parsed.command = serve.Finish();
  if (watch.command.parsed()) parsed.command = watch.options;
  if (run.command.parsed()) parsed.command = run.Finish();
  if (replay.command.parsed()) parsed.command = replay.Finish();
  return parsed;
}

Result<Duration> ParseDuration(const std::string& text) {
  constexpr double kWeekInSeconds = 7 * 24 * 3600;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  const std::string_view unit(rest, static_cast<size_t>(end - rest));
  double seconds = -1;
  if (unit.empty() || unit == "s") seconds = number;
  if (unit == "ms") seconds = number / 1000;
  if (unit == "m") seconds = number * 60;
  if (unit == "h") seconds = number * 3600;
  if (problem != std::errc() || !(seconds >= 0) || seconds > kWeekInSeconds) {
    return Error::Net(Transport::kOther,
                      fmt::format("`{}` is no duration (500ms, 90s, 5m, 1h)", text));
  }
  return Duration(static_cast<int64_t>(seconds * 1e9));
}

}  // namespace relist::command
