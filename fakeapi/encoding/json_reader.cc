#include "fakeapi/encoding/json_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "fakeapi/encoding/go_json_error.h"
#include "fakeapi/encoding/utf8.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;
using Fields = ordered_json::object_t;

namespace dom = simdjson::dom;

constexpr size_t kFewFields = 12;
// Longer bodies are rare, and a parser keeps what the longest one took.
constexpr size_t kQuickBytes = size_t{64} << 10;

// Positions of fields that come again later, in order. Linear for few, sorted for many.
std::vector<size_t> Superseded(const Fields& fields) {
  std::vector<size_t> superseded;
  if (fields.size() <= kFewFields) {
    for (size_t i = 0; i < fields.size(); ++i) {
      for (size_t j = i + 1; j < fields.size(); ++j) {
        if (fields.begin()[i].first != fields.begin()[j].first) continue;
        superseded.push_back(i);
        break;
      }
    }
    return superseded;
  }
  std::vector<size_t> order(fields.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return fields.begin()[a].first < fields.begin()[b].first;
  });
  for (size_t i = 0; i + 1 < order.size(); ++i) {
    if (fields.begin()[order[i]].first == fields.begin()[order[i + 1]].first)
      superseded.push_back(order[i]);
  }
  std::sort(superseded.begin(), superseded.end());
  return superseded;
}

// Builds the value; fields are appended without the lookup that makes nlohmann's own ordered_json
// quadratic.
class JsonBuilder : public nlohmann::json_sax<ordered_json> {
 public:
  explicit JsonBuilder(JsonDocument* document) : document_(document) {}

  bool null() override { return Scalar(nullptr); }
  bool boolean(bool value) override { return Scalar(value); }
  bool number_integer(number_integer_t value) override { return Scalar(value); }
  bool number_unsigned(number_unsigned_t value) override { return Scalar(value); }
  bool number_float(number_float_t value, const string_t&) override { return Scalar(value); }
  bool string(string_t& value) override { return Scalar(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t size) override {
    Open(ordered_json::object());
    // Metadata gets some more before it is stored.
    if (size < kFewFields) open_.back()->get_ref<Fields&>().reserve(size + 4);
    return true;
  }
  bool start_array(std::size_t) override { return Open(ordered_json::array()); }
  bool key(string_t& name) override {
    Fields& fields = open_.back()->get_ref<Fields&>();
    fields.emplace_back(std::move(name), nullptr);
    place_ = &fields.back().second;
    return true;
  }
  bool end_object() override {
    DropSuperseded();
    open_.pop_back();
    return true;
  }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  template <class T>
  bool Scalar(T&& value) {
    *Place() = std::forward<T>(value);
    return true;
  }

  bool Open(ordered_json container) {
    ordered_json* place = Place();
    *place = std::move(container);
    open_.push_back(place);
    return true;
  }

  ordered_json* Place() {
    if (open_.empty()) return document_->value.get();
    if (open_.back()->is_object()) return place_;
    auto& array = open_.back()->get_ref<ordered_json::array_t&>();
    array.emplace_back(nullptr);
    return &array.back();
  }

  void DropSuperseded() {
    Fields& fields = open_.back()->get_ref<Fields&>();
    const std::vector<size_t> superseded = Superseded(fields);
    if (superseded.empty()) return;
    Fields kept;
    size_t next = 0;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (next < superseded.size() && superseded[next] == i) {
        ++next;
        document_->duplicates.push_back(PathOf(fields.begin()[i].first));
      } else {
        kept.emplace_back(fields.begin()[i].first, std::move(fields.begin()[i].second));
      }
    }
    fields = std::move(kept);
  }

  // "spec.containers[0].name": the open containers' last fields and elements, then `name`.
  std::string PathOf(const std::string& name) const {
    std::string path;
    for (size_t i = 0; i + 1 < open_.size(); ++i) {
      if (open_[i]->is_object()) {
        if (!path.empty()) path += '.';
        path += open_[i]->get_ref<const Fields&>().back().first;
      } else {
        path += "[" + std::to_string(open_[i]->size() - 1) + "]";
      }
    }
    if (!path.empty()) path += '.';
    return path + name;
  }

  JsonDocument* document_;
  std::vector<ordered_json*> open_;
  ordered_json* place_ = nullptr;
};

// The four hex digits of an escape "\uXXXX" at `at`, or -1.
int EscapeAt(std::string_view bytes, size_t at) {
  if (bytes.substr(at, 2) != "\\u" || at + 6 > bytes.size()) return -1;
  return static_cast<int>(std::stoul(std::string(bytes.substr(at + 2, 4)), nullptr, 16));
}

