#include "tools/command/command_parsers.h"

#include <limits>
#include <optional>

#include "tools/command/option_values.h"

namespace relist::command {
namespace {

// An option that is read by us: CLI11 wraps -1, takes NaN, and knows no units.
template <class Target, class Parse>
void AddValue(CLI::App& command, const std::string& name, const char* type, Target& target,
              Parse parse, const std::string& help) {
  command
      .add_option_function<std::string>(
          name,
          [name, &target, parse](const std::string& text) {
            const auto parsed = parse(text);
            if (!parsed.ok()) throw CLI::ValidationError(name, parsed.error().message());
            target = *parsed;
          },
          help)
      ->type_name(type);
}

auto DurationFrom(Duration least) {
  return [least](const std::string& text) { return ParseDurationFrom(text, least); };
}

auto WholeNumber(uint64_t least, uint64_t most) {
  return [least, most](const std::string& text) { return ParseWholeNumber(text, least, most); };
}

void AddWorldAndSeed(CLI::App& command, std::string* world, std::optional<uint64_t>* seed) {
  command
      .add_option("--world", *world,
                  "sim: virtual time (the default); http: sockets on this machine")
      ->check(CLI::IsMember({"sim", "http"}));
  AddValue(command, "--seed", "NUMBER", *seed, WholeNumber(0, std::numeric_limits<uint64_t>::max()),
           "Seed of whatever the script leaves to chance; by default the script's, or 1");
}

void AddClientOptions(CLI::App& command, std::vector<std::string>* options) {
  command
      .add_option(
          "--client-option", *options,
          "\"KEY: VALUE\", as it stands in a client of a scenario: each client has it, in the "
          "place of its own; may be repeated; by default they are as the scenario says")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void AddReports(CLI::App& command, std::vector<std::string>* reports) {
  command
      .add_option("--report", *reports,
                  "FILE.html (a page to look at), FILE.json, or FILE.xml (JUnit); may be "
                  "repeated; by default none")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

void AddColor(CLI::App& command, std::string* color) {
  command
      .add_option("--color", *color,
                  "Of the timeline: auto (the default): on a terminal, unless NO_COLOR is set or "
                  "TERM is dumb; always; never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

ColorWhen ColorOf(const std::string& word) {
  if (word == "always") return ColorWhen::kAlways;
  return word == "never" ? ColorWhen::kNever : ColorWhen::kAuto;
}

constexpr char kCheckFooter[] =
    "Exit status: 0 good, 1 usage or a file that cannot be read, 2 a safety property broken, 3 a "
    "liveness property broken.\n"
    "With both, all is judged that the log tells. Without --client: the server, W1-W20, and of "
    "whose "
    "lines are in the history, C1-C20. Without --server: C3, C6, C10, and C5, of a log with a "
    "`store`, C19, of one with `stop`. C13 and C14 compare two logs: --same-as. What was not "
    "judged "
    "is told, with the reason.\n"
    "The lines of a history are told in core/HISTORY.md, those of a log in README.md, \"In your "
    "CI\".";

}  // namespace

ServeParser::ServeParser(CLI::App& app)
    : command(*app.add_subcommand("serve", "Run the fake apiserver until SIGTERM")) {
  AddValue(command, "--port", "PORT", port, WholeNumber(0, kPortMax),
           "Port; by default 0: any free one");
  AddValue(command, "--address", "IP", options.address, ParseAddress,
           "IP address to listen on, or localhost; by default 127.0.0.1");
  command.add_flag("--tls", options.tls,
                   "HTTPS, with a CA and a certificate made now; by default plain HTTP");
  AddValue(command, "--token", "TEXT", options.token, ParseToken,
           "Ask for this bearer token; implies --tls; by default none is asked for");
  command
      .add_option("--objects", options.objects,
                  "A List or an object to start with; may be repeated; by default there are "
                  "the system's namespaces alone")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->check(CLI::ExistingFile);
  command
      .add_option("--scenario", options.scenario,
                  "Steps and faults to strike with; by default none")
      ->check(CLI::ExistingFile);
  AddValue(command, "--history", "FILE", options.history, ParseHistoryPath,
           "Write what happens here, a JSON line each: the file is emptied first, has each line a "
           "second later, and the last at the end; where it cannot be written, that is told, the "
           "server goes on, and its exit status is 1; none: keep none; by default it is kept in "
           "memory");
  command.add_option("--kubeconfig", options.kubeconfig,
                     "Write the kubeconfig here, in the place of what is there; by default in "
                     "the temporary folder, as relist-PORT.yaml, until the end");
  AddClock();
  command
      .add_option("--log", log,
                  "requests: a line on standard error for each, with who asked, the status, "
                  "bytes, and how it ended; of what nobody reads 1 MiB waits, the rest is "
                  "dropped, and a line says how much; by default nothing")
      ->check(CLI::IsMember({"requests"}));
  AddValue(command, "--controllers", "NAMES", options.controllers, fakeapi::ParseControllers,
           "namespace-controller, garbage-collector-controller, both with a comma, all, or none; "
           "by default all, of a scenario its own");
}

void ServeParser::AddClock() {
  AddValue(
      command, "--rate", "1-60", options.rate,
      [](const std::string& text) { return ParseNumber(text, 1, 60); },
      "The server's seconds in a real second; by default 1, of a scenario its own (60)");
  AddValue(command, "--watch-window", "EVENTS", options.watch_window, WholeNumber(0, 1000000),
           "Events of a resource that a watch may go back; 0, the default: as a real server, "
           "100 at first, and more while they are younger than 75 s; of a scenario its own");
  AddValue(command, "--watcher-buffer", "EVENTS", options.watcher_buffer, WholeNumber(0, 1000000),
           "Events that a watch may be behind whose client does not read, before it is ended; 0, "
           "the default: as a real server, 20 and more; of a scenario its own");
  AddValue(command, "--replicas", "1-10", options.replicas, WholeNumber(1, 10),
           "Apiservers over one etcd, each with a port of its own; by default 1");
  AddValue(command, "--not-ready", "DURATION", options.not_ready, DurationFrom(Duration(0)),
           "For so long lists and watches are answered with 429, as while caches are filled; by "
           "default 0s, of a scenario its own");
  AddValue(command, "--start-revision", "REVISION", options.start_revision,
           WholeNumber(1, uint64_t{1} << 62),
           "resourceVersions begin here; by default beyond all of earlier starts, and with "
           "--scenario at 1, as in `relist run`");
  AddValue(command, "--shutdown-grace", "DURATION", options.shutdown_grace,
           DurationFrom(Duration(0)),
           "Open watches go on so long after SIGTERM, or until a second one; by default 0s (a "
           "real server: 60s)");
  AddValue(command, "--bookmark-period", "DURATION", options.bookmark_period,
           DurationFrom(kLeastBookmarkPeriod),
           "Between two bookmarks of a watch; by default 1m, of a scenario its own");
  AddValue(command, "--timeout-min", "DURATION", options.timeout_min, DurationFrom(kLeastTimeout),
           "A watch without timeoutSeconds ends after this to twice this; by default 30m, of a "
           "scenario its own");
  AddValue(
      command, "--compaction-period", "DURATION", options.compaction_period,
      [](const std::string& text) { return ParsePeriod(text, kLeastCompactionPeriod); },
      "Between two compactions; 0: only when asked; by default 5m, with a scenario 0");
}

ServeOptions ServeParser::Finish() {
  options.port = static_cast<int>(port);
  options.tls = options.tls || !options.token.empty();
  options.log_requests = log == "requests";
  return options;
}

WatchParser::WatchParser(CLI::App& app)
    : command(*app.add_subcommand("watch",
                                  "Follow a resource with our informer; a JSON line "
                                  "for each callback")) {
  command.add_option("resource", options.resource, "cm, deployments.apps, widgets.v1.example.com")
      ->required();
  CLI::Option* ns = command.add_option("namespace,-n,--namespace", options.ns,
                                       "Namespace; by default the kubeconfig's, or "
                                       "\"default\"");
  command.add_flag("-A,--all-namespaces", options.all_namespaces, "All namespaces")->excludes(ns);
  command.add_option("-l,--selector", options.selector, "Label selector; by default all");
  command
      .add_option("--kubeconfig", options.kubeconfig,
                  "By default the first file of $KUBECONFIG, or ~/.kube/config")
      ->check(CLI::ExistingFile);
  command.add_flag("--plain-list", options.plain_list,
                   "List, then watch, as with client-go's WatchListClient off; by default the list "
                   "is streamed as a watch");
}

RunParser::RunParser(CLI::App& app)
    : command(*app.add_subcommand("run", "Run scenarios and check what they promise")) {
  command.add_option("scenario", options.scenarios, "Files")->check(CLI::ExistingFile);
  AddWorldAndSeed(command, &world, &options.seed);
  AddClientOptions(command, &options.client_options);
  AddReports(command, &options.reports);
  command.add_flag("--timeline", options.timeline, "Show what happened, line by line");
  command.add_flag(
      "--list-actions", options.list_actions,
      "Run nothing: print what can be written in a scenario; by default scenarios are run");
  command.add_flag(
      "--schema", options.schema,
      "Run nothing: print the same as a JSON Schema, for editors; by default scenarios are "
      "run");
  AddColor(command, &color);
}

RunOptions RunParser::Finish() {
  options.http = world == "http";
  options.color = ColorOf(color);
  return options;
}

std::string RunParser::Wrong() const {
  const bool tells = options.list_actions || options.schema;
  if (!tells && options.scenarios.empty()) return "run: give a scenario, or several";
  if (options.list_actions && options.schema) return "--list-actions or --schema: one at a time";
  if (tells && !options.scenarios.empty())
    return "--list-actions and --schema tell the language and run nothing: leave the files out";
  return "";
}

ReplayParser::ReplayParser(CLI::App& app)
    : command(*app.add_subcommand("replay",
                                  "Run a scenario or a saved tape again, with its "
                                  "history on the screen")) {
  command
      .add_option("file", options.file,
                  "A scenario, or a tape: property tests that fail save one, and print where")
      ->required()
      ->check(CLI::ExistingFile);
  AddWorldAndSeed(command, &world, &options.seed);
  AddClientOptions(command, &options.client_options);
  AddColor(command, &color);
}

ReplayOptions ReplayParser::Finish() {
  options.http = world == "http";
  options.color = ColorOf(color);
  return options;
}

CheckParser::CheckParser(CLI::App& app)
    : command(*app.add_subcommand("check",
                                  "Judge a server's history, and the logs of clients in any "
                                  "language, by all properties")) {
  command
      .add_option("--server", options.server,
                  "What `relist serve --history FILE` wrote, or GET /relist/v1/history gave; by "
                  "default none")
      ->check(CLI::ExistingFile);
  command
      .add_option("--client", options.clients,
                  "What a client printed, [NAME=]LOG: NAME is the User-Agent by which the server "
                  "knows its requests, and may be left out where only one listed or watched; may "
                  "be repeated; by default none")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
  command
      .add_option("--same-as", options.same_as,
                  "What the client printed in another run of the same script, in which nothing "
                  "was split or cut: both must be the same; by default none")
      ->check(CLI::ExistingFile);
  AddReports(command, &options.reports);
  AddValue(command, "--recovery", "LENGTH", options.recovery, DurationFrom(Duration(0)),
           "So long after the last fault a client has recovered, on its own clock: a store that it "
           "prints later must lack nothing; by default 690s, client-go's longest watch and more");
  command.footer(kCheckFooter);
}

std::string CheckParser::Wrong() const {
  if (options.server.empty() && options.clients.empty())
    return "check: give --server HISTORY, --client LOG, or both";
  if (!options.same_as.empty() && options.clients.size() != 1)
    return "--same-as: it is compared with one --client LOG";
  return "";
}

ShrinkParser::ShrinkParser(CLI::App& app)
    : command(*app.add_subcommand("shrink",
                                  "Make a scenario that fails as small as it can be and fail "
                                  "likewise")) {
  command.add_option("file", options.file, "A scenario that fails in the simulation")
      ->required()
      ->check(CLI::ExistingFile);
  command.add_option("--out", options.out,
                     "Write it here, in the place of what is there; by default on standard output");
  AddValue(command, "--seed", "NUMBER", options.seed,
           WholeNumber(0, std::numeric_limits<uint64_t>::max()),
           "Seed of whatever the script leaves to chance; by default the script's, or 1");
  AddValue(command, "--runs", "NUMBER", options.runs, WholeNumber(1, 1000000),
           "It is run so often at most; by default 5000");
}

}  // namespace relist::command
