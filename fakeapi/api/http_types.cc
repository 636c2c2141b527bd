#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {
namespace {

char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

}  // namespace

bool SameHeaderName(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (Lower(a[i]) != Lower(b[i])) return false;
  }
  return true;
}

std::string_view Request::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (SameHeaderName(key, name)) return value;
  }
  return {};
}

size_t Response::BodySize() const {
  size_t size = 0;
  for (const Slice& slice : body) size += slice.bytes.size();
  return size;
}

std::string Response::BodyText() const {
  std::string text;
  text.reserve(BodySize());
  for (const Slice& slice : body) text += slice.bytes;
  return text;
}

}  // namespace relist::fakeapi
