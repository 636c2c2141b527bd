// A request of any verb, for RestClient::Do: what reads and writes single objects.
//
//   RestRequest put{.method = "PUT",
//                   .target = Resource{"", "v1", "configmaps", "ConfigMap"}.Path("default", "web"),
//                   .body = object.dump()};
//   Task<Result<HttpAnswer>> task = rest.Do(put, stop);
//   Result<ObjectRef> stored = ObjectOf(co_await task);
//
// As in client-go, 429 and 5xx with Retry-After are tried again whatever the verb (NET-03), but
// after a connection that broke only GET is (NET-04): whether a write was done nobody knows. So a
// write on a kept connection that turns out dead is an error, too, and not sent again. Values: copy
// freely.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/result.h"
#include "core/time.h"
#include "core/wire/object.h"
#include "reflector/recorder.h"

namespace relist {

// What is asked for where only metadata is wanted: PartialObjectMetadata, or its list.
inline constexpr std::string_view kAcceptMetadata =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
inline constexpr std::string_view kAcceptMetadataList =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
inline constexpr std::string_view kMergePatch = "application/merge-patch+json";
inline constexpr std::string_view kStrategicMergePatch = "application/strategic-merge-patch+json";
inline constexpr std::string_view kJsonPatch = "application/json-patch+json";

struct RestRequest {
  std::string method = "GET";                     // POST, PUT, PATCH, DELETE
  std::string target;                             // path and query, as in the request line
  std::string body;                               // empty: none
  std::string content_type = "application/json";  // of the body
  std::string accept = "application/json, */*";
  // Of one attempt, from its start to the end of its answer. Nothing: that of a list.
  std::optional<Duration> timeout;
  std::shared_ptr<Recorder> recorder;  // may be null; the verb of its lines is the method
};

// A good answer, read whole.
struct HttpAnswer {
  int status = 0;
  std::string body;
  int request = 0;  // its number in the recorder
};

// The object in an answer; its error where there is none.
Result<ObjectRef> ObjectOf(Result<HttpAnswer> answer);

// The end of a request's bytes: the headers of its body, an empty line, the body.
void AppendBody(const RestRequest& request, std::string* bytes);

}  // namespace relist
