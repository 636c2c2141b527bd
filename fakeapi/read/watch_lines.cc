#include "fakeapi/read/watch_lines.h"

#include <fmt/format.h>

#include "fakeapi/answer/representation.h"

namespace relist::fakeapi {
namespace {

constexpr std::string_view kOpen = R"({"type":")";
constexpr std::string_view kObject = R"(","object":)";
constexpr std::string_view kTail = "}\n\r\n";  // of the line, and of the chunk
constexpr size_t kTailInChunk = 2;             // of kTail: what the chunk's size counts

std::string Head(EventType type, std::string_view prefix, size_t rest) {
  const std::string_view name = Name(type);
  const size_t size =
      kOpen.size() + name.size() + kObject.size() + prefix.size() + rest + kTailInChunk;
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "{:x}\r\n{}{}{}{}", size, kOpen, name, kObject, prefix);
  return std::string(text.data(), text.size());
}

}  // namespace

void AppendPlainLine(const ResourceType& resource, EventType type, const StoredRef& object,
                     Slice* head, Slices* chunk) {
  const std::string_view rest = std::string_view(object->bytes).substr(1);  // without the brace
  chunk->reserve(3);
  if (head == nullptr || head->owner == nullptr) {
    Slice made = Slice::Own(Head(type, ObjectPrefix(resource), rest.size()));
    if (head != nullptr) *head = made;
    chunk->push_back(std::move(made));
  } else {
    chunk->push_back(*head);
  }
  chunk->push_back({object, rest});
  chunk->push_back({nullptr, kTail});
}

Slices TextLine(EventType type, std::string_view json) {
  std::string text = Head(type, "", json.size());
  text += json;
  text += kTail;
  Slices chunk;
  chunk.push_back(Slice::Own(std::move(text)));
  return chunk;
}

}  // namespace relist::fakeapi