bool IsHigh(int unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}
bool IsLow(int unit) {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

// As Go: every byte that is no UTF-8, and every lone surrogate, is U+FFFD. `bytes` has been judged
// to be JSON.
std::string Mended(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t at = 0; at < bytes.size();) {
    if (bytes[at] == '\\') {
      const int unit = EscapeAt(bytes, at);
      const bool pair = IsHigh(unit) && IsLow(EscapeAt(bytes, at + 6));
      const size_t length = pair ? 12 : unit >= 0 ? 6 : 2;
      if (!pair && (IsHigh(unit) || IsLow(unit))) {
        out += "\\ufffd";
      } else {
        out += bytes.substr(at, length);
      }
      at += length;
    } else if (const size_t length = Utf8SequenceAt(bytes, at); length > 0) {
      out += bytes.substr(at, length);
      at += length;
    } else {
      out += "\xef\xbf\xbd";
      ++at;
    }
  }
  return out;
}

void Build(const dom::element& value, JsonBuilder* builder);

void BuildObject(const dom::object& fields, JsonBuilder* builder) {
  builder->start_object(fields.size());
  for (const auto& [name, field] : fields) {
    std::string key(name);
    builder->key(key);
    Build(field, builder);
  }
  builder->end_object();
}

void BuildArray(const dom::array& elements, JsonBuilder* builder) {
  builder->start_array(elements.size());
  for (const dom::element& element : elements) Build(element, builder);
  builder->end_array();
}

void BuildText(std::string_view value, JsonBuilder* builder) {
  std::string text(value);
  builder->string(text);
}

// As nlohmann's parser tells it: what is not negative is unsigned.
void BuildInteger(int64_t value, JsonBuilder* builder) {
  if (value < 0)
    builder->number_integer(value);
  else
    builder->number_unsigned(static_cast<uint64_t>(value));
}

void Build(const dom::element& value, JsonBuilder* builder) {
  switch (value.type()) {
    case dom::element_type::OBJECT:
      return BuildObject(value.get_object().value_unsafe(), builder);
    case dom::element_type::ARRAY:
      return BuildArray(value.get_array().value_unsafe(), builder);
    case dom::element_type::STRING:
      return BuildText(value.get_string().value_unsafe(), builder);
    case dom::element_type::INT64:
      return BuildInteger(value.get_int64().value_unsafe(), builder);
    case dom::element_type::UINT64:
      builder->number_unsigned(value.get_uint64().value_unsafe());
      return;
    case dom::element_type::DOUBLE:
      builder->number_float(value.get_double().value_unsafe(), {});
      return;
    case dom::element_type::BOOL:
      builder->boolean(value.get_bool().value_unsafe());
      return;
    case dom::element_type::NULL_VALUE:
      builder->null();
      return;
  }
}

// Most bodies: a third of what nlohmann's parser takes, which was a sixth of a create. False where
// that one has to judge: errors, numbers beyond 64 bits, great depth, and what simdjson takes more
// of than it should (escapes of code units, a NUL behind a number that stands alone).
bool ParseQuickly(std::string_view bytes, JsonDocument* document) {
  if (bytes.size() > kQuickBytes || !bytes.starts_with('{')) return false;
  if (bytes.find("\\u") != std::string_view::npos) return false;
  thread_local dom::parser parser;
  dom::element root;
  if (parser.parse(bytes.data(), bytes.size(), /*realloc_if_needed=*/true).get(root) !=
      simdjson::SUCCESS) {
    return false;
  }
  JsonBuilder builder(document);
  Build(root, &builder);
  return true;
}

bool ParseInto(std::string_view bytes, JsonDocument* document) {
  JsonBuilder builder(document);
  return ordered_json::sax_parse(bytes.begin(), bytes.end(), &builder);
}

}  // namespace

JsonDocument::JsonDocument() : value(std::make_unique<ordered_json>()) {}
JsonDocument::~JsonDocument() = default;
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;

Result<JsonDocument> ReadJson(std::string_view bytes) {
  {
    JsonDocument document;
    if (ParseQuickly(bytes, &document) || ParseInto(bytes, &document)) return document;
  }
  if (std::optional<std::string> error = GoJsonError(bytes)) {
    return Error::Net(Transport::kProtocol, std::move(*error));
  }
  JsonDocument document;
  if (ParseInto(Mended(bytes), &document)) return document;
  return Error::Net(Transport::kProtocol, "json: a number is out of range");
}

}  // namespace relist::fakeapi
