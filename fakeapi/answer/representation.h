// Objects, lists, bookmarks and Statuses as bytes, in the negotiated form.
//
//   return RenderObject(resource, stored, form, now);            // {"kind":"ConfigMap",...}\n
//   return RenderList(resource, head, items, form, now);
//   std::string one = ObjectJson(resource, *stored, form, now);  // a watch event's object
//
// Headers hold Content-Type only (and what is said below); Cache-Control is the caller's. Bytes of
// stored objects are shared, never copied, where the form is plain JSON. Recordings: chapters list,
// watch, kinds, bookmarks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "core/wire/status.h"
#include "fakeapi/api/http_types.h"
#include "fakeapi/api/negotiation.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

// Over so many bytes the real server's answers are chunked (Go's buffer).
constexpr size_t kChunkedOver = 2048;

// {"kind":"ConfigMap","apiVersion":"v1",  : what goes before the stored bytes without their first
// brace. Static lifetime.
const std::string& ObjectPrefix(const ResourceType& resource);

// One object in the negotiated shape as one line of JSON without a newline: a watch event's object,
// a get's body. `columns`: a Table comes with its columnDefinitions (in a watch only the first
// event does, SRV-35).
std::string ObjectJson(const ResourceType& resource, const StoredObject& object,
                       const Negotiated& form, TimePoint now, bool columns = true);

// The object of a BOOKMARK: the kind's zero value, its resourceVersion, and the annotation (SRV-22,
// SRV-23), in the negotiated shape. No newline. `columns` as above.
std::string BookmarkJson(const ResourceType& resource, uint64_t revision, bool initial_events_end,
                         const Negotiated& form, bool columns = false);

struct ListHead {
  uint64_t revision = 0;
  std::string continue_token;        // empty: left out
  std::optional<int64_t> remaining;  // remainingItemCount
};

// Items of a list, and what keeps all of them alive: a count for each, taken and given back, would
// be most of a long list's cost.
struct SharedItems {
  std::vector<const StoredObject*> objects;
  std::shared_ptr<const void> owner;
};

// Each is form.refusal where there is one.
Response RenderObject(const ResourceType& resource, const StoredRef& object, const Negotiated& form,
                      TimePoint now, int status = 200);
Response RenderItems(const ResourceType& resource, const ListHead& head, const SharedItems& items,
                     const Negotiated& form, TimePoint now);
Response RenderList(const ResourceType& resource, const ListHead& head,
                    std::vector<StoredRef> items, const Negotiated& form, TimePoint now);

// A Status is never a Table: shape is ignored, and a failure has a media type of its own
// (error_media, error_raw). The HTTP status is its code (200 where that is 0); Retry-After is set
// from details.retryAfterSeconds.
Response RenderStatus(const Status& status, const Negotiated& form);
// Any document that is already JSON (discovery, a Status, a Scale): media and pretty are obeyed, a
// newline ends it.
Response RenderJson(int status, std::string json, const Negotiated& form);
// text/plain; charset=utf-8 with X-Content-Type-Options: nosniff, as "404 page not found\n" comes.
Response RenderText(int status, std::string text);

// json.Indent: two spaces, without parsing or recursing.
std::string IndentJson(std::string_view json);
// The metadata of stored bytes, {"name":...}, cut out without parsing.
std::string_view MetadataBytes(const StoredObject& object);

}  // namespace relist::fakeapi
