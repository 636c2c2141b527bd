#include "fakeapi/conformance/case_answers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/check.h"
#include "fakeapi/conformance/case_file.h"
#include "fakeapi/store/pagination.h"

namespace relist::fakeapi {
namespace case_answers_test {

using nlohmann::ordered_json;

std::string Bare(ordered_json object, const std::string& revision = "") {
  object.erase("kind");
  object.erase("apiVersion");
  if (!revision.empty()) object["metadata"]["resourceVersion"] = revision;
  return object.dump();
}

std::string TextOf(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// "first/bar\0" with its last two letters as one NUL.
std::string WithNul(std::string text) {
  if (text.ends_with("\\0")) text.replace(text.size() - 2, 2, 1, '\0');
  return text;
}

std::string HeaderIn(const Response& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (SameHeaderName(key, name)) return value;
  }
  return "";
}

void CheckItems(const ordered_json& body, const std::string& wanted, const Kept& kept) {
  std::vector<std::string> want, have;
  for (const std::string& name : Kept::Names(wanted)) want.push_back(kept.At(name).text);
  for (const ordered_json& item : body.value("items", ordered_json::array())) {
    have.push_back(Bare(item));
  }
  EXPECT_EQ(have, want);
}

// One word of what is wanted of an answer.
void CheckWord(const Response& response, const ordered_json& body, const std::string& word,
               const Kept& kept) {
  const size_t equals = word.find('=');
  const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
  const ordered_json meta = body.value("metadata", ordered_json::object());
  const std::string revision = meta.value("resourceVersion", "");
  if (name == "items") {
    CheckItems(body, value == "none" ? "" : value, kept);
  } else if (name == "object") {
    EXPECT_EQ(Bare(body), kept.At(value).text);
  } else if (name == "rv") {
    EXPECT_EQ(revision, value);
  } else if (name == "rv>") {
    EXPECT_GE(std::stoull(revision), std::stoull(value));
  } else if (name == "continue") {
    const std::string token = meta.value("continue", "");
    EXPECT_EQ(value == "yes" || value == "no" ? (token.empty() ? "no" : "yes") : token, value);
  } else if (name == "remaining") {
    EXPECT_EQ(meta.contains("remainingItemCount") ? meta["remainingItemCount"].dump() : "none",
              value);
  } else if (name == "reason") {
    EXPECT_EQ(body.value("reason", ""), value);
  } else if (name == "retry") {
    EXPECT_EQ(HeaderIn(response, "Retry-After"), value == "none" ? "" : value);
  } else if (name == "type") {
    EXPECT_EQ(HeaderIn(response, "Content-Type"), value);
  } else if (name.starts_with('/')) {
    const ordered_json::json_pointer at(name);
    EXPECT_EQ(body.contains(at) ? TextOf(body[at]) : "none", value);
  } else {
    CHECK(false, "no such word: {}", word);
  }
}

// An empty object of the kind that has nothing but its version (SRV-23).
void CheckBookmark(const ordered_json& object, bool is_end) {
  const ordered_json& meta = object["metadata"];
  const ordered_json marked = {{"k8s.io/initial-events-end", "true"}};
  EXPECT_EQ(meta.value("annotations", ordered_json::object()),
            is_end ? marked : ordered_json::object());
  EXPECT_EQ(meta.size(), is_end ? 2u : 1u) << meta;
}

struct Said {
  std::string word;      // "ADDED", "BOOKMARK", "BOOKMARK-END", "ERROR", "END"
  std::string revision;  // of a bookmark
  std::string rest;      // an object's text, an error's "410:Expired"
  std::string message;
};

Said SaidBy(const WatchLine& line) {
  std::string text;
  for (const Slice& slice : line.chunk) text += slice.bytes;
  const ordered_json event = ordered_json::parse(text.substr(text.find("\r\n") + 2));
  const ordered_json& object = event["object"];
  Said said{.word = event["type"]};
  if (said.word == "ERROR") {
    said.rest = fmt::format("{}:{}", object["code"].dump(), object.value("reason", ""));
    said.message = object.value("message", "");
  } else if (said.word == "BOOKMARK") {
    if (line.initial_events_end) said.word = "BOOKMARK-END";
    said.revision = object["metadata"]["resourceVersion"];
    CheckBookmark(object, line.initial_events_end);
  } else {
    said.rest = Bare(object);
  }
  return said;
}

// "ADDED:a", "DELETED:a@7", "BOOKMARK@7", "BOOKMARK-END>=7", "ERROR:410:Expired", "END".
void CheckSaid(const Said& said, const std::string& wanted, const Kept& kept) {
  SCOPED_TRACE(wanted);
  const size_t end = wanted.find_first_of(":@>");
  ASSERT_EQ(said.word, wanted.substr(0, end)) << said.rest << said.revision << said.message;
  if (end == std::string::npos) return;
  std::string rest = wanted.substr(end + 1);
  if (wanted[end] == '@') {
    EXPECT_EQ(said.revision, rest);
  } else if (wanted[end] == '>') {
    EXPECT_GE(std::stoull(said.revision), std::stoull(rest.substr(1)));
  } else if (said.word == "ERROR") {
    EXPECT_EQ(said.rest, rest) << said.message;
  } else {
    const size_t at = rest.find('@');
    const KeptObject& object = kept.At(rest.substr(0, at));
    const std::string revision = at == std::string::npos ? object.revision : rest.substr(at + 1);
    EXPECT_EQ(said.rest, Bare(ordered_json::parse(object.text), revision));
  }
}

// "ADDED:p0..p2" is three words.
std::vector<std::string> Unfolded(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    const size_t colon = word.find(':');
    if (word.find("..") == std::string::npos) {
      out.push_back(word);
      continue;
    }
    for (const std::string& name : Kept::Names(word.substr(colon + 1))) {
      out.push_back(word.substr(0, colon + 1) + name);
    }
  }
  return out;
}

}  // namespace case_answers_test

