// What the tests of objects/ need: a T out of text, and text out of a T.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "reflector/informers/typed_reader.h"

namespace relist::testing {

// A T read as an informer reads it; null where it cannot be, with the log's words in *why.
template <class T>
TypedRef<T> ReadTyped(const std::string& text, std::string* why = nullptr) {
  const auto log = std::make_shared<CollectedLog>();
  const ObjectRef object = *Object::Parse(text);
  if (!TypedReader::Of<T>("things", log)->Read(*object) && why) *why = log->lines().at(0);
  return TypedRef<T>(object);
}

// What is behind "is left out: " in the log.
template <class T>
std::string WhyUnreadable(const std::string& text) {
  static constexpr std::string_view kBefore = "is left out: ";
  std::string why;
  if (ReadTyped<T>(text, &why)) return "";
  return why.substr(why.find(kBefore) + kBefore.size());
}

}  // namespace relist::testing
