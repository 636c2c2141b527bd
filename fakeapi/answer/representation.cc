#include "fakeapi/answer/representation.h"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/wire/watch_event.h"
#include "fakeapi/answer/table.h"
#include "fakeapi/encoding/deep_stack.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/encoding/yaml_codec.h"
#include "fakeapi/objects/object_schema.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

std::string_view WithoutBrace(const StoredObject& object) {
  return std::string_view(object.bytes).substr(1);
}

std::string PlainObject(const ResourceType& resource, const StoredObject& object) {
  const std::string& prefix = ObjectPrefix(resource);
  std::string json;
  json.reserve(prefix.size() + object.bytes.size());
  json += prefix;
  json += WithoutBrace(object);
  return json;
}

std::string PartialObject(std::string_view metadata, const std::string& version) {
  return fmt::format(
      R"({{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/{}","metadata":{}}})", version,
      metadata);
}

// The start of a Table up to its rows.
std::string TableHead(const ResourceType& resource, const Negotiated& form,
                      std::string_view list_metadata, bool columns) {
  return fmt::format(
      R"({{"kind":"Table","apiVersion":"meta.k8s.io/{}","metadata":{},"columnDefinitions":{},"rows":)",
      form.version, list_metadata, columns ? std::string_view(ColumnsJson(resource)) : "null");
}

std::string TableRow(std::string_view cells, std::string_view object) {
  return fmt::format(R"({{"cells":{},"object":{}}})", cells, object);
}

std::string RowOf(const ResourceType& resource, const StoredObject& object, const Negotiated& form,
                  TimePoint now) {
  std::string shown = "null";
  if (form.include_object == IncludeObject::kMetadata) {
    shown = PartialObject(MetadataBytes(object), form.version);
  } else if (form.include_object == IncludeObject::kObject) {
    shown = PlainObject(resource, object);
  }
  return TableRow(CellsJson(resource, object, now), shown);
}

std::string ListMetadata(const ListHead& head) {
  ordered_json metadata = {{"resourceVersion", std::to_string(head.revision)}};
  if (!head.continue_token.empty()) metadata["continue"] = head.continue_token;
  if (head.remaining) metadata["remainingItemCount"] = *head.remaining;
  return metadata.dump();
}

// Go's nil slice: nobody makes an empty one of the list of a selection that matches nothing.
bool IsNullWhereEmpty(const Negotiated& form) {
  return form.shape == Shape::kPartialObjectMetadataList ||
         form.shape == Shape::kPartialObjectMetadata;
}

// Everything of a list before its items, and how one item looks.
std::string ListStart(const ResourceType& resource, const ListHead& head, const Negotiated& form) {
  const std::string metadata = ListMetadata(head);
  switch (form.shape) {
    case Shape::kTable:
      return TableHead(resource, form, metadata, true);
    case Shape::kPartialObjectMetadata:
    case Shape::kPartialObjectMetadataList:
      return fmt::format(
          R"({{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/{}","metadata":{},"items":)",
          form.version, metadata);
    case Shape::kObject:
      break;
  }
  return fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{},"items":)",
                     resource.list_kind(), resource.resource.GroupVersion(), metadata);
}

Slice ListItem(const ResourceType& resource, const StoredObject& item, const Negotiated& form,
               TimePoint now, const std::shared_ptr<const void>& owner) {
  switch (form.shape) {
    case Shape::kTable:
      return Slice::Own(RowOf(resource, item, form, now));
    case Shape::kPartialObjectMetadata:
    case Shape::kPartialObjectMetadataList:
      return Slice::Own(PartialObject(MetadataBytes(item), form.version));
    case Shape::kObject:
      break;
  }
  return {owner, item.bytes};
}

std::string AsYaml(const std::string& json) {
  std::string yaml;
  WithStackFor(json, [&] {
    Result<JsonDocument> document = ReadJson(json);
    yaml = document.ok() ? WriteYaml(*document->value) : json;
  });
  return yaml;
}

bool IsPlainJson(const Negotiated& form) {
  return form.media == Media::kJson && !form.pretty && !form.raw;
}

Response Finish(int status, Slices body, const Negotiated& form) {
  Response response;
  response.status = status;
  response.headers.emplace_back("Content-Type", form.content_type());
  response.body = std::move(body);
  response.chunked = response.BodySize() > kChunkedOver;
  return response;
}

}  // namespace

const std::string& ObjectPrefix(const ResourceType& resource) {
  static const auto* const kPrefixes = [] {
    auto* all = new std::map<std::string, std::string>;
    for (const ResourceType* type : AllResources()) {
      (*all)[type->resource.GroupResource()] = fmt::format(
          R"({{"kind":"{}","apiVersion":"{}",)", type->kind(), type->resource.GroupVersion());
    }
    return all;
  }();
  return kPrefixes->at(resource.resource.GroupResource());
}

std::string_view MetadataBytes(const StoredObject& object) {
  constexpr std::string_view kStart = "{\"metadata\":";
  const std::string_view bytes = object.bytes;
  CHECK(bytes.starts_with(kStart), "stored bytes that do not start with metadata");
  int depth = 0;
  bool in_string = false;
  for (size_t at = kStart.size(); at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return bytes.substr(kStart.size(), at + 1 - kStart.size());
    }
  }
  CHECK(false, "stored bytes whose metadata does not end");
  return {};
}

