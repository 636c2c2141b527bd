#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/same_callbacks.h"
#include "scenarios/histories/joined_history.h"
#include "scenarios/histories/unjudged.h"
#include "scenarios/report/story.h"
#include "tools/command/commands.h"
#include "tools/command/output.h"
#include "tools/command/run_report.h"
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
  std::vector<Violation> violations;
  std::vector<std::string> found;  // as Describe puts it
  bool safety = false, liveness = false;

  // Lines of another history than ours lie in no lane of it: they are told on the screen alone.
  void Add(const History& of, const std::vector<Violation>& all) {
    for (const Violation& violation : all) {
      found.push_back(Describe(of, violation, ""));
      violations.push_back(violation);
      if (&of != &history) violations.back().lines.clear();
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

// All that is read, which no report may take the place of.
std::vector<std::string> FilesOf(const CheckOptions& options) {
  std::vector<std::string> files = options.clients;
  for (const std::string& word : options.clients) files.push_back(word.substr(word.find('=') + 1));
  for (const std::string& file : {options.server, options.same_as}) {
    if (!file.empty()) files.push_back(file);
  }
  return files;
}

ScenarioVerdict VerdictOf(const CheckOptions& options, const Judgement& judgement,
                          const std::string& text, const std::vector<std::string>& unjudged) {
  ScenarioVerdict verdict;
  verdict.scenario = "What was recorded";
  verdict.file = options.server.empty() ? options.clients.front() : options.server;
  verdict.world = "recorded";
  verdict.exit_status = judgement.status();
  verdict.report = text;
  verdict.history_hash = fmt::format("{:016x}", judgement.history.Hash());
  verdict.again = "relist check";
  if (!options.server.empty()) verdict.again += " --server " + options.server;
  for (const std::string& client : options.clients) verdict.again += " --client " + client;
  if (!options.same_as.empty()) verdict.again += " --same-as " + options.same_as;
  if (!WantStories(options.reports)) return verdict;
  const std::vector<Mismatch> mismatches;  // nothing is expected by a script
  const std::vector<std::string> problems;
  report::Subject subject{
      judgement.history, judgement.violations, mismatches, problems, {}, {}, {}, {}};
  subject.good = "Every property that could be judged held.";
  for (const std::string& line : unjudged) subject.notes.push_back("Not judged: " + line);
  subject.again = verdict.again;
  verdict.story = report::Tell(subject, 1);
  return verdict;
}

}  // namespace

int Check(const CheckOptions& options) {
  const Result<void> writable = CheckReportPaths(options.reports, FilesOf(options));
  if (!writable.ok()) return Fail(writable.error());
  const Result<Judgement> judgement = Judge(options);
  if (!judgement.ok()) return Fail(judgement.error());
  std::string text;
  for (const std::string& found : judgement->found) text += found;
  const HistoryView view(judgement->history);
  const std::vector<std::string> unjudged = Unjudged(view, !options.same_as.empty());
  for (const std::string& line : unjudged) text += "not judged: " + line + "\n";
  const char* verdict[] = {"good", "", "SAFETY BROKEN", "LIVENESS BROKEN"};
  text += CountsOf(view) + ": " + verdict[judgement->status()] + "\n";
  const Result<void> said = Say(text);
  if (!said.ok()) return Fail(said.error());
  int status = judgement->status();
  for (const std::string& path : options.reports) {
    const Result<void> written =
        WriteReport(path, {VerdictOf(options, *judgement, text, unjudged)});
    if (!written.ok()) status = std::max(status, Fail(written.error()));
  }
  return status;
}

}  // namespace relist::command
