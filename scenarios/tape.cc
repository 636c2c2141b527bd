#include "scenarios/tape.h"

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

Error Wrong(int line, const std::string& what) {
  return Error::Net(Transport::kProtocol, fmt::format("line {}: {}", line, what));
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

Result<Tape> Tape::Parse(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  if (!std::getline(in, line) || line != kFirstLine) {
    return Wrong(1, fmt::format("want \"{}\"", kFirstLine));
  }
  Tape tape;
  const std::vector<std::pair<std::string, std::vector<uint8_t>*>> streams = {
      {"schedule", &tape.schedule},
      {"latency", &tape.latency},
      {"faults", &tape.faults},
      {"workload", &tape.workload}};
  for (int number = 2; std::getline(in, line); ++number) {
    if (line.empty()) continue;
    const size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    if (key == "planted_bug") {
      const Result<PlantedBugs> known = PlantBug(value);
      if (!known.ok()) return Wrong(number, known.error().message());
      tape.planted_bug = value;
      continue;
    }
    const auto stream = std::find_if(streams.begin(), streams.end(),
                                     [&key](const auto& one) { return one.first == key; });
    if (stream == streams.end()) {
      return Wrong(number, fmt::format("unknown key \"{}\": schedule, latency, faults, workload or "
                                       "planted_bug",
                                       key));
    }
    if (value != "-" && (value.empty() || !TapeFromHex(value, stream->second))) {
      return Wrong(number, fmt::format("\"{}\" wants pairs of hex digits, or -", key));
    }
  }
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