void Kept::Keep(const std::string& name, const std::string& body) {
  const auto object = nlohmann::ordered_json::parse(body);
  const nlohmann::ordered_json& meta = object["metadata"];
  objects_[name] = {case_answers_test::Bare(object), meta.value("resourceVersion", ""),
                    meta.value("uid", "")};
}

const KeptObject& Kept::At(const std::string& name) const {
  const auto found = objects_.find(name);
  CHECK(found != objects_.end(), "nothing was kept as {}", name);
  return found->second;
}

std::string Kept::Fill(const std::string& text) const {
  std::string out;
  const auto word_end = [&](size_t from) {
    while (from < text.size() &&
           (isalnum(static_cast<unsigned char>(text[from])) || text[from] == '_'))
      ++from;
    return from;
  };
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '{' && text.find(':', i) < text.find('}', i)) {
      const size_t colon = text.find(':', i), close = text.find('}', i);
      const std::string revision = Fill(text.substr(i + 1, colon - i - 1));
      out +=
          EncodeContinue({std::stoll(revision),
                          case_answers_test::WithNul(text.substr(colon + 1, close - colon - 1))});
      i = close + 1;
      continue;
    }
    if (text[i] != '$') {
      out += text[i++];
      continue;
    }
    const size_t end = word_end(i + 1);
    const std::string name = text.substr(i + 1, end - i - 1);
    i = end;
    if (name == "token") {
      out += token;
    } else if (text.compare(i, 4, ".uid") == 0) {
      out += At(name).uid;
      i += 4;
    } else if (i + 1 < text.size() && (text[i] == '+' || text[i] == '-')) {
      out += std::to_string(std::stoll(At(name).revision) +
                            (text[i] == '+' ? 1 : -1) * (text[i + 1] - '0'));
      i += 2;
    } else {
      out += At(name).revision;
    }
  }
  return out;
}

