#include "reflector/decoding/label_reader.h"

#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <optional>

namespace relist {
namespace {

// False where one is no text; *into is what came before it then.
bool ReadLabels(simdjson::dom::element value, StringMap* into) {
  simdjson::dom::object labels;
  if (value.get(labels) != simdjson::SUCCESS) return false;
  for (const auto& [key, label] : labels) {
    std::string_view text;
    if (label.get(text) != simdjson::SUCCESS) return false;
    into->insert_or_assign(std::string(key), std::string(text));
  }
  return true;
}

// Of duplicate keys the last counts.
std::optional<simdjson::dom::element> LastField(std::optional<simdjson::dom::element> of,
                                                std::string_view key) {
  simdjson::dom::object fields;
  std::optional<simdjson::dom::element> last;
  if (!of || of->get(fields) != simdjson::SUCCESS) return last;
  for (const auto& [name, value] : fields) {
    if (name == key) last.emplace(value);
  }
  return last;
}

// What simdjson will not take (numbers over 64 bits); kept with the object, as it is rare.
void ReadSlowly(const Object& object, StringMap* into) {
  const nlohmann::json& value = object.json();
  const auto metadata = value.find("metadata");
  if (metadata == value.end() || !metadata->is_object()) return;
  const auto labels = metadata->find("labels");
  if (labels == metadata->end() || !labels->is_object()) return;
  for (const auto& [key, label] : labels->items()) {
    if (!label.is_string()) {
      into->clear();
      return;
    }
    into->emplace(key, label.get<std::string>());
  }
}

}  // namespace

struct LabelReader::Impl {
  simdjson::dom::parser parser;
  StringMap labels;
};

LabelReader::LabelReader() : impl_(std::make_unique<Impl>()) {}
LabelReader::~LabelReader() = default;

const StringMap& LabelReader::Read(const Object& object) {
  StringMap& labels = impl_->labels;
  labels.clear();
  simdjson::dom::element root;
  if (impl_->parser.parse(object.bytes()).get(root) != simdjson::SUCCESS) {
    ReadSlowly(object, &labels);
    return labels;
  }
  const auto value = LastField(LastField(root, "metadata"), "labels");
  if (value && !ReadLabels(*value, &labels)) labels.clear();
  return labels;
}

}  // namespace relist
