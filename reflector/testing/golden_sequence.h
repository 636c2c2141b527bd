// Conversations between client and server as text, and a client that has to hold its side of them.
// The format is in reflector/testdata/golden_sequences.txt.
//
//   for (const GoldenSequence& sequence : ParseGoldenSequences(text)) {
//     EXPECT_EQ(Replay(sequence, /*choices=*/nullptr), "");     // or what was different
//   }
#pragma once

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "reflector/testing/informer_world.h"

namespace relist::testing {

struct GoldenSequence {
  struct Range {
    double least = 0, most = 0;
    bool Has(double value) const { return value >= least - 1e-6 && value <= most + 1e-6; }
  };
  struct Exchange {
    Range after;       // seconds since the end of the answer before
    std::string verb;  // empty: only a connection, which is refused
    std::map<std::string, std::string> parameters;
    std::optional<Step> answer;
    Duration lasts{};  // of the answer
  };
  std::string id, words;
  bool streaming = false, jitter = true;
  std::vector<Exchange> exchanges;
  std::map<std::string, std::string> ends;  // "handled" -> "0"
  Duration quiet{};
};

namespace golden {

inline GoldenSequence::Range ParseRange(const std::string& text) {
  const size_t dots = text.find("..");
  const double least = std::stod(text);
  return {least, dots == std::string::npos ? least : std::stod(text.substr(dots + 2))};
}

inline Duration ParseSeconds(const std::string& text) {
  return Millis(static_cast<int64_t>(std::stod(text) * 1000 + 0.5));
}

// Of "ADDED a@7": {"a", "7"}.
inline std::pair<std::string, std::string> NameAndVersion(const std::string& text) {
  const size_t at = text.find('@');
  return {text.substr(0, at), text.substr(at + 1)};
}

// The words of a line, and the values of those that are name=value.
struct Words {
  explicit Words(const std::string& line) {
    std::istringstream in(line);
    for (std::string word; in >> word;) {
      const size_t equals = word.find('=');
      if (equals == std::string::npos) {
        plain.push_back(word);
      } else {
        named[word.substr(0, equals)] = word.substr(equals + 1);
      }
    }
  }
  std::string At(size_t i) const { return i < plain.size() ? plain[i] : ""; }
  std::vector<std::string> plain;
  std::map<std::string, std::string> named;
};

inline Step StatusStep(const Words& words) {
  const int code = std::stoi(words.At(1));
  std::string body = StatusBody(code, words.At(2), "from the script");
  if (words.At(3) == "too-large") {
    body.insert(body.size() - 1,
                R"(,"details":{"causes":[{"reason":"ResourceVersionTooLarge","message":""}]})");
  }
  const auto retry = words.named.find("retry-after");
  return Answer(code, body,
                retry == words.named.end() ? "" : "Retry-After: " + retry->second + "\r\n");
}

inline Step ListStep(const Words& words) {
  std::vector<std::string> items;
  for (size_t i = 2; i < words.plain.size(); ++i) {
    const auto [name, version] = NameAndVersion(words.plain[i]);
    items.push_back(Item(name, version));
  }
  const auto token = words.named.find("continue");
  return ListOf(words.At(1) == "-" ? "" : words.At(1), items,
                token == words.named.end() ? "" : token->second);
}

// A line of a stream.
inline void AddToStream(const std::string& line, GoldenSequence::Exchange* exchange) {
  const Words words(line);
  Step& step = *exchange->answer;
  const std::string what = words.At(0);
  if (what == "end" || what == "cut") {
    exchange->lasts = ParseSeconds(words.At(1));
    what == "end" ? step.EndAfter(exchange->lasts) : step.FinishAfter(exchange->lasts);
  } else if (what == "bytes") {
    step.Line(line.substr(line.find("bytes") + 6));
  } else if (what == "ERROR") {
    step.Line(ErrorLine(std::stoi(words.At(1)), words.At(2)));
  } else if (what == "other") {
    step.Line(R"({"type":"ADDED","object":{"apiVersion":"v1","kind":")" + words.At(1) +
              R"(","metadata":{"name":"s","resourceVersion":"99"}}})");
  } else {
    const auto [name, version] = NameAndVersion(words.At(1));
    const auto end = words.named.find("end");
    step.Line(what == "BOOKMARK"
                  ? BookmarkLine(version, end == words.named.end() ? "" : end->second)
                  : EventLine(what, name, version));
  }
}

inline void AddAnswer(const std::string& line, GoldenSequence* sequence) {
  const Words words(line.substr(2));
  const std::string what = words.At(0);
  if (what == "refused") {
    if (sequence->exchanges.empty() || sequence->exchanges.back().answer) {
      sequence->exchanges.emplace_back();
    }
    sequence->exchanges.back().answer = Refused();
    return;
  }
  CHECK(!sequence->exchanges.empty(), "an answer to nothing: {}", line);
  sequence->exchanges.back().answer = what == "list"     ? ListStep(words)
                                      : what == "status" ? StatusStep(words)
                                                         : WatchOf({});
}