std::vector<std::string> Kept::Names(const std::string& list) {
  std::vector<std::string> out;
  for (const std::string& part : SplitWords(list, ',')) {
    const size_t dots = part.find("..");
    if (dots == std::string::npos) {
      out.push_back(part);
      continue;
    }
    const size_t digits = part.find_first_of("0123456789");
    const std::string stem = part.substr(0, digits);
    const int last = std::stoi(part.substr(dots + 2 + stem.size()));
    for (int i = std::stoi(part.substr(digits)); i <= last; ++i)
      out.push_back(stem + std::to_string(i));
  }
  return out;
}

void CheckAnswer(const Response& response, const std::string& wanted, Kept* kept) {
  const std::string text = response.BodyText();
  auto body = nlohmann::ordered_json::parse(text, nullptr, false);
  const bool is_json = body.is_object();
  if (!is_json) body = nlohmann::ordered_json::object();
  if (body.contains("metadata") && (response.items >= 0 || response.status == 410)) {
    kept->token = body["metadata"].value("continue", "");
  }
  const size_t says = wanted.find("says ");
  std::string status = "200";
  for (const std::string& word : SplitWords(wanted.substr(0, says))) {
    if (word.size() == 3 && isdigit(static_cast<unsigned char>(word[0]))) {
      status = word;
    } else {
      case_answers_test::CheckWord(response, body, word, *kept);
    }
  }
  EXPECT_EQ(std::to_string(response.status), status) << text;
  if (says != std::string::npos) {
    EXPECT_THAT(is_json ? body.value("message", "") : text,
                testing::HasSubstr(wanted.substr(says + 5)));
  }
}

void CheckWatch(WatchSession& watch, TimePoint now, const std::vector<std::string>& wanted,
                const Kept& kept) {
  std::vector<case_answers_test::Said> said;
  WatchLine line;
  WatchSession::Step step = watch.Next(now, &line);
  for (; step == WatchSession::Step::kLine; step = watch.Next(now, &line)) {
    said.push_back(case_answers_test::SaidBy(line));
  }
  if (step == WatchSession::Step::kEnd) said.push_back({.word = "END"});
  const std::vector<std::string> words = case_answers_test::Unfolded(wanted);
  for (size_t i = 0; i < std::min(said.size(), words.size()); ++i) {
    case_answers_test::CheckSaid(said[i], words[i], kept);
  }
  for (size_t i = words.size(); i < said.size(); ++i) {
    ADD_FAILURE() << "and then " << said[i].word << ' ' << said[i].rest << said[i].revision << ' '
                  << said[i].message;
  }
  for (size_t i = said.size(); i < words.size(); ++i) ADD_FAILURE() << "no " << words[i];
}

namespace case_answers_test {

TEST(Kept, FillsInVersionsUidsAndTokens) {
  Kept kept;
  kept.Keep("a", R"({"kind":"Pod","metadata":{"resourceVersion":"7","uid":"u"}})");
  kept.token = "T";
  EXPECT_EQ(kept.Fill("rv=$a&n=$a+2&p=$a-1 $a.uid $token"), "rv=7&n=9&p=6 u T");
  EXPECT_EQ(kept.Fill("{$a:ns/b\\0}"), EncodeContinue({7, std::string("ns/b\0", 5)}));
  EXPECT_EQ(kept.Fill("{-1:b}"), EncodeContinue({-1, "b"}));
  EXPECT_EQ(kept.At("a").text, R"({"metadata":{"resourceVersion":"7","uid":"u"}})");
  EXPECT_THROW(kept.Fill("$b"), CheckFailed);
}

TEST(Kept, RangesAreNames) {
  EXPECT_THAT(Kept::Names("a,p9..p11"), testing::ElementsAre("a", "p9", "p10", "p11"));
  EXPECT_THAT(Unfolded({"ADDED:p0..p1", "END"}),
              testing::ElementsAre("ADDED:p0", "ADDED:p1", "END"));
}

}  // namespace case_answers_test
}  // namespace relist::fakeapi
