#include "reflector/decoding/object_decoder.h"

#include <fmt/core.h>
#include <simdjson.h>

#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"
#include "reflector/decoding/json_framer.h"
#include "reflector/parity_switch.h"

namespace relist {
namespace {

namespace dom = simdjson::dom;

static_assert(JsonFramer::kPadding >= simdjson::SIMDJSON_PADDING);
constexpr size_t kCapacityFirst = 4096;
constexpr size_t kCapacityKept = 1 << 20;

Error NotJson(std::string_view why) {
  return Error::Net(Transport::kProtocol, fmt::format("JSON: {}", why));
}

// Sets *into if the value is a string; anything else leaves it empty.
void SetText(dom::element value, std::string* into) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) {
    into->assign(text);
  } else {
    into->clear();
  }
}

// Metadata that is no object is none, as for client-go's dynamic client: its object has no name.
void ReadMetadata(dom::element value, Object::Head* head) {
  head->key = {};
  head->uid.clear();
  head->resource_version.clear();
  dom::object fields;
  if (value.get(fields) != simdjson::SUCCESS) return;
  for (const auto& [key, field] : fields) {
    if (key == "name") {
      SetText(field, &head->key.name);
    } else if (key == "namespace") {
      SetText(field, &head->key.ns);
    } else if (key == "uid") {
      SetText(field, &head->uid);
    } else if (key == "resourceVersion") {
      SetText(field, &head->resource_version);
    }
  }
}

Result<Object::Head> ReadHead(dom::element value) {
  dom::object fields;
  if (value.get(fields) != simdjson::SUCCESS) return NotJson("not an object");
  Object::Head head;
  for (const auto& [key, field] : fields) {
    if (key == "kind") {
      SetText(field, &head.kind);
    } else if (key == "apiVersion") {
      SetText(field, &head.api_version);
    } else if (key == "metadata") {
      ReadMetadata(field, &head);
    }
  }
  return head;
}

// What simdjson will not take and Go does: integers over 64 bits.
Result<WatchEvent> DecodeEventSlowly(std::string_view frame, std::string_view object) {
  const nlohmann::json value = nlohmann::json::parse(frame, nullptr, false);
  if (value.is_discarded()) return NotJson("not JSON");
  const auto type = value.find("type");
  if (type == value.end() || !type->is_string()) return NotJson("an event without a type");
  const std::optional<EventType> known = ParseEventType(type->get<std::string>());
  if (!known) return NotJson("unknown event type");
  if (object.empty()) return NotJson("an event without an object");
  Result<ObjectRef> parsed = Object::Parse(std::string(object));
  if (!parsed.ok()) return parsed.error();
  return WatchEvent{*known, std::move(*parsed)};
}

}  // namespace

struct ObjectDecoder::Impl {
  dom::parser parser;
  bool deep = false;
  std::string mended;  // a copy with padding

  // `bytes` comes back mended where it had to be; views into it hold until the next Parse.
  Result<dom::element> Parse(std::string_view* bytes, simdjson::error_code* code = nullptr) {
    if (parser.capacity() > kCapacityKept && bytes->size() <= kCapacityKept / 4) {
      parser = dom::parser();  // a large object has gone by, and the parser holds many times that
      deep = false;
      mended = std::string();
    }
    dom::element root;
    simdjson::error_code error = parser.parse(bytes->data(), bytes->size(), false).get(root);
    if (error == simdjson::DEPTH_ERROR && !deep) {
      deep = true;
      const size_t capacity = std::max(kCapacityFirst, bytes->size());
      if (parser.allocate(capacity, kJsonDepthMax + 1) == simdjson::SUCCESS) {
        return Parse(bytes, code);
      }
    }
    if (error == simdjson::UTF8_ERROR || error == simdjson::STRING_ERROR) {
      mended = MendJson(*bytes);
      const size_t size = mended.size();
      mended.append(JsonFramer::kPadding, ' ');
      *bytes = std::string_view(mended.data(), size);
      error = parser.parse(bytes->data(), bytes->size(), false).get(root);
    }
    if (code) *code = error;
    if (error != simdjson::SUCCESS) return NotJson(simdjson::error_message(error));
    return root;
  }
};

ObjectDecoder::ObjectDecoder() : impl_(std::make_unique<Impl>()) {}
ObjectDecoder::~ObjectDecoder() = default;

