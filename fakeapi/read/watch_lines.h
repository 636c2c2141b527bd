// The lines of a watch as HTTP chunks: size line, {"type":...,"object":...}, newline, CRLF.
//
//   AppendPlainLine(configmaps, type, object, event.HeadOf(type), &line.chunk);
//   line.chunk = TextLine(EventType::kError, status.ToJson());
//
// A plain line shares the object's bytes, and its head with everybody who is given the same `head`:
// nothing is copied for a watcher (SRV-32).
#pragma once

#include <string_view>

#include "core/wire/watch_event.h"
#include "fakeapi/api/http_types.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

// `head` is filled if it is empty, and used if it is not; null: there is nobody to share with.
void AppendPlainLine(const ResourceType& resource, EventType type, const StoredRef& object,
                     Slice* head, Slices* chunk);

// A line whose object is `json`, made for one watcher.
Slices TextLine(EventType type, std::string_view json);

}  // namespace relist::fakeapi
