#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/same_callbacks.h"
#include "scenarios/joined_history.h"
#include "scenarios/unjudged.h"
#include "tools/command/commands.h"
#include "tools/command/output.h"
#include "tools/command/text_file.h"

namespace relist::command {
namespace {

Error EmptyFile(const std::string& path, const char* what) {
  return Error::Net(Transport::kOther, fmt::format("{}:1: the file is empty: {}", path, what));
}

Result<History> ReadHistory(const std::string& path) {
  const Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) return text.error();
  if (text->empty())
    return EmptyFile(path, "a history has a line at least, which tells its version");
  return History::Parse(*text, path);
}

Result<ClientLog> ReadLog(const std::string& path) {
  const Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) return text.error();
  if (text->empty()) return EmptyFile(path, "the client printed nothing");
  return ClientLog::Parse(*text, path);
}

// "NAME=LOG", or "LOG": a file of that name is meant, whatever signs it has.
Result<NamedLog> ReadNamedLog(const std::string& word) {
  const size_t equals = word.find('=');
  std::error_code problem;
  const bool named = equals != std::string::npos && !std::filesystem::exists(word, problem);
  Result<ClientLog> log = ReadLog(named ? word.substr(equals + 1) : word);
  if (!log.ok()) return log.error();
  NamedLog read;
  if (named) read.agent = word.substr(0, equals);
  read.log = std::move(*log);
  return read;
}

struct Judgement {
  History history;
  std::vector<std::string> found;  // as Describe puts it
  bool safety = false, liveness = false;

  void Add(const History& of, const std::vector<Violation>& violations) {
    for (const Violation& violation : violations) {
      found.push_back(Describe(of, violation, ""));
      if (!violation.excuse.empty()) continue;
      (violation.kind == Violation::Kind::kSafety ? safety : liveness) = true;
    }
  }
  int status() const { return safety ? kSafetyBroken : liveness ? kLivenessBroken : kGood; }
};

// The lines of a violation are of two histories, which begin at one time.
Result<void> Compare(const CheckOptions& options, const std::vector<NamedLog>& logs,
                     const std::optional<History>& server, Judgement* judgement) {
  Result<ClientLog> log = ReadLog(options.same_as);
  if (!log.ok()) return log.error();
  const Result<History> whole = JoinHistory(nullptr, {{"client", std::move(*log)}});
  const Result<History> broken = JoinHistory(nullptr, {{"client", logs.front().log}});
  if (!whole.ok()) return whole.error();
  if (!broken.ok()) return broken.error();
  const bool cut = server && WasCut(*server);
  judgement->Add(
      *whole, CheckSameCallbacks(HistoryView(*whole), HistoryView(*broken), cut ? "C14" : "C13"));
  return {};
}

Result<Judgement> Judge(const CheckOptions& options) {
  std::optional<History> server;
  if (!options.server.empty()) {
    Result<History> read = ReadHistory(options.server);
    if (!read.ok()) return read.error();
    server = std::move(*read);
  }
  std::vector<NamedLog> logs;
  for (const std::string& word : options.clients) {
    Result<NamedLog> log = ReadNamedLog(word);
    if (!log.ok()) return log.error();
    logs.push_back(std::move(*log));
  }
  Result<History> joined = JoinHistory(server ? &*server : nullptr, logs);
  if (!joined.ok()) {
    const std::string where = options.server.empty() ? "" : options.server + ": ";
    return Error::Net(Transport::kOther, where + joined.error().message());
  }
  Judgement judgement;
  judgement.history = std::move(*joined);
  judgement.Add(judgement.history, CheckAll(judgement.history));
  if (!options.same_as.empty()) {
    const Result<void> compared = Compare(options, logs, server, &judgement);
    if (!compared.ok()) return compared.error();
  }
  return judgement;
}

}  // namespace

int Check(const CheckOptions& options) {
  const Result<Judgement> judgement = Judge(options);
  if (!judgement.ok()) return Fail(judgement.error());
  std::string text;
  for (const std::string& found : judgement->found) text += found;
  const HistoryView view(judgement->history);
  for (const std::string& line : Unjudged(view, !options.same_as.empty()))
    text += "not judged: " + line + "\n";
  const char* verdict[] = {"good", "", "SAFETY BROKEN", "LIVENESS BROKEN"};
  text += CountsOf(view) + ": " + verdict[judgement->status()] + "\n";
  const Result<void> said = Say(text);
  return said.ok() ? judgement->status() : Fail(said.error());
}

}  // namespace relist::command
