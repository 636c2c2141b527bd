#include "reflector/decoding/json_tree.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/wire/json_text.h"

namespace relist {
namespace {

using nlohmann::json;

Error NoTree(std::string_view why) {
  return Error::Net(Transport::kProtocol, fmt::format("JSON: {}", why));
}

// As deep as simdjson went, which is bounded.
void BuildTree(simdjson::dom::element from, json* into) {
  using Type = simdjson::dom::element_type;
  switch (from.type()) {
    case Type::OBJECT: {
      *into = json::object();
      auto& fields = into->get_ref<json::object_t&>();
      for (const auto& [key, value] : simdjson::dom::object(from)) {
        // Servers sort most keys: the hint is right then.
        const auto field = fields.insert_or_assign(fields.end(), std::string(key), nullptr);
        BuildTree(value, &field->second);
      }
      return;
    }
    case Type::ARRAY: {
      *into = json::array();
      auto& items = into->get_ref<json::array_t&>();
      const simdjson::dom::array all(from);
      items.reserve(all.size());
      for (const simdjson::dom::element item : all) BuildTree(item, &items.emplace_back());
      return;
    }
    case Type::STRING:
      *into = std::string(std::string_view(from));
      return;
    case Type::INT64:
      *into = int64_t(from);
      return;
    case Type::UINT64:
      *into = uint64_t(from);
      return;
    case Type::DOUBLE:
      *into = double(from);
      return;
    case Type::BOOL:
      *into = bool(from);
      return;
    case Type::NULL_VALUE:
      *into = nullptr;
      return;
  }
}

}  // namespace

struct JsonTreeReader::Impl {
  simdjson::dom::parser parser;
};

JsonTreeReader::JsonTreeReader() : impl_(std::make_unique<Impl>()) {}
JsonTreeReader::~JsonTreeReader() = default;

Result<void> JsonTreeReader::Read(std::string_view bytes, json* into) {
  simdjson::dom::element root;
  const simdjson::error_code code = impl_->parser.parse(bytes.data(), bytes.size()).get(root);
  if (code == simdjson::SUCCESS) {
    BuildTree(root, into);
    return {};
  }
  if (code == simdjson::DEPTH_ERROR) return NoTree("nests deeper than 1,024 levels");
  // Numbers and text that simdjson will not take, and Go does.
  std::string text(bytes);
  json value;
  if (!ParseJson(&text, &value)) return NoTree(simdjson::error_message(code));
  *into = std::move(value);
  return {};
}

}  // namespace relist
