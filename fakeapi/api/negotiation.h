// The Accept header, and `pretty`: in which form an answer goes out.
//
//   Result<Negotiated> form = Negotiate(request.Header("Accept"), Wanted::kList);
//   if (!form.ok()) return RenderStatus(form.error().status, NotNegotiated(accept));
//   form->pretty |= WantsPretty(query, request.Header("User-Agent"));
//
// First acceptable clause in the client's order wins, q-values order the list (SRV-34, SRV-35).
// This server writes no protobuf: where JSON is acceptable, too, it is JSON; where nothing else is,
// 406. Errors are 406 NotAcceptable; see Negotiated::refusal for those that come later.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/wire/status.h"
#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

enum class Media { kJson, kYaml };

// kObject: the object, or list, itself. The others are meta.k8s.io's, `version` says which one's.
enum class Shape { kObject, kTable, kPartialObjectMetadata, kPartialObjectMetadataList };

// What a Table's rows carry: ?includeObject= (default Metadata).
enum class IncludeObject { kMetadata, kNone, kObject };

// What the answer will be: a watch is streamed (no YAML), a list may not be PartialObjectMetadata
// and an object not PartialObjectMetadataList; a plain answer (discovery, a Status) knows no
// transformation.
enum class Wanted { kObject, kList, kWatch, kPlain };

struct Negotiated {
  Media media = Media::kJson;
  Shape shape = Shape::kObject;
  std::string version = "v1";  // of meta.k8s.io: "v1" or "v1beta1"; kObject: unused
  IncludeObject include_object = IncludeObject::kMetadata;
  bool pretty = false;  // indented, and no newline at the end
  // As for an Accept that nothing could be made of: a Status is indented and without a newline.
  bool raw = false;
  // An error has no other shape, so the clauses that ask for one are not for it: the first of the
  // others says its media type, and where there is none it is raw.
  Media error_media = Media::kJson;
  bool error_raw = false;
  // The answer to what would have succeeded: a shape that does not fit is seen when all is done,
  // after a create, too. Null where everything fits.
  std::shared_ptr<const Status> refusal;

  // "application/json", "application/yaml".
  const std::string& content_type() const;
};

// `object_type` ("core.ConfigMapList") is for the text of an error; may be empty.
Result<Negotiated> Negotiate(std::string_view accept, Wanted wanted,
                             std::string_view object_type = "");

// How the Status of a failed negotiation goes out: as what of `accept` is good for a Status, or
// raw.
Negotiated NotNegotiated(std::string_view accept);

// ?pretty=1, or a client that a person sits before: curl, Wget, a browser.
bool WantsPretty(const HeaderList& query, std::string_view user_agent);

// ?includeObject=None|Metadata|Object; anything else is a 400.
Result<IncludeObject> ParseIncludeObject(std::string_view text);

// The first parameter of that name; "" where there is none. `query` is decoded name-value pairs in
// the order sent.
std::string_view QueryValue(const HeaderList& query, std::string_view name);
bool HasQuery(const HeaderList& query, std::string_view name);

}  // namespace relist::fakeapi
