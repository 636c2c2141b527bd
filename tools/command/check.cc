#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/duration.h"
#include "core/wire/quote.h"
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

// Of one property: a loop breaks it once a round.
constexpr size_t kShownOfEach = 3;

struct Judgement {
  History history;
  std::vector<Violation> violations;
  std::vector<std::string> found;   // as Describe puts it
  std::vector<std::string> unread;  // lines of logs, a sentence for each kind
  std::map<std::string, size_t> count;
  bool safety = false, liveness = false;

  // Lines of another history than ours lie in no lane of it: they are told on the screen alone.
  void Add(const History& of, const std::vector<Violation>& all) {
    for (const Violation& violation : all) {
      if (++count[violation.property] > kShownOfEach) continue;
      found.push_back(Describe(of, violation, ""));
      violations.push_back(violation);
      if (&of != &history) violations.back().lines.clear();
      if (!violation.excuse.empty()) continue;
      (violation.kind == Violation::Kind::kSafety ? safety : liveness) = true;
    }
  }
  // "and 21 more of C9".
  std::vector<std::string> More() const {
    std::vector<std::string> more;
    for (const auto& [property, number] : count) {
      if (number > kShownOfEach)
        more.push_back(fmt::format("and {} more of {}", number - kShownOfEach, property));
    }
    return more;
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

relist::CheckOptions CheckersOptionsOf(const CheckOptions& options) {
  relist::CheckOptions checkers;
  checkers.recovery = options.recovery.value_or(checkers.recovery);
  return checkers;
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
  for (const NamedLog& log : logs) {
    for (const auto& [type, number] : log.log.unread) {
      judgement.unread.push_back(fmt::format(
          "{}: {} line{} of type `{}`, a word that the client protocol (README.md) does not have",
          log.log.file, number, number == 1 ? "" : "s", type));
    }
  }
  judgement.history = std::move(*joined);
  judgement.Add(judgement.history, CheckAll(judgement.history, CheckersOptionsOf(options)));
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
  const auto add = [&verdict](const char* option, const std::string& word) {
    if (!word.empty()) verdict.again += std::string(" ") + option + " " + ShellWord(word);
  };
  add("--server", options.server);
  for (const std::string& client : options.clients) add("--client", client);
  add("--same-as", options.same_as);
  if (options.recovery) add("--recovery", FormatDuration(*options.recovery));
  if (!WantStories(options.reports)) return verdict;
  const std::vector<Mismatch> mismatches;  // nothing is expected by a script
  const std::vector<std::string> problems;
  report::Subject subject{
      judgement.history, judgement.violations, mismatches, problems, {}, {}, {}, {}};
  subject.good = "Every property that could be judged held.";
  subject.notes = judgement.More();
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
  for (const std::string& more : judgement->More()) text += more + "\n";
  const HistoryView view(judgement->history);
  std::vector<std::string> unjudged =
      Unjudged(view, !options.same_as.empty(), CheckersOptionsOf(options));
  unjudged.insert(unjudged.begin(), judgement->unread.begin(), judgement->unread.end());
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