Result<ObjectRef> ObjectDecoder::Decode(std::string_view bytes, std::string_view inherited_kind,
                                        std::string_view inherited_version) {
  simdjson::error_code code;
  Result<dom::element> root = impl_->Parse(&bytes, &code);
  Object::Head head;
  if (root.ok()) {
    Result<Object::Head> read = ReadHead(*root);
    if (!read.ok()) return read.error();
    head = std::move(*read);
  } else if (code == simdjson::NUMBER_ERROR) {
    Result<ObjectRef> parsed = Object::Parse(std::string(bytes));
    if (!parsed.ok()) return parsed.error();
    const Object& object = **parsed;
    head = {object.key(), std::string(object.uid()), object.resource_version(), object.kind(),
            object.api_version()};
  } else {
    return root.error();
  }
  if (head.kind.empty() && head.api_version.empty() && Behaves("NET-14")) {
    head.kind = inherited_kind;
    head.api_version = inherited_version;
  }
  return ObjectRef(std::make_shared<Object>(std::string(bytes), std::move(head)));
}

namespace {

struct Envelope {
  std::optional<EventType> type;
  std::optional<dom::element> object;
};

Result<Envelope> ReadEnvelope(dom::element root) {
  dom::object fields;
  if (root.get(fields) != simdjson::SUCCESS) return NotJson("an event is an object");
  Envelope out;
  std::string_view name;
  for (const auto& [key, field] : fields) {
    if (key == "type") {
      if (field.get(name) != simdjson::SUCCESS) return NotJson("an event's type is text");
      out.type = ParseEventType(name);
    } else if (key == "object") {
      out.object = field;
    }
  }
  if (!out.type) {
    return NotJson(fmt::format("got invalid watch event type: {}", name));
  }
  if (!out.object) return NotJson("an event without an object");
  return out;
}

}  // namespace

Result<WatchEvent> ObjectDecoder::DecodeEvent(std::string_view frame, std::string_view object) {
  const std::string_view given = frame;
  simdjson::error_code code;
  Result<dom::element> root = impl_->Parse(&frame, &code);
  if (!root.ok()) {
    if (code == simdjson::NUMBER_ERROR) return DecodeEventSlowly(frame, object);
    return root.error();
  }
  Result<Envelope> envelope = ReadEnvelope(*root);
  if (!envelope.ok()) return envelope.error();
  Result<Object::Head> head = ReadHead(*envelope->object);
  if (!head.ok()) return head.error();
  if (head->kind.empty()) return NotJson("Object 'Kind' is missing in an event");
  // Our own bytes serve where nothing had to be mended; otherwise the parser writes them anew.
  std::string bytes = given.data() == frame.data() && !object.empty()
                          ? std::string(object)
                          : simdjson::minify(*envelope->object);
  return WatchEvent{*envelope->type, std::make_shared<Object>(std::move(bytes), std::move(*head))};
}

Result<ObjectDecoder::ListHead> ObjectDecoder::DecodeListMetadata(std::string_view bytes) {
  Result<dom::element> root = impl_->Parse(&bytes);
  if (!root.ok()) return root.error();
  ListHead head;
  if (root->is_null()) return head;
  dom::object fields;
  if (root->get(fields) != simdjson::SUCCESS) return NotJson("a list's metadata is an object");
  for (const auto& [key, field] : fields) {
    if (key == "resourceVersion") {
      SetText(field, &head.resource_version);
    } else if (key == "continue") {
      SetText(field, &head.continue_token);
    } else if (key == "remainingItemCount") {
      int64_t count;
      if (field.get(count) == simdjson::SUCCESS) head.remaining_item_count = count;
    }
  }
  return head;
}

Result<std::string> ObjectDecoder::DecodeText(std::string_view bytes) {
  Result<dom::element> root = impl_->Parse(&bytes);
  if (!root.ok()) return root.error();
  std::string text;
  SetText(*root, &text);
  return text;
}

Result<void> ObjectDecoder::Validate(std::string_view bytes) {
  simdjson::error_code code;
  Result<dom::element> root = impl_->Parse(&bytes, &code);
  if (root.ok()) return {};
  std::string text(bytes);
  nlohmann::json value;
  if (code == simdjson::NUMBER_ERROR && ParseJson(&text, &value)) return {};
  return root.error();
}

}  // namespace relist
