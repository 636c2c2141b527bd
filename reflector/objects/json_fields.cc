#include "reflector/objects/json_fields.h"

#include <fmt/core.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace relist::objects {
namespace {

std::string_view KindOf(const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      return "an object";
    case Json::value_t::array:
      return "an array";
    case Json::value_t::string:
      return "text";
    case Json::value_t::boolean:
      return "a boolean";
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
    case Json::value_t::number_float:
      return "a number";
    default:
      return "null";
  }
}

[[noreturn]] void Wrong(const std::string& path, const Json& found, std::string_view wanted) {
  throw WrongField(path, fmt::format("{} where {} belongs", KindOf(found), wanted));
}

// "spec" before "containers[0]", "containers" before "[0]".
std::string Under(const std::string& parent, const std::string& path) {
  const bool direct = path.empty() || path.front() == '[';
  return parent + (direct ? "" : ".") + path;
}

int64_t Integer(const char* key, const Json& value, int64_t least, int64_t most) {
  if (!value.is_number_integer()) Wrong(key, value, "an integer");
  const bool too_large = value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(most);
  const int64_t number = value.get<int64_t>();
  if (too_large || number < least || number > most) {
    throw WrongField(key, fmt::format("{} is out of range", value.dump()));
  }
  return number;
}

}  // namespace

WrongField::WrongField(const std::string& path, const std::string& why)
    : std::runtime_error(path.empty() ? why : path + ": " + why), path_(path), why_(why) {}

const Json* FindField(const Json& from, const char* key) {
  if (from.is_null()) return nullptr;
  if (!from.is_object()) Wrong("", from, "an object");
  const auto found = from.find(key);
  return found == from.end() || found->is_null() ? nullptr : &*found;
}

void ReadField(const Json& from, const char* key, std::string* into) {
  const Json* value = FindField(from, key);
  if (!value) return;
  if (!value->is_string()) Wrong(key, *value, "text");
  *into = value->get_ref<const std::string&>();
}

void ReadField(const Json& from, const char* key, bool* into) {
  const Json* value = FindField(from, key);
  if (!value) return;
  if (!value->is_boolean()) Wrong(key, *value, "a boolean");
  *into = value->get<bool>();
}

void ReadField(const Json& from, const char* key, int32_t* into) {
  using Limits = std::numeric_limits<int32_t>;
  const Json* value = FindField(from, key);
  if (value) *into = static_cast<int32_t>(Integer(key, *value, Limits::min(), Limits::max()));
}

void ReadField(const Json& from, const char* key, int64_t* into) {
  using Limits = std::numeric_limits<int64_t>;
  const Json* value = FindField(from, key);
  if (value) *into = Integer(key, *value, Limits::min(), Limits::max());
}

void ReadField(const Json& from, const char* key, StringMap* into) {
  ReadNested(from, key, [into](const Json& map) {
    if (!map.is_object()) Wrong("", map, "an object");
    for (const auto& [name, value] : map.get_ref<const Json::object_t&>()) {
      if (!value.is_string() && !value.is_null()) Wrong(name, value, "text");
      into->emplace_hint(into->end(), name,
                         value.is_null() ? std::string() : value.get_ref<const std::string&>());
    }
  });
}

void ReadQuantities(const Json& from, const char* key, StringMap* into) {
  ReadNested(from, key, [into](const Json& map) {
    if (!map.is_object()) Wrong("", map, "an object");
    for (const auto& [name, value] : map.get_ref<const Json::object_t&>()) {
      if (!value.is_string() && !value.is_number()) Wrong(name, value, "a quantity");
      into->emplace_hint(into->end(), name,
                         value.is_string() ? value.get<std::string>() : value.dump());
    }
  });
}

void ReadField(const Json& from, const char* key, std::vector<std::string>* into) {
  ReadItems(from, key, [into](const Json& item) {
    if (!item.is_string() && !item.is_null()) Wrong("", item, "text");
    into->push_back(item.is_null() ? std::string() : item.get<std::string>());
  });
}

void ReadNested(const Json& from, const char* key, const std::function<void(const Json&)>& read) {
  const Json* value = FindField(from, key);
  if (!value) return;
  try {
    read(*value);
  } catch (const WrongField& wrong) {
    throw WrongField(Under(key, wrong.path()), wrong.why());
  }
}

void ReadItems(const Json& from, const char* key, const std::function<void(const Json&)>& read) {
  ReadNested(from, key, [&read](const Json& items) {
    if (!items.is_array()) Wrong("", items, "an array");
    size_t at = 0;
    try {
      for (; at < items.size(); ++at) read(items[at]);
    } catch (const WrongField& wrong) {
      throw WrongField(Under(fmt::format("[{}]", at), wrong.path()), wrong.why());
    }
  });
}

void SetField(Json* into, const char* key, const std::string& value) {
  (*into)[key] = value;
}
void SetField(Json* into, const char* key, const char* value) {
  (*into)[key] = value;
}
void SetField(Json* into, const char* key, bool value) {
  (*into)[key] = value;
}
void SetField(Json* into, const char* key, int64_t value) {
  (*into)[key] = value;
}

void WriteField(Json* into, const char* key, const std::string& value) {
  if (!value.empty()) SetField(into, key, value);
}
void WriteField(Json* into, const char* key, bool value) {
  if (value) SetField(into, key, value);
}
void WriteField(Json* into, const char* key, int32_t value) {
  if (value != 0) SetField(into, key, int64_t{value});
}
void WriteField(Json* into, const char* key, int64_t value) {
  if (value != 0) SetField(into, key, value);
}
void WriteField(Json* into, const char* key, const StringMap& value) {
  if (!value.empty()) (*into)[key] = value;
}
void WriteField(Json* into, const char* key, const std::vector<std::string>& value) {
  if (!value.empty()) (*into)[key] = value;
}

void WriteNested(Json* into, const char* key, const std::function<void(Json&)>& write) {
  Json value;
  write(value);
  if (value.is_null() || (value.is_object() && value.empty())) return;
  (*into)[key] = std::move(value);
}

void SetNested(Json* into, const char* key, const std::function<void(Json&)>& write) {
  Json value = Json::object();
  write(value);
  (*into)[key] = std::move(value);
}

void WriteItem(Json* into, const char* key, const std::function<void(Json&)>& write) {
  Json& items = (*into)[key];
  if (items.is_null()) items = Json::array();
  Json item = Json::object();
  write(item);
  items.push_back(std::move(item));
}

}  // namespace relist::objects
