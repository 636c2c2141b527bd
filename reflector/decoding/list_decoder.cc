#include "reflector/decoding/list_decoder.h"

#include <fmt/core.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/wire/json_text.h"
#include "reflector/decoding/json_framer.h"
#include "reflector/decoding/object_decoder.h"
#include "reflector/parity_switch.h"
#include "reflector/rest/rest_retry.h"

namespace relist {
namespace {

constexpr size_t kListStartTold = 40;  // of what is no list

Error BadList(std::string_view why) {
  return Error::Net(Transport::kProtocol, fmt::format("unable to understand list result: {}", why));
}

// Walks over JSON without a tree: finds where values begin and end. What lies inside a value is
// judged by whoever decodes it.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  // The next byte that is not space; 0 at the end.
  char Peek() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  // The span of the next value; empty if there is none that ends.
  std::string_view Value() {
    const char first = Peek();
    const size_t begin = at_;
    const bool good = first == '"'                   ? SkipString()
                      : first == '{' || first == '[' ? SkipNested()
                                                     : SkipScalar();
    return good ? text_.substr(begin, at_ - begin) : std::string_view();
  }
  bool AtEnd() { return Peek() == '\0' && at_ == text_.size(); }

 private:
  static bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

  bool SkipString() {
    const size_t end = EndOfString(text_, at_ + 1);
    at_ = std::min(end + 1, text_.size());
    return end < text_.size();
  }
  bool SkipNested() {
    for (int depth = 0; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '"') {
        if (!SkipString()) return false;
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return true;
    }
    return false;
  }
  // simdjson takes a NUL behind a number that stands alone for the end of the text.
  bool SkipScalar() {
    const size_t begin = at_;
    while (at_ < text_.size() && !IsSpace(text_[at_]) && text_[at_] != ',' && text_[at_] != '}' &&
           text_[at_] != ']') {
      if (text_[at_] == '\0') return false;
      ++at_;
    }
    return at_ > begin;
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Where the parts of a list lie in its body; of duplicate keys the last.
struct Parts {
  std::string_view kind, api_version, metadata;
  bool has_items = false;
  std::vector<std::string_view> items;
  size_t null_items = 0;
};

// Of duplicate keys all must be good, though only the last counts.
bool FindItems(Cursor* cursor, ObjectDecoder* decoder, Parts* parts) {
  for (const std::string_view item : parts->items) {
    if (!decoder->Validate(item).ok()) return false;
  }
  parts->has_items = true;
  parts->items.clear();
  parts->null_items = 0;
  if (cursor->Peek() != '[') return cursor->Value() == "null";
  cursor->Take('[');
  for (bool first = true; !cursor->Take(']'); first = false) {
    if (!first && !cursor->Take(',')) return false;
    const std::string_view item = cursor->Value();
    if (item.empty()) return false;
    if (item == "null") {
      ++parts->null_items;
    } else {
      parts->items.push_back(item);
    }
  }
  return true;
}

bool FindPart(std::string_view key, Cursor* cursor, ObjectDecoder* decoder, Parts* parts) {
  if (key == "items") return FindItems(cursor, decoder, parts);
  const std::string_view value = cursor->Value();
  if (value.empty()) return false;
  std::string_view* const part = key == "kind"         ? &parts->kind
                                 : key == "apiVersion" ? &parts->api_version
                                 : key == "metadata"   ? &parts->metadata
                                                       : nullptr;
  const std::string_view judged = part ? std::exchange(*part, value) : value;
  return judged.empty() || decoder->Validate(judged).ok();
}

std::optional<Parts> FindParts(std::string_view body, ObjectDecoder* decoder) {
  Cursor cursor(body);
  if (!cursor.Take('{')) return std::nullopt;
  Parts parts;
  for (bool first = true; !cursor.Take('}'); first = false) {
    if (!first && !cursor.Take(',')) return std::nullopt;
    if (cursor.Peek() != '"') return std::nullopt;
    const std::string_view quoted = cursor.Value();
    if (quoted.empty() || !cursor.Take(':')) return std::nullopt;
    const Result<std::string> key = decoder->DecodeText(quoted);
    if (!key.ok() || !FindPart(*key, &cursor, decoder, &parts)) return std::nullopt;
  }
  if (!cursor.AtEnd()) return std::nullopt;
  return parts;
}

Result<void> DecodeItems(const Parts& parts, ObjectDecoder* decoder, ListPage* page) {
  std::string_view kind = page->kind;
  if (kind.ends_with("List")) kind.remove_suffix(4);
  page->items.reserve(parts.items.size());
  for (const std::string_view bytes : parts.items) {
    Result<ObjectRef> item = decoder->Decode(bytes, kind, page->api_version);
    if (!item.ok()) {
      return BadList(fmt::format("item {}: {}", page->items.size(), item.error().message()));
    }
    page->items.push_back(std::move(*item));
  }
  return {};
}

}  // namespace

Result<ListPage> DecodeList(std::string body) {
  const size_t size = body.size();
  body.append(JsonFramer::kPadding, ' ');
  ObjectDecoder decoder;
  const std::string_view text = std::string_view(body).substr(0, size);
  const std::optional<Parts> parts = FindParts(text, &decoder);
  if (!parts) return BadList("not a list in JSON: " + MendUtf8(text.substr(0, kListStartTold)));
  ListPage page;
  for (const auto& [part, into] :
       {std::pair(parts->kind, &page.kind), std::pair(parts->api_version, &page.api_version)}) {
    if (part.empty()) continue;
    Result<std::string> decoded = decoder.DecodeText(part);
    if (!decoded.ok()) return BadList(decoded.error().message());
    *into = std::move(*decoded);
  }
  if (std::optional<Error> failure = FailureIn200(page.kind, text)) return *failure;
  if (page.kind.empty()) return BadList("Object 'Kind' is missing");
  if (Behaves("RFL-15b") && page.kind == "Table")
    return BadList("unsupported list gvk " + page.api_version + " Table");
  if (!parts->has_items && !page.kind.ends_with("List")) return BadList("no list: " + page.kind);
  if (!parts->metadata.empty()) {
    Result<ObjectDecoder::ListHead> head = decoder.DecodeListMetadata(parts->metadata);
    if (!head.ok()) return BadList(head.error().message());
    page.resource_version = std::move(head->resource_version);
    page.continue_token = std::move(head->continue_token);
    page.remaining_item_count = head->remaining_item_count;
  }
  page.null_items = parts->null_items;
  Result<void> items = DecodeItems(*parts, &decoder, &page);
  if (!items.ok()) return items.error();
  return page;
}

}  // namespace relist
