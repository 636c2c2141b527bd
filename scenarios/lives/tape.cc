#include "scenarios/lives/tape.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "core/choices.h"

namespace relist {
namespace {

constexpr std::string_view kFirstLine = "relist tape 1";

std::string Hex(const std::vector<uint8_t>& bytes) {
  return bytes.empty() ? "-" : TapeToHex(bytes);
}

// Where a tape is wrong, as compilers and editors write it.
Error WrongAt(const std::string& file, int line, const std::string& what) {
  return Error::Net(Transport::kProtocol, fmt::format("{}:{}: {}", file, line, what));
}

// A file that went through an editor on Windows is the same tape.
bool GetLine(std::istream& in, std::string* line) {
  if (!std::getline(in, *line)) return false;
  if (line->ends_with('\r')) line->pop_back();
  return true;
}

struct Stream {
  const char* name;
  std::vector<uint8_t>* bytes;
  int line = 0;  // where it stands; 0: nowhere yet
};

// A tape that was cut short would be another life, and most likely a good one.
Result<void> CheckAllThere(const std::vector<Stream>& streams, const std::string& file, int line) {
  for (const Stream& stream : streams) {
    if (stream.line > 0) continue;
    return WrongAt(
        file, line,
        fmt::format("the tape ends here, and its stream \"{0}\" is missing: an empty one "
                    "is \"{0} -\"",
                    stream.name));
  }
  return {};
}

}  // namespace

bool Tape::LooksLikeOne(std::string_view text) {
  return text.starts_with("relist tape");
}

std::string Tape::ToText() const {
  std::string out = fmt::format("{}\nschedule {}\nlatency {}\nfaults {}\nworkload {}\n", kFirstLine,
                                Hex(schedule), Hex(latency), Hex(faults), Hex(workload));
  if (!planted_bug.empty()) out += fmt::format("planted_bug {}\n", planted_bug);
  return out;
}

Result<Tape> Tape::Parse(const std::string& text, const std::string& file) {
  std::istringstream in(text);
  std::string line;
  if (!GetLine(in, &line) || line != kFirstLine) {
    return WrongAt(file, 1, fmt::format("want \"{}\"", kFirstLine));
  }
  Tape tape;
  std::vector<Stream> streams = {{"schedule", &tape.schedule},
                                 {"latency", &tape.latency},
                                 {"faults", &tape.faults},
                                 {"workload", &tape.workload}};
  int bug_line = 0;
  int number = 1;
  while (GetLine(in, &line)) {
    ++number;
    if (line.empty()) continue;
    const size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    const auto stream = std::find_if(streams.begin(), streams.end(),
                                     [&key](const Stream& one) { return one.name == key; });
    const bool is_bug = key == "planted_bug";
    if (stream == streams.end() && !is_bug) {
      return WrongAt(file, number,
                     fmt::format("unknown key \"{}\": schedule, latency, faults, workload or "
                                 "planted_bug",
                                 key));
    }
    int& first = is_bug ? bug_line : stream->line;
    if (first > 0) {
      return WrongAt(file, number, fmt::format("\"{}\" stands in line {}, too", key, first));
    }
    first = number;
    if (is_bug) {
      const Result<PlantedBugs> known = PlantBug(value);
      if (!known.ok()) return WrongAt(file, number, known.error().message());
      tape.planted_bug = value;
    } else if (value != "-" && (value.empty() || !TapeFromHex(value, stream->bytes))) {
      return WrongAt(file, number, fmt::format("\"{}\" wants pairs of hex digits, or -", key));
    }
  }
  const Result<void> complete = CheckAllThere(streams, file, number);
  if (!complete.ok()) return complete.error();
  return tape;
}

const std::vector<std::string>& PlantedBugNames() {
  static const std::vector<std::string> kNames = {"delete_keeps_position", "lose_tombstones",
                                                  "bookmark_is_object", "resume_from_partial_line",
                                                  "ignore_silent_expiry"};
  return kNames;
}

Result<PlantedBugs> PlantBug(const std::string& name) {
  PlantedBugs bugs;
  bool* const flags[] = {&bugs.delete_keeps_position, &bugs.lose_tombstones,
                         &bugs.bookmark_is_object, &bugs.resume_from_partial_line,
                         &bugs.ignore_silent_expiry};
  if (name.empty()) return bugs;
  std::string known;
  for (size_t i = 0; i < PlantedBugNames().size(); ++i) {
    known += (i == 0 ? "" : ", ") + PlantedBugNames()[i];
    if (PlantedBugNames()[i] != name) continue;
    *flags[i] = true;
    return bugs;
  }
  return Error::Net(Transport::kProtocol,
                    fmt::format("no bug \"{}\" can be planted: {}", name, known));
}

}  // namespace relist
