#include "fakeapi/encoding/json_path.h"

#include <nlohmann/json.hpp>

namespace relist::fakeapi {

using nlohmann::ordered_json;

const ordered_json& At(const ordered_json& value, std::string_view path) {
  static const ordered_json kNothing;
  const ordered_json* here = &value;
  while (true) {
    const size_t dot = path.find('.');
    if (!here->is_object()) return kNothing;
    const auto next = here->find(std::string(path.substr(0, dot)));
    if (next == here->end()) return kNothing;
    here = &*next;
    if (dot == std::string_view::npos) return *here;
    path.remove_prefix(dot + 1);
  }
}

std::string TextAt(const ordered_json& value, std::string_view path) {
  const ordered_json& at = At(value, path);
  return at.is_string() ? at.get_ref<const std::string&>() : std::string();
}

int64_t NumberAt(const ordered_json& value, std::string_view path, int64_t otherwise) {
  const ordered_json& at = At(value, path);
  return at.is_number() ? at.get<int64_t>() : otherwise;
}

bool FlagAt(const ordered_json& value, std::string_view path) {
  const ordered_json& at = At(value, path);
  return at.is_boolean() && at.get<bool>();
}

const std::vector<ordered_json>& ItemsAt(const ordered_json& value, std::string_view path) {
  static const std::vector<ordered_json> kNone;
  const ordered_json& at = At(value, path);
  return at.is_array() ? at.get_ref<const ordered_json::array_t&>() : kNone;
}

bool SameJson(const ordered_json& a, const ordered_json& b) {
  if (a.type() != b.type() || !a.is_structured()) return a == b;
  if (a.size() != b.size()) return false;
  if (a.is_array()) {
    for (size_t i = 0; i < a.size(); ++i) {
      if (!SameJson(a[i], b[i])) return false;
    }
    return true;
  }
  const auto& left = a.get_ref<const ordered_json::object_t&>();
  const auto& right = b.get_ref<const ordered_json::object_t&>();
  for (size_t i = 0; i < left.size(); ++i) {
    const auto& field = left.begin()[i];
    // In most objects the fields stand in the same places.
    if (right.begin()[i].first == field.first) {
      if (!SameJson(field.second, right.begin()[i].second)) return false;
      continue;
    }
    const auto found = right.find(field.first);
    if (found == right.end() || !SameJson(field.second, found->second)) return false;
  }
  return true;
}

size_t CountAt(const ordered_json& value, std::string_view path) {
  const ordered_json& at = At(value, path);
  return at.is_object() ? at.size() : 0;
}

}  // namespace relist::fakeapi