std::string ObjectJson(const ResourceType& resource, const StoredObject& object,
                       const Negotiated& form, TimePoint now, bool columns) {
  switch (form.shape) {
    case Shape::kTable:
      return TableHead(resource, form, ListMetadata({object.revision, "", {}}), columns) + "[" +
             RowOf(resource, object, form, now) + "]}";
    case Shape::kPartialObjectMetadata:
    case Shape::kPartialObjectMetadataList:
      return PartialObject(MetadataBytes(object), form.version);
    case Shape::kObject:
      break;
  }
  return PlainObject(resource, object);
}

std::string BookmarkJson(const ResourceType& resource, uint64_t revision, bool initial_events_end,
                         const Negotiated& form, bool columns) {
  StoredObject bookmark;
  bookmark.revision = revision;
  const std::string annotations =
      initial_events_end ? fmt::format(R"(,"annotations":{{"{}":"true"}})", kInitialEventsEnd) : "";
  bookmark.bytes = fmt::format(R"({{"metadata":{{"resourceVersion":"{}"{}}}{}}})", revision,
                               annotations, ZeroValueTail(resource));
  // Without an object nobody could read a bookmark: it has one even where none was asked for.
  Negotiated shown = form;
  if (shown.include_object == IncludeObject::kNone) shown.include_object = IncludeObject::kMetadata;
  return ObjectJson(resource, bookmark, shown, TimePoint(), columns);
}

Response RenderObject(const ResourceType& resource, const StoredRef& object, const Negotiated& form,
                      TimePoint now, int status) {
  if (form.refusal != nullptr) return RenderStatus(*form.refusal, form);
  if (!IsPlainJson(form) || form.shape != Shape::kObject) {
    return RenderJson(status, ObjectJson(resource, *object, form, now), form);
  }
  Slices body;
  body.push_back({nullptr, ObjectPrefix(resource)});
  body.push_back({object, WithoutBrace(*object)});
  body.push_back({nullptr, "\n"});
  return Finish(status, std::move(body), form);
}

Response RenderList(const ResourceType& resource, const ListHead& head,
                    std::vector<StoredRef> items, const Negotiated& form, TimePoint now) {
  SharedItems shared;
  for (const StoredRef& item : items) shared.objects.push_back(item.get());
  shared.owner = std::make_shared<const std::vector<StoredRef>>(std::move(items));
  return RenderItems(resource, head, shared, form, now);
}

Response RenderItems(const ResourceType& resource, const ListHead& head, const SharedItems& items,
                     const Negotiated& form, TimePoint now) {
  if (form.refusal != nullptr) return RenderStatus(*form.refusal, form);
  const bool is_null = items.objects.empty() && IsNullWhereEmpty(form);
  Slices body;
  body.reserve(items.objects.size() * 2 + 2);
  body.push_back(Slice::Own(ListStart(resource, head, form) + (is_null ? "null" : "[")));
  bool first = true;
  for (const StoredObject* item : items.objects) {
    if (!first) body.push_back({nullptr, ","});
    first = false;
    body.push_back(ListItem(resource, *item, form, now, items.owner));
  }
  body.push_back({nullptr, is_null ? "}\n" : "]}\n"});
  Response response = Finish(200, std::move(body), form);
  if (IsPlainJson(form)) return response;
  std::string json = response.BodyText();
  json.pop_back();
  return RenderJson(200, std::move(json), form);
}

Response RenderStatus(const Status& status, const Negotiated& form) {
  Negotiated shown = form;
  if (status.code != 0 && status.code != 200) {
    shown.media = form.error_media;
    shown.raw = form.raw || form.error_raw;
  }
  Response response = RenderJson(status.code == 0 ? 200 : status.code, status.ToJson(), shown);
  if (status.details && status.details->retry_after_seconds != 0) {
    response.headers.emplace_back("Retry-After",
                                  std::to_string(status.details->retry_after_seconds));
  }
  return response;
}

Response RenderJson(int status, std::string json, const Negotiated& form) {
  Slices body;
  if (form.media == Media::kYaml) {
    body.push_back(Slice::Own(AsYaml(json)));
  } else if (form.pretty || form.raw) {
    body.push_back(Slice::Own(IndentJson(json)));
  } else {
    body.push_back(Slice::Own(std::move(json)));
    body.push_back({nullptr, "\n"});
  }
  return Finish(status, std::move(body), form);
}

Response RenderText(int status, std::string text) {
  Response response;
  response.status = status;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body.push_back(Slice::Own(std::move(text)));
  return response;
}

std::string IndentJson(std::string_view json) {
  std::string out;
  out.reserve(json.size() * 2);
  size_t depth = 0;
  bool in_string = false;
  const auto newline = [&] { out.append("\n").append(depth * 2, ' '); };
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_string) {
      out += c;
      if (c == '\\' && at + 1 < json.size()) out += json[++at];
      if (c == '"') in_string = false;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    const bool closes_next = at + 1 < json.size() && (json[at + 1] == '}' || json[at + 1] == ']');
    if (c == '}' || c == ']') {
      --depth;
      const char before = out.empty() ? ' ' : out.back();
      if (before != '{' && before != '[') newline();
    }
    out += c;
    in_string = c == '"';
    if (c == ':') out += ' ';
    if (c == ',') newline();
    if (c == '{' || c == '[') {
      ++depth;
      if (!closes_next) newline();
    }
  }
  return out;
}

}  // namespace relist::fakeapi
