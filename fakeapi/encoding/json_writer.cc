#include "fakeapi/encoding/json_writer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/wire/json_text.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

std::string Dumped(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// Most objects fit into what lies on the stack, and get one allocation, of their size.
using Text = fmt::memory_buffer;

void Append(std::string_view text, Text* out) {
  out->append(text.data(), text.data() + text.size());
}

void WriteString(const std::string& text, Text* out) {
  if (!IsPlainInGoJson(text)) return Append(EscapeAsGo(Dumped(text)), out);
  out->push_back('"');
  Append(text, out);
  out->push_back('"');
}

void Write(const ordered_json& value, Text* out) {
  bool first = true;
  const auto separate = [&first, out] {
    if (!first) out->push_back(',');
    first = false;
  };
  if (value.is_string()) {
    WriteString(value.get_ref<const std::string&>(), out);
  } else if (value.is_object()) {
    out->push_back('{');
    for (const auto& [key, field] : value.get_ref<const ordered_json::object_t&>()) {
      separate();
      WriteString(key, out);
      out->push_back(':');
      Write(field, out);
    }
    out->push_back('}');
  } else if (value.is_array()) {
    out->push_back('[');
    for (const ordered_json& element : value.get_ref<const ordered_json::array_t&>()) {
      separate();
      Write(element, out);
    }
    out->push_back(']');
  } else {
    Append(Dumped(value), out);
  }
}

}  // namespace

std::string WriteJson(const ordered_json& value) {
  Text out;
  Write(value, &out);
  return fmt::to_string(out);
}

}  // namespace relist::fakeapi