inline void AddLine(const std::string& line, GoldenSequence* sequence) {
  const Words words(line);
  const std::string first = words.At(0);
  std::vector<GoldenSequence::Exchange>& exchanges = sequence->exchanges;
  if (line.starts_with("  ")) {
    AddToStream(line, &exchanges.back());
  } else if (first == "mode") {
    sequence->streaming = words.At(1) == "streaming";
  } else if (first == "jitter") {
    sequence->jitter = false;
  } else if (first == "after") {
    exchanges.emplace_back().after = ParseRange(words.At(1));
  } else if (first == ">") {
    // After an "after" the exchange is there already.
    const bool begun = !exchanges.empty() && exchanges.back().verb.empty() &&
                       !exchanges.back().answer && exchanges.back().after.most > 0;
    if (!begun) exchanges.emplace_back();
    exchanges.back().verb = words.At(1);
    exchanges.back().parameters = words.named;
  } else if (first == "<") {
    AddAnswer(line, sequence);
  } else if (first == "!") {
    sequence->ends[words.At(1)] = line.substr(line.find(words.At(1)) + words.At(1).size() + 1);
  } else {
    CHECK(first == "quiet", "not a line of a golden sequence: {}", line);
    sequence->quiet = ParseSeconds(words.At(1));
  }
}

// "" where a request is as it should be.
inline std::string Compare(const GoldenSequence::Exchange& expected, const std::string& target) {
  std::map<std::string, std::string> left = expected.parameters;
  std::string wrong;
  const size_t mark = std::min(target.find('?'), target.size());
  std::istringstream query(target.substr(std::min(mark + 1, target.size())));
  std::string verb = "LIST";
  for (std::string part; std::getline(query, part, '&');) {
    const size_t equals = part.find('=');
    const std::string name = part.substr(0, equals), value = part.substr(equals + 1);
    if (name == "watch") {
      verb = "WATCH";
      continue;
    }
    const auto wanted = left.find(name);
    const bool good = wanted != left.end() && (wanted->second == value ||
                                               (wanted->second.find("..") != std::string::npos &&
                                                ParseRange(wanted->second).Has(std::stod(value))));
    if (!good) wrong += " " + part;
    left.erase(name);
  }
  for (const auto& [name, value] : left) wrong += " no " + name + "=" + value;
  if (verb != expected.verb) wrong += " a " + verb;
  return wrong.empty() ? "" : target + " has" + wrong;
}

}  // namespace golden

inline std::vector<GoldenSequence> ParseGoldenSequences(const std::string& text) {
  std::vector<GoldenSequence> sequences;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '=') {
      const size_t blank = line.find(' ', 2);
      sequences.emplace_back().id = line.substr(2, blank - 2);
      sequences.back().words = line.substr(blank + 1);
    } else {
      golden::AddLine(line, &sequences.back());
    }
  }
  return sequences;
}

// What was different, in a sentence; empty if nothing. `choices` may be null: no jitter.
inline std::string Replay(const GoldenSequence& sequence, Choices* choices) {
  InformerWorldOptions options;
  options.streaming_list = sequence.streaming;
  options.choices = choices;
  InformerWorld world(std::move(options));
  size_t requests = 0, refusals = 0;
  for (const GoldenSequence::Exchange& exchange : sequence.exchanges) {
    exchange.verb.empty() ? ++refusals : ++requests;
    if (exchange.answer) world.server.Then(*exchange.answer);
  }
  const auto all_came = [&] {
    return world.server.requests().size() >= requests && world.server.refused() >= refusals;
  };
  world.Start();
  world.loop.RunUntil(all_came, world.loop.Now() + Seconds(2000));
  world.RunFor(sequence.quiet);
  size_t request = 0, refusal = 0;
  TimePoint answered = kSimulationEpoch;
  for (const GoldenSequence::Exchange& exchange : sequence.exchanges) {
    TimePoint when;
    if (exchange.verb.empty()) {
      if (refusal == world.server.refused()) return "too few connections";
      when = world.server.refusals()[refusal++];
    } else {
      if (request == world.server.requests().size()) {
        return fmt::format("{} requests, of {}: {}", request, requests,
                           fmt::join(world.Story(), "; "));
      }
      const ScriptedServer::Request& came = world.server.requests()[request++];
      when = came.when;
      const std::string wrong = golden::Compare(exchange, came.target);
      if (!wrong.empty()) return fmt::format("request {}: {}", request, wrong);
    }
    const double pause = std::chrono::duration<double>(when - answered).count();
    if (!exchange.after.Has(pause)) {
      return fmt::format("{} s before request {}: {}", pause, request,
                         fmt::join(world.Story(), "; "));
    }
    answered = when + exchange.lasts;
  }
  if (world.server.requests().size() > requests) {
    return fmt::format("too many requests: {}", fmt::join(world.Story(), "; "));
  }
  const std::map<std::string, std::string> ends = {
      {"handled", std::to_string(world.HandledErrors())},
      {"position", world.informer.last_sync_resource_version()},
      {"told", fmt::format("{}", fmt::join(world.handler.calls, ", "))}};
  for (const auto& [what, value] : sequence.ends) {
    if (ends.at(what) != value) return fmt::format("{} is {}", what, ends.at(what));
  }
  return "";
}

}  // namespace relist::testing
