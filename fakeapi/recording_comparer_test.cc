#include "fakeapi/recording_comparer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <sstream>

#include "core/wire/list_options.h"
#include "fakeapi/api/negotiation.h"
#include "fakeapi/api/request_target.h"

namespace relist::fakeapi {
namespace recording_comparer {

using nlohmann::json;
using Differences = RecordingComparer::Differences;

void Append(Differences* to, Differences from) {
  to->insert(to->end(), from.begin(), from.end());
}

// Replaces each match of `pattern` by what `replace` makes of it.
template <class Replace>
std::string ReplaceAll(const std::string& text, const std::regex& pattern, Replace replace) {
  std::string out;
  auto last = text.cbegin();
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    out.append(last, (*it)[0].first);
    out += replace(*it);
    last = (*it)[0].second;
  }
  return out.append(last, text.cend());
}

std::string Escaped(const std::string& text) {
  static const std::regex kSpecial(R"([.^$|()\[\]{}*+?\\])");
  return std::regex_replace(text, kSpecial, R"(\$&)");
}

bool IsNumber(const json& value) {
  static const std::regex kNumber("[1-9][0-9]*");
  return value.is_string() && std::regex_match(value.get<std::string>(), kNumber);
}

bool IsPlainBookmark(const json& event) {
  return event["type"] == "BOOKMARK" && !event["object"]["metadata"].contains("annotations");
}

// A partial step records some of the answer: of the answer only that is kept.
json Trim(const json& want, const json& got) {
  if (!want.is_object() || !got.is_object()) return got;
  json out = json::object();
  for (const auto& [key, value] : got.items()) {
    if (want.contains(key)) out[key] = Trim(want[key], value);
  }
  return out;
}

uint64_t RevisionOf(const json& item) {
  return std::stoull(item["metadata"].value("resourceVersion", "0"));
}

}  // namespace recording_comparer

using nlohmann::json;

std::string RecordingComparer::Fill(const std::string& text, bool for_path) const {
  static const std::regex kRepeat(R"(\$\{x\*(\d+)\})");
  static const std::regex kName(R"(\$\{(\w+?)([+-]\d+)?\})");
  const std::string repeated = recording_comparer::ReplaceAll(
      text, kRepeat, [](const std::smatch& m) { return std::string(std::stoul(m[1]), 'x'); });
  return recording_comparer::ReplaceAll(repeated, kName, [&](const std::smatch& m) {
    const auto found = saved_.find(m[1]);
    if (found == saved_.end()) return m[0].str();
    std::string value = found->second;
    if (m[2].matched) value = std::to_string(std::stoll(value) + std::stoll(m[2]));
    return for_path ? EscapeQuery(value) : value;
  });
}

void RecordingComparer::Save(const json& step, const std::string& answer) {
  if (!step.contains("save")) return;
  const json body = json::parse(answer, nullptr, false);
  for (const auto& [name, where] : step["save"].items()) {
    const json* at = &body;
    std::istringstream parts(where.get<std::string>());
    for (std::string part; std::getline(parts, part, '.') && at != nullptr;) {
      at = at->is_object() && at->contains(part) ? &(*at)[part] : nullptr;
    }
    if (at != nullptr && at->is_string()) saved_[name] = at->get<std::string>();
  }
}

RecordingComparer::Differences RecordingComparer::Bind(const std::string& name, const json& value,
                                                       const std::string& where) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (name.starts_with("continue")) {
    if (value.is_string() && !text.empty()) return {};
    return {where + ": not a token: " + text};
  }
  if (const auto found = bound_.find(name); found != bound_.end()) {
    if (found->second == text) return {};
    return {fmt::format("{}: {} was {}, is {}", where, name, found->second, text)};
  }
  if (const auto found = used_.find(text);
      found != used_.end() && (name.starts_with("rv") || name.starts_with("uid"))) {
    return {fmt::format("{}: {} is both {} and {}", where, text, found->second, name)};
  }
  bound_[name] = text;
  used_[text] = name;
  return {};
}

