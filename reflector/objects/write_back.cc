#include "reflector/objects/write_back.h"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/check.h"
#include "reflector/decoding/json_tree.h"

namespace relist::objects {
namespace {

using nlohmann::json;

// The text at `key` of an item that has one.
const std::string* IdentityOf(const json& item, const char* key) {
  if (!item.is_object()) return nullptr;
  const auto found = item.find(key);
  return found == item.end() || !found->is_string() ? nullptr
                                                    : &found->get_ref<const std::string&>();
}

bool TellsApart(const json& items, const char* key) {
  std::set<std::string> seen;
  for (const json& item : items) {
    const std::string* identity = IdentityOf(item, key);
    if (!identity || !seen.insert(*identity).second) return false;
  }
  return true;
}

const char* IdentityKey(const json& before, const json& after, const json& base) {
  for (const char* key : {"name", "type", "uid", "key"}) {
    if (TellsApart(before, key) && TellsApart(after, key) && TellsApart(base, key)) return key;
  }
  return nullptr;
}

const json* FindItem(const json& items, const char* key, const std::string& identity) {
  for (const json& item : items) {
    if (*IdentityOf(item, key) == identity) return &item;
  }
  return nullptr;
}

void ApplyToList(const json& before, const json& after, json* base) {
  const char* key = IdentityKey(before, after, *base);
  const bool by_place = before.size() == after.size() && before.size() == base->size();
  json changed = json::array();
  for (size_t i = 0; i < after.size(); ++i) {
    const json* was = nullptr;
    const json* original = nullptr;
    if (key) {
      const std::string& identity = *IdentityOf(after[i], key);
      was = FindItem(before, key, identity);
      original = FindItem(*base, key, identity);
    } else if (by_place) {
      was = &before[i];
      original = &(*base)[i];
    }
    if (!was || !original) {
      changed.push_back(after[i]);
      continue;
    }
    ApplyChanges(*was, after[i], &changed.emplace_back(*original));
  }
  *base = std::move(changed);
}

void ApplyToObject(const json& before, const json& after, json* base) {
  for (const auto& [key, value] : before.items()) {
    if (!after.contains(key)) base->erase(key);
  }
  for (const auto& [key, value] : after.items()) {
    const auto was = before.find(key);
    const auto original = base->find(key);
    if (was == before.end() || original == base->end()) {
      if (was == before.end() || *was != value) (*base)[key] = value;
    } else {
      ApplyChanges(*was, value, &*original);
    }
  }
}

}  // namespace

void ApplyChanges(const json& before, const json& after, json* base) {
  if (before == after) return;
  if (before.is_object() && after.is_object() && base->is_object()) {
    ApplyToObject(before, after, base);
  } else if (before.is_array() && after.is_array() && base->is_array()) {
    ApplyToList(before, after, base);
  } else {
    *base = after;
  }
}

std::string WriteBackChanges(const Object& base, const std::function<void(json&)>& before,
                             const std::function<void(json&)>& after) {
  json was, changed;
  before(was);
  after(changed);
  // Not base.json(), which would stay with the object.
  json out = json::object();
  JsonTreeReader reader;
  const Result<void> read = reader.Read(base.bytes(), &out);
  CHECK(read.ok(), "the object was read before: {}", read.error().message());
  ApplyChanges(was, changed, &out);
  for (const auto& [key, known] :
       {std::pair("kind", base.kind()), std::pair("apiVersion", base.api_version())}) {
    if (out.contains(key)) continue;
    const std::string kind = changed.is_object() ? changed.value(key, known) : known;
    if (!kind.empty()) out[key] = kind;
  }
  return out.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace relist::objects
