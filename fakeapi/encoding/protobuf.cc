#include "fakeapi/encoding/protobuf.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/wire/base64.h"
#include "fakeapi/encoding/protobuf_reader.h"
#include "fakeapi/encoding/protobuf_values.h"
#include "fakeapi/encoding/utf8.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;
using Flag = ProtobufField::Flag;

constexpr std::string_view kMagic("k8s\0", 4);

struct PartialMessage;

// What has been met of one field.
struct PartialField {
  bool met = false;
  ordered_json value;                                         // of scalars, and of lists
  std::unique_ptr<PartialMessage> message;                    // of a message that is no list
  std::vector<std::pair<std::string, ordered_json>> entries;  // of a map, as they came
};

struct PartialMessage {
  explicit PartialMessage(const ProtobufMessage& of) : type(of), fields(of.fields.size()) {}

  const ProtobufMessage& type;
  std::vector<PartialField> fields;  // as type.fields
};

Error GoError(std::string text) {
  return Error::Net(Transport::kProtocol, std::move(text));
}

std::string GoNameOf(const ProtobufField& field) {
  if (!field.go_name.empty()) return std::string(field.go_name);
  std::string name(field.json_name);
  if (name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 32);
  return name;
}

bool IsMessage(ProtobufType type) {
  return type >= ProtobufType::kMessage && type <= ProtobufType::kFieldsV1;
}

bool IsVarint(ProtobufType type) {
  return type >= ProtobufType::kBool && type <= ProtobufType::kInt64;
}

const ProtobufMessage& MessageOf(const ProtobufField& field) {
  return field.type == ProtobufType::kMessage ? *field.message : ProtobufValueMessage(field.type);
}

ordered_json VarintValue(ProtobufType type, uint64_t value) {
  if (type == ProtobufType::kBool) return value != 0;
  if (type == ProtobufType::kInt32) return static_cast<int32_t>(value);
  return static_cast<int64_t>(value);
}

Result<ordered_json> BytesValue(ProtobufType type, std::string_view piece) {
  switch (type) {
    case ProtobufType::kBytes:
      return ordered_json(EncodeBase64(piece));
    case ProtobufType::kRaw:
      return ordered_json(piece);
    case ProtobufType::kQuantityText:
      if (Result<void> good = CheckQuantity(piece); !good.ok()) return good.error();
      return ordered_json(piece);
    default:
      return ordered_json(MendUtf8(piece));
  }
}

ordered_json ZeroScalar(ProtobufType type) {
  if (type == ProtobufType::kBool) return false;
  if (IsVarint(type)) return 0;
  return "";
}

Result<ordered_json> FinishFields(PartialMessage& partial);

// A message that is there, as JSON.
Result<ordered_json> FinishMessage(const ProtobufField& field, PartialMessage& partial) {
  Result<ordered_json> fields = FinishFields(partial);
  if (!fields.ok() || field.type == ProtobufType::kMessage) return fields;
  return ProtobufValue(field.type, *fields);
}

// Sorted by key; of entries with the same key, the last one.
ordered_json FinishMap(std::vector<std::pair<std::string, ordered_json>> entries) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  ordered_json map = ordered_json::object();
  auto& fields = map.get_ref<ordered_json::object_t&>();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i + 1 < entries.size() && entries[i].first == entries[i + 1].first) continue;
    fields.emplace_back(std::move(entries[i].first), std::move(entries[i].second));
  }
  return map;
}

// The field's JSON; nothing is said here of whether it is written.
Result<ordered_json> FinishField(const ProtobufField& field, PartialField& partial) {
  if (!partial.met) {
    if (field.Has(Flag::kPointer) || field.Has(Flag::kList) || field.Has(Flag::kMap)) {
      return ordered_json(nullptr);
    }
    if (field.type == ProtobufType::kTime || field.type == ProtobufType::kMicroTime) {
      return ordered_json(nullptr);
    }
    if (!IsMessage(field.type)) return ZeroScalar(field.type);
    PartialMessage zero(MessageOf(field));
    return FinishMessage(field, zero);
  }
  if (field.Has(Flag::kMap)) return FinishMap(std::move(partial.entries));
  if (partial.message != nullptr) return FinishMessage(field, *partial.message);
  return std::move(partial.value);
}