RecordingComparer::Differences RecordingComparer::SameText(const std::string& want, const json& got,
                                                           const std::string& where) {
  const std::string text = got.is_string() ? got.get<std::string>() : got.dump();
  if (want == "${text}" || want == "${address}") return {};
  if (want == "${rv of the list}" || want == "${rv of the bookmark}") {
    if (recording_comparer::IsNumber(got)) return {};
    return {where + ": not a resourceVersion: " + text};
  }
  static const std::regex kTime(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)");
  if (want == "${time}") {
    if (std::regex_match(text, kTime)) return {};
    return {where + ": not a time: " + text};
  }
  static const std::regex kWhole(R"(\$\{(\w+)\})");
  std::smatch whole;
  if (std::regex_match(want, whole, kWhole) && whole[1] != "n") return Bind(whole[1], got, where);
  std::vector<std::string> names;
  std::string pattern;
  auto last = want.cbegin();
  for (std::sregex_iterator it(want.begin(), want.end(), kWhole), end; it != end; ++it) {
    pattern += recording_comparer::Escaped(std::string(last, (*it)[0].first));
    const std::string name = (*it)[1];
    const bool is_prose = name == "text" || name == "address";
    pattern += name == "n" ? R"(\d+)" : is_prose ? R"([\s\S]*)" : R"(([\w-]+))";
    if (name != "n" && !is_prose) names.push_back(name);
    last = (*it)[0].second;
  }
  pattern += recording_comparer::Escaped(std::string(last, want.cend()));
  std::smatch match;
  if (!std::regex_match(text, match, std::regex(pattern))) {
    return {fmt::format("{}: want {}, got {}", where, want, text)};
  }
  Differences out;
  for (size_t i = 0; i < names.size(); ++i) {
    recording_comparer::Append(&out, Bind(names[i], match[i + 1].str(), where));
  }
  return out;
}

RecordingComparer::Differences RecordingComparer::Same(const json& want, const json& got,
                                                       const std::string& where, bool is_pod) {
  Differences out;
  if (want.is_object()) {
    if (!got.is_object()) return {where + ": want an object, got " + got.dump().substr(0, 80)};
    const auto is_filled_in = [&](const std::string& key) {
      return is_pod && (where.find(".spec") != std::string::npos ||
                        where.find(".status") != std::string::npos || key == "status");
    };
    for (const auto& [key, value] : want.items()) {
      if (got.contains(key)) {
        recording_comparer::Append(&out, Same(value, got[key], where + "." + key, is_pod));
      } else if (!is_filled_in(key)) {
        out.push_back(fmt::format("{}.{}: missing, want {}", where, key, value.dump()));
      }
    }
    for (const auto& [key, value] : got.items()) {
      if (want.contains(key) || key == "managedFields") continue;
      out.push_back(fmt::format("{}.{}: not expected: {}", where, key, value.dump()));
    }
    return out;
  }
  if (want.is_array()) {
    if (!got.is_array() || want.size() != got.size()) {
      return {fmt::format("{}: want {} items, got {}", where, want.size(), got.dump())};
    }
    for (size_t i = 0; i < want.size(); ++i) {
      recording_comparer::Append(&out,
                                 Same(want[i], got[i], fmt::format("{}[{}]", where, i), is_pod));
    }
    return out;
  }
  if (want.is_string() && want.get<std::string>().find("${") != std::string::npos) {
    return SameText(want.get<std::string>(), got, where);
  }
  if (want == got) return {};
  return {fmt::format("{}: want {}, got {}", where, want.dump(), got.dump())};
}

