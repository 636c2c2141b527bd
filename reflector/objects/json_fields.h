// How the ready-made T's read and write their fields: Go's rules, with the path in the error.
//
//   void from_json(const nlohmann::json& from, Lease& into) {
//     ReadField(from, "metadata", &into.metadata);     // absent or null: left as it is
//   }
//   void to_json(nlohmann::json& into, const Lease& from) {
//     WriteField(&into, "metadata", from.metadata);    // what is empty is left out
//   }
//
// A value of a wrong type is a WrongField, whose words are those that a log line needs:
// "spec.containers[0].image: a number where text belongs". It is the exception that from_json tells
// its caller with; TypedReader catches it. Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/label_selector.h"

namespace relist::objects {

class WrongField : public std::runtime_error {
 public:
  WrongField(const std::string& path, const std::string& why);
  const std::string& path() const { return path_; }
  const std::string& why() const { return why_; }

 private:
  std::string path_, why_;
};

// ---- reading: `from` must be an object (null is an empty one)
using Json = nlohmann::json;
void ReadField(const Json& from, const char* key, std::string* into);
void ReadField(const Json& from, const char* key, bool* into);
void ReadField(const Json& from, const char* key, int32_t* into);
void ReadField(const Json& from, const char* key, int64_t* into);
void ReadField(const Json& from, const char* key, StringMap* into);
void ReadField(const Json& from, const char* key, std::vector<std::string>* into);
// Quantities ("500m", "32Gi"), which may be numbers, too.
void ReadQuantities(const Json& from, const char* key, StringMap* into);

// Null where it is absent or null.
const Json* FindField(const Json& from, const char* key);
// Calls `read` with the value, and puts `key` before the path of what it throws.
void ReadNested(const Json& from, const char* key, const std::function<void(const Json&)>& read);
// The same for each item of an array.
void ReadItems(const Json& from, const char* key, const std::function<void(const Json&)>& read);

template <class T>
void ReadField(const Json& from, const char* key, T* into) {
  ReadNested(from, key, [into](const Json& value) { from_json(value, *into); });
}
template <class T>
void ReadField(const Json& from, const char* key, std::vector<T>* into) {
  ReadItems(from, key, [into](const Json& value) { from_json(value, into->emplace_back()); });
}
template <class T>
void ReadField(const Json& from, const char* key, std::optional<T>* into) {
  if (FindField(from, key)) ReadField(from, key, &into->emplace());
}

// ---- writing: empty, zero, false and absent values are left out (Go's omitempty)
void WriteField(Json* into, const char* key, const std::string& value);
void WriteField(Json* into, const char* key, bool value);
void WriteField(Json* into, const char* key, int32_t value);
void WriteField(Json* into, const char* key, int64_t value);
void WriteField(Json* into, const char* key, const StringMap& value);
void WriteField(Json* into, const char* key, const std::vector<std::string>& value);
// Present even where it is empty.
void SetField(Json* into, const char* key, const std::string& value);
void SetField(Json* into, const char* key, const char* value);
void SetField(Json* into, const char* key, bool value);
void SetField(Json* into, const char* key, int64_t value);
// A value that `write` fills; left out if it stays null, or an empty object.
void WriteNested(Json* into, const char* key, const std::function<void(Json&)>& write);
// The same, left out never: an empty object is something.
void SetNested(Json* into, const char* key, const std::function<void(Json&)>& write);
// Appends one item to an array.
void WriteItem(Json* into, const char* key, const std::function<void(Json&)>& write);

template <class T>
void WriteField(Json* into, const char* key, const T& value) {
  WriteNested(into, key, [&value](Json& out) { to_json(out, value); });
}
template <class T>
void WriteField(Json* into, const char* key, const std::vector<T>& value) {
  for (const T& item : value) WriteItem(into, key, [&item](Json& out) { to_json(out, item); });
}
inline void WriteField(Json* into, const char* key, const std::optional<std::string>& value) {
  if (value) SetField(into, key, *value);
}
inline void WriteField(Json* into, const char* key, const std::optional<bool>& value) {
  if (value) SetField(into, key, *value);
}
inline void WriteField(Json* into, const char* key, const std::optional<int32_t>& value) {
  if (value) SetField(into, key, int64_t{*value});
}
inline void WriteField(Json* into, const char* key, const std::optional<int64_t>& value) {
  if (value) SetField(into, key, *value);
}
template <class T>
void WriteField(Json* into, const char* key, const std::optional<T>& value) {
  if (value) SetNested(into, key, [&value](Json& out) { to_json(out, *value); });
}

}  // namespace relist::objects