// Go's omitempty and omitzero. (A struct is never empty, and the only one with omitzero is a time.)
bool IsLeftOut(const ProtobufField& field, bool met, const ordered_json& value) {
  if (field.Has(Flag::kOmitZero) && value.is_null()) return true;
  if (!field.Has(Flag::kOmitEmpty)) return false;
  if (field.Has(Flag::kPointer) || field.Has(Flag::kList) || field.Has(Flag::kMap)) return !met;
  return !IsMessage(field.type) && value == ZeroScalar(field.type);
}

Result<ordered_json> FinishFields(PartialMessage& partial) {
  ordered_json object = ordered_json::object();
  auto& fields = object.get_ref<ordered_json::object_t&>();
  for (size_t i = 0; i < partial.fields.size(); ++i) {
    const ProtobufField& field = partial.type.fields[i];
    const bool met = partial.fields[i].met;
    if (!met && field.Has(Flag::kOmitEmpty) && !IsMessage(field.type)) continue;
    Result<ordered_json> value = FinishField(field, partial.fields[i]);
    if (!value.ok()) return value;
    if (field.Has(Flag::kInline)) {
      for (auto& [key, inner] : value->get_ref<ordered_json::object_t&>()) {
        fields.emplace_back(key, std::move(inner));
      }
    } else if (!IsLeftOut(field, met, *value)) {
      fields.emplace_back(std::string(field.json_name), std::move(*value));
    }
  }
  return object;
}

// Reads one message's bytes into what has been met of it.
class ProtobufDecoder {
 public:
  ProtobufDecoder(std::string_view bytes, PartialMessage* into) : reader_(bytes), into_(*into) {}

  Result<void> Decode() {
    while (!reader_.AtEnd()) {
      ProtobufTag tag;
      const bool read = reader_.Tag(into_.type.name, &tag) && Field(tag);
      if (!read) return GoError(reader_.error());
    }
    return {};
  }

 private:
  bool Field(const ProtobufTag& tag) {
    for (size_t i = 0; i < into_.fields.size(); ++i) {
      const ProtobufField& field = into_.type.fields[i];
      if (field.number == tag.number) return Known(field, tag.wire_type, &into_.fields[i]);
    }
    return reader_.Skip(tag);
  }

  bool Known(const ProtobufField& field, int wire_type, PartialField* partial) {
    if (IsVarint(field.type)) return Varints(field, wire_type, partial);
    if (wire_type != 2) return WrongWireType(field, wire_type);
    if (field.Has(Flag::kMap)) return Entry(field, partial);
    std::string_view piece;
    if (!reader_.Bytes(&piece)) return false;
    if (field.Has(Flag::kList)) return Element(field, piece, partial);
    partial->met = true;
    if (IsMessage(field.type)) return Merge(field, piece, partial);
    return Take(BytesValue(field.type, piece), &partial->value);
  }

  bool WrongWireType(const ProtobufField& field, int wire_type) {
    return reader_.Refuse(
        fmt::format("proto: wrong wireType = {} for field {}", wire_type, GoNameOf(field)));
  }

  bool Take(Result<ordered_json> value, ordered_json* place) {
    if (!value.ok()) return reader_.Refuse(value.error().message());
    *place = std::move(*value);
    return true;
  }

  // A list of numbers may come packed.
  bool Varints(const ProtobufField& field, int wire_type, PartialField* partial) {
    const bool list = field.Has(Flag::kList);
    if (wire_type != 0 && !(list && wire_type == 2)) return WrongWireType(field, wire_type);
    uint64_t value = 0;
    if (!list) {
      partial->met = true;
      if (!reader_.Varint(&value)) return false;
      partial->value = VarintValue(field.type, value);
      return true;
    }
    std::string_view packed;
    if (wire_type == 0) {
      return reader_.Varint(&value) && Append(partial, VarintValue(field.type, value));
    }
    if (!reader_.Bytes(&packed)) return false;
    ProtobufReader numbers(packed);
    while (!numbers.AtEnd()) {
      if (!numbers.Varint(&value)) return reader_.Refuse(numbers.error());
      Append(partial, VarintValue(field.type, value));
    }
    return true;
  }