// What a list's resourceVersion must be: the one asked for, the first page's, or none below an
// item's.
RecordingComparer::Differences RecordingComparer::Position(const json& step, const json& body) {
  if (!body.contains("items") || !body["metadata"].contains("resourceVersion")) return {};
  const std::string rv = body["metadata"]["resourceVersion"];
  const std::string path = Fill(step["request"]["path"].get<std::string>(), true);
  const RequestTarget target = ParseTarget(path);
  const std::string asked(QueryValue(target.query, "resourceVersion"));
  const std::string match(QueryValue(target.query, "resourceVersionMatch"));
  const std::string limit(QueryValue(target.query, "limit"));
  const std::string token(QueryValue(target.query, "continue"));
  if (body["metadata"].contains("continue")) token_rv_[body["metadata"]["continue"]] = rv;
  const bool has_limit = !limit.empty() && limit != "0";
  const bool is_exact =
      match == "Exact" || (has_limit && !asked.empty() && asked != "0" && match.empty());
  if (const auto page = token_rv_.find(token); page != token_rv_.end() && page->second != rv) {
    return {"a page's resourceVersion: want the first page's, " + page->second + ", got " + rv};
  }
  if (is_exact && rv != asked) {
    return {"an exact list's resourceVersion: want " + asked + ", got " + rv};
  }
  for (const json& item : body["items"]) {
    if (!item.contains("metadata") || recording_comparer::RevisionOf(item) <= std::stoull(rv)) {
      continue;
    }
    return {"the list is at " + rv + ", but holds " + item["metadata"].dump()};
  }
  return {};
}

RecordingComparer::Differences RecordingComparer::SameEvents(const json& step,
                                                             const RecordedAnswer& got) {
  const json& want = step["response"];
  Differences out;
  if (want["ended"] != got.ended) {
    out.push_back("ended: want " + want["ended"].dump() + ", got " + got.ended);
  }
  json wanted = json::array();
  json events = json::array();
  int wanted_plain = 0, plain = 0;
  for (const json& event : want["events"]) {
    recording_comparer::IsPlainBookmark(event) ? void(++wanted_plain) : wanted.push_back(event);
  }
  std::istringstream lines(got.text);
  for (std::string line; std::getline(lines, line);) {
    const json event = json::parse(line, nullptr, false);
    if (event.is_discarded()) return {"a line of the watch is not JSON: " + line};
    recording_comparer::IsPlainBookmark(event) ? void(++plain) : events.push_back(event);
  }
  // Any number of plain bookmarks, but some where some came, and none where none were asked for.
  const std::string path = step["request"]["path"];
  const bool asked = path.find("allowWatchBookmarks=true") != std::string::npos;
  if ((!asked && plain > 0) || (wanted_plain > 0 && plain == 0)) {
    out.push_back(fmt::format("bookmarks: want {}, got {}", wanted_plain, plain));
  }
  recording_comparer::Append(
      &out, Same(wanted, events, "event", path.find("/pods") != std::string::npos));
  return out;
}

RecordingComparer::Differences RecordingComparer::SameBody(const json& step,
                                                           const RecordedAnswer& got) {
  const json& want = step["response"];
  json body = json::parse(got.text, nullptr, false);
  if (body.is_discarded()) return {"body is not JSON: " + got.text.substr(0, 120)};
  Differences out;
  if (want["status"] == 200) out = Position(step, body);
  if (step.value("partial", false)) body = recording_comparer::Trim(want["body"], body);
  const std::string path = step["request"]["path"];
  recording_comparer::Append(
      &out, Same(want["body"], body, "body", path.find("/pods") != std::string::npos));
  if (want.contains("body_ends_with_newline") &&
      want["body_ends_with_newline"].get<bool>() != got.text.ends_with('\n')) {
    out.push_back("body ends with newline: want " + want["body_ends_with_newline"].dump());
  }
  return out;
}

RecordingComparer::Differences RecordingComparer::Compare(const json& step,
                                                          const RecordedAnswer& got) {
  const json& want = step["response"];
  if (want["status"] != got.status) {
    return {fmt::format("status: want {}, got {} {}", want["status"].dump(), got.status,
                        got.text.substr(0, 200))};
  }
  Differences out;
  for (const char* name : {"content-type", "retry-after", "warning", "transfer-encoding",
                           "content-encoding", "allow", "www-authenticate", "cache-control"}) {
    if (std::string_view(name) == "transfer-encoding" && !want.contains("events")) continue;
    const std::string wanted = want["headers"].value(name, "");
    const auto found = got.headers.find(name);
    const std::string value = found == got.headers.end() ? "" : found->second;
    const bool is_json_instead =
        wanted.find("protobuf") != std::string::npos && value == "application/json";
    if (wanted == value || is_json_instead) continue;
    out.push_back(fmt::format("header {}: want {}, got {}", name, wanted, value));
  }
  if (want.contains("took_s") && std::abs(got.took_s - want["took_s"].get<double>()) > 0.5) {
    out.push_back(fmt::format("took {} s, want {} s", got.took_s, want["took_s"].dump()));
  }
  if (want.contains("events")) {
    recording_comparer::Append(&out, SameEvents(step, got));
  } else if (want.contains("body")) {
    recording_comparer::Append(&out, SameBody(step, got));
  } else if (want.contains("body_text")) {
    recording_comparer::Append(&out, Same(want["body_text"], got.text, "body", false));
  }
  return out;
}

