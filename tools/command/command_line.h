// What a person typed, as values. The only place that knows CLI11.
//
//   ParsedCommandLine parsed = ParseCommandLine(argc, argv);
//   if (auto* serve = std::get_if<ServeOptions>(&parsed.command)) return Serve(*serve);
//   fmt::print(parsed.exit_status == 0 ? stdout : stderr, "{}", parsed.message);
//
// Exit statuses are the project's (see ExitStatus), never CLI11's own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/time.h"
#include "fakeapi/controllers/controller_set.h"
#include "tools/command/color.h"

namespace relist::command {

// Names that outsiders rely on.
enum ExitStatus {
  kGood = 0,
  kUsage = 1,         // wrong arguments, a file, a port; a step that never happened
  kSafetyBroken = 2,  // also a trace that differs
  kLivenessBroken = 3,
};

inline constexpr int kPortMax = 65535;
// Oftener, a server does little else.
inline constexpr Duration kLeastBookmarkPeriod = Millis(10);
inline constexpr Duration kLeastCompactionPeriod = Millis(100);
// Shorter, and clients do little else than open watches.
inline constexpr Duration kLeastTimeout = Seconds(1);

struct ServeOptions {
  int port = 0;  // 0: any free one
  std::string address = "127.0.0.1";
  bool tls = false;  // --token implies it: clients send no token over plain HTTP
  std::string token;
  std::vector<std::string> objects;  // files with a List or one object, YAML or JSON
  std::string scenario;              // file; its faults strike whoever connects
  std::string history;               // file, NDJSON
  std::string kubeconfig;            // file to write; empty: in the temporary folder
  Duration shutdown_grace{};
  bool log_requests = false;
  // Not given: the scenario's, or the real server's.
  std::optional<double> rate;                          // the server's seconds in a real one
  std::optional<size_t> watch_window, watcher_buffer;  // 0: as the real server has it
  std::optional<size_t> replicas;
  std::optional<Duration> not_ready;
  std::optional<uint64_t> start_revision;
  std::optional<Duration> bookmark_period, timeout_min, compaction_period;
  std::optional<fakeapi::ControllerSet> controllers;
};

struct WatchOptions {
  std::string resource;  // "cm", "deployments.apps", "widgets.v1.example.com"
  std::string ns;        // empty with all_namespaces unset: the kubeconfig's
  bool all_namespaces = false;
  std::string selector;
  std::string kubeconfig;   // file; empty: $KUBECONFIG, then ~/.kube/config
  bool plain_list = false;  // as with client-go's feature gate WatchListClient off
};

struct RunOptions {
  std::vector<std::string> scenarios;
  bool http = false;  // world
  std::optional<uint64_t> seed;
  std::vector<std::string> client_options;    // "KEY: VALUE", in each client
  std::vector<std::string> reports;           // files; the ending says the format
  bool timeline = false;                      // the history on the screen
  bool list_actions = false, schema = false;  // the language instead of a run
  ColorWhen color = ColorWhen::kAuto;
};

struct ReplayOptions {
  std::string file;
  bool http = false;
  std::optional<uint64_t> seed;
  std::vector<std::string> client_options;  // as of a run
  ColorWhen color = ColorWhen::kAuto;
};

struct CheckOptions {
  std::string server;                // file with a server's history; empty: none
  std::vector<std::string> clients;  // [NAME=]LOG
  std::string same_as;               // file with a log of another run of the one client; or empty
  std::vector<std::string> reports;  // files to write, as of a run
  std::optional<Duration> recovery;  // instead of the checkers' own
};

struct ShrinkOptions {
  std::string file;
  std::string out;  // empty: standard output
  std::optional<uint64_t> seed;
  uint64_t runs = 5000;
};

struct ParsedCommandLine {
  // monostate: nothing to do but say `message` and leave with `exit_status`.
  std::variant<std::monostate, ServeOptions, WatchOptions, RunOptions, ReplayOptions, CheckOptions,
               ShrinkOptions>
      command;
  std::string message;
  int exit_status = kGood;
};

ParsedCommandLine ParseCommandLine(int argc, const char* const* argv);

}  // namespace relist::command