  bool Append(PartialField* partial, ordered_json value) {
    if (!partial->met) partial->value = ordered_json::array();
    partial->met = true;
    partial->value.push_back(std::move(value));
    return true;
  }

  // A message, or one value, that is whole in `piece`.
  Result<ordered_json> Whole(const ProtobufField& field, std::string_view piece) {
    if (!IsMessage(field.type)) return BytesValue(field.type, piece);
    PartialMessage message(MessageOf(field));
    Result<void> decoded = ProtobufDecoder(piece, &message).Decode();
    if (!decoded.ok()) return decoded.error();
    return FinishMessage(field, message);
  }

  bool Element(const ProtobufField& field, std::string_view piece, PartialField* partial) {
    ordered_json value;
    return Take(Whole(field, piece), &value) && Append(partial, std::move(value));
  }

  // The later part of a message adds to the earlier one, but for times, which it replaces.
  bool Merge(const ProtobufField& field, std::string_view piece, PartialField* partial) {
    const bool time = field.type == ProtobufType::kTime || field.type == ProtobufType::kMicroTime;
    if (time) partial->message = nullptr;
    if (time && piece.empty()) return true;
    if (partial->message == nullptr) {
      partial->message = std::make_unique<PartialMessage>(MessageOf(field));
    }
    Result<void> decoded = ProtobufDecoder(piece, partial->message.get()).Decode();
    return decoded.ok() || reader_.Refuse(decoded.error().message());
  }

  // Go looks neither at the wire types in an entry nor, for its key and value, at where it ends.
  bool Entry(const ProtobufField& field, PartialField* partial) {
    ProtobufReader ahead = reader_;
    std::string_view entry, key, piece;
    if (!ahead.Bytes(&entry)) return reader_.Refuse(ahead.error());
    uint64_t length = 0;
    reader_.Varint(&length);
    ordered_json value;
    Take(Whole(field, ""), &value);  // of an entry that has none
    while (reader_.at() < ahead.at()) {
      ProtobufTag tag;
      if (!reader_.EntryTag(&tag)) return false;
      const bool good = tag.number == 1 ? reader_.Bytes(&key)
                        : tag.number == 2
                            ? reader_.Bytes(&piece) && Take(Whole(field, piece), &value)
                            : reader_.Skip(tag, ahead.at());
      if (!good) return false;
    }
    reader_ = ahead;
    partial->met = true;
    partial->entries.emplace_back(MendUtf8(key), std::move(value));
    return true;
  }

  ProtobufReader reader_;
  PartialMessage& into_;
};

}  // namespace

Result<ordered_json> DecodeProtobuf(const ProtobufMessage& message, std::string_view bytes) {
  PartialMessage partial(message);
  Result<void> decoded = ProtobufDecoder(bytes, &partial).Decode();
  if (!decoded.ok()) return decoded.error();
  return FinishFields(partial);
}

Result<ProtobufBody> ReadProtobufBody(std::string_view body) {
  if (body.empty()) return GoError("empty data");
  if (!body.starts_with(kMagic)) {
    return GoError(
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  if (body.size() == kMagic.size()) return GoError("empty body");
  Result<ordered_json> unknown = DecodeProtobuf(ProtobufEnvelope(), body.substr(kMagic.size()));
  if (!unknown.ok()) return unknown.error();
  ordered_json& type = (*unknown)["typeMeta"];
  return ProtobufBody{type["apiVersion"].get<std::string>(), type["kind"].get<std::string>(),
                      std::move((*unknown)["raw"].get_ref<std::string&>())};
}

}  // namespace relist::fakeapi