namespace recording_comparer {

json Step(const std::string& body) {
  return json::parse(R"({"request":{"method":"GET","path":"/api/v1/configmaps"},)"
                     R"("response":{"status":200,"headers":{},"body":)" +
                     body + "}}");
}

RecordedAnswer AnswerOf(const std::string& text) {
  return {200, {}, text, "content-length", 0};
}

TEST(RecordingComparer, FindsAValueThatDiffersAndOneThatIsMissingOrTooMany) {
  RecordingComparer comparer;
  EXPECT_EQ(comparer.Compare(Step(R"({"a":1})"), AnswerOf(R"({"a":1})")).size(), 0u);
  EXPECT_EQ(comparer.Compare(Step(R"({"a":1})"), AnswerOf(R"({"a":2})")).size(), 1u);
  EXPECT_EQ(comparer.Compare(Step(R"({"a":1})"), AnswerOf(R"({})")).size(), 1u);
  EXPECT_EQ(comparer.Compare(Step(R"({"a":1})"), AnswerOf(R"({"a":1,"b":2})")).size(), 1u);
}

TEST(RecordingComparer, WantsOneValueForOneNameAndTwoValuesForTwoNames) {
  RecordingComparer comparer;
  EXPECT_TRUE(comparer.Compare(Step(R"({"a":"${rv1}"})"), AnswerOf(R"({"a":"5"})")).empty());
  EXPECT_FALSE(comparer.Compare(Step(R"({"a":"${rv1}"})"), AnswerOf(R"({"a":"6"})")).empty());
  EXPECT_FALSE(comparer.Compare(Step(R"({"a":"${rv2}"})"), AnswerOf(R"({"a":"5"})")).empty());
  EXPECT_FALSE(
      comparer.Compare(Step(R"({"a":"at ${rv1} of ${n}"})"), AnswerOf(R"({"a":"at 6 of 9"})"))
          .empty());
  EXPECT_TRUE(
      comparer.Compare(Step(R"({"a":"at ${rv1} of ${n}"})"), AnswerOf(R"({"a":"at 5 of 9"})"))
          .empty());
}

TEST(RecordingComparer, FindsAListThatHoldsAnObjectNewerThanItself) {
  RecordingComparer comparer;
  const json step = Step(
      R"({"metadata":{"resourceVersion":"${rv of the list}"},"items":[{"metadata":{"resourceVersion":"${rv1}"}}]})");
  EXPECT_FALSE(
      comparer
          .Compare(
              step,
              AnswerOf(
                  R"({"metadata":{"resourceVersion":"4"},"items":[{"metadata":{"resourceVersion":"5"}}]})"))
          .empty());
  EXPECT_TRUE(
      comparer
          .Compare(
              step,
              AnswerOf(
                  R"({"metadata":{"resourceVersion":"5"},"items":[{"metadata":{"resourceVersion":"5"}}]})"))
          .empty());
}

TEST(RecordingComparer, FindsABookmarkThatNobodyAskedFor) {
  RecordingComparer comparer;
  json step = Step("{}");
  step["response"] = {{"status", 200},
                      {"headers", json::object()},
                      {"ended", "last chunk"},
                      {"events", json::array()}};
  const std::string bookmark =
      R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"5"}}})";
  EXPECT_EQ(comparer.Compare(step, {200, {}, bookmark, "last chunk", 0}).size(), 1u);
  step["request"]["path"] = "/api/v1/configmaps?watch=true&allowWatchBookmarks=true";
  EXPECT_TRUE(comparer.Compare(step, {200, {}, bookmark, "last chunk", 0}).empty());
}

}  // namespace recording_comparer
}  // namespace relist::fakeapi
