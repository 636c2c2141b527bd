// W7: what a bookmark says of a stream is true.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"
#include "fakeapi/api/resources.h"
#include "scenarios/checkers/wire_checkers.h"
#include "scenarios/checkers/wire_words.h"

namespace relist {
namespace {

// What is wrong with a bookmark's object; "" if nothing is.
std::string WhatIsWrongWith(const WireRequest& stream, const WireLine& bookmark) {
  if (!bookmark.object || !stream.ask.plain) return "";
  const nlohmann::json& value = bookmark.object->json();
  if (const fakeapi::ResourceType* type = fakeapi::FindByName(stream.ask.scope.resource)) {
    if (TextAt(value, "kind") != type->kind() ||
        TextAt(value, "apiVersion") != type->resource.GroupVersion())
      return "not of the kind that is watched";
  }
  const auto metadata = value.find("metadata");
  if (metadata == value.end() || !metadata->is_object()) return "without metadata";
  if (TextAt(*metadata, "resourceVersion") != bookmark.rv_text)
    return fmt::format("whose object is at \"{}\"", TextAt(*metadata, "resourceVersion"));
  for (const char* name : {"name", "namespace", "uid"}) {
    if (!TextAt(*metadata, name).empty()) return fmt::format("whose object has a {}", name);
  }
  const auto annotations = metadata->find("annotations");
  const bool annotated = annotations != metadata->end() && annotations->is_object() &&
                         TextAt(*annotations, std::string(kInitialEventsEnd).c_str()) == "true";
  if (annotated != bookmark.ends_initial) return "whose annotation says something else";
  return "";
}

class BookmarkJudge {
 public:
  BookmarkJudge(const WireRequest& stream, const StreamShape& shape, std::vector<Violation>* out)
      : stream_(stream), shape_(shape), out_(out) {
    if (stream.ask.StartsExactly()) highest_ = *stream.ask.rv;
  }

  // A broken line is told once, by the first rule that it breaks; then the judge rests.
  void Run() {
    for (size_t i = 0; i < stream_.lines.size() && !told_; ++i) {
      const WireLine& line = stream_.lines[i];
      if (line.type == EventType::kBookmark)
        Bookmark(line);
      else if (line.is_event() && line.rv > 0)
        Event(i);
    }
  }

 private:
  void Bookmark(const WireLine& line) {
    if (!stream_.ask.bookmarks) {
      Tell("bookmarks go to who asked for them", "", line, nullptr);
    } else if (line.rv < highest_ && !line.ends_initial) {  // else W8 and W9 tell
      Tell("a bookmark is not below what went before it", "", line, before_);
    } else if (const std::string why = WhatIsWrongWith(stream_, line); !why.empty()) {
      Tell("a bookmark is an empty object with its version", ", " + why, line, nullptr);
    }
    highest_ = std::max(highest_, line.rv);
    before_ = &line;
    if (!line.ends_initial || shape_.start_known) bookmark_ = &line;
  }

  void Event(size_t index) {
    const WireLine& line = stream_.lines[index];
    const bool is_late = bookmark_ && line.rv <= bookmark_->rv;
    if (is_late && !EarlierCopy(stream_.lines, index) &&
        !(stream_.ask.StartsExactly() && line.rv <= *stream_.ask.rv)) {
      Tell("what a bookmark passed was sent before it", " afterwards", line, bookmark_);
    }
    if (line.rv <= highest_) return;
    highest_ = line.rv;
    before_ = &line;
  }

  void Tell(std::string_view promise, const std::string& why, const WireLine& line,
            const WireLine* before) {
    told_ = true;
    out_->push_back(WireBroken(
        "W7", fmt::format("{}, but {} was sent {}{}", promise, TextOf(stream_), TextOf(line), why),
        {stream_.request_entry, before ? before->entry : nullptr, line.entry}));
  }

  const WireRequest& stream_;
  const StreamShape& shape_;
  std::vector<Violation>* out_;
  uint64_t highest_ = 0;
  const WireLine* before_ = nullptr;    // that made highest_
  const WireLine* bookmark_ = nullptr;  // the last one
  bool told_ = false;
};

}  // namespace

std::vector<Violation> CheckBookmarkLines(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& stream : wire.requests) {
    if (!stream.lines.empty()) BookmarkJudge(stream, wire.ShapeOf(stream), &out).Run();
  }
  return out;
}

}  // namespace relist
