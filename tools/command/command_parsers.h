// The commands' options for CLI11, one parser each; command_line.cc puts them together. For it
// alone: it includes CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "tools/command/command_line.h"

namespace relist::command {

struct ServeParser {
  explicit ServeParser(CLI::App& app);
  ServeOptions Finish();

  ServeOptions options;
  uint64_t port = 0;
  std::string log;
  CLI::App& command;

 private:
  void AddClock();
};

struct WatchParser {
  explicit WatchParser(CLI::App& app);

  WatchOptions options;
  CLI::App& command;
};

struct RunParser {
  explicit RunParser(CLI::App& app);
  RunOptions Finish();
  // What is wrong with the options together; "" if nothing is.
  std::string Wrong() const;

  RunOptions options;
  std::string world = "sim", color = "auto";
  CLI::App& command;
};

struct ReplayParser {
  explicit ReplayParser(CLI::App& app);
  ReplayOptions Finish();

  ReplayOptions options;
  std::string world = "sim", color = "auto";
  CLI::App& command;
};

struct CheckParser {
  explicit CheckParser(CLI::App& app);
  std::string Wrong() const;

  CheckOptions options;
  CLI::App& command;
};

struct ShrinkParser {
  explicit ShrinkParser(CLI::App& app);

  ShrinkOptions options;
  CLI::App& command;
};

}  // namespace relist::command
