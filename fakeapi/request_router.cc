#include "fakeapi/request_router.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "fakeapi/answer/discovery.h"
#include "fakeapi/answer/health.h"
#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/request_target.h"
#include "fakeapi/api/request_timeout.h"
#include "fakeapi/api/resource_path.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_handlers.h"
#include "fakeapi/write/writes.h"

namespace relist::fakeapi {
namespace {

// "core.ConfigMapList", for the text of an error.
std::string GoTypeOf(const ResourceType& resource, Wanted wanted) {
  const std::string& group = resource.resource.group;
  const std::string package = group.empty() ? "core" : group.substr(0, group.find('.'));
  return package + "." + (wanted == Wanted::kList ? resource.list_kind() : resource.kind());
}

Result<Negotiated> FormOf(const Request& request, const HeaderList& query,
                          const ResourceType& resource, Wanted wanted) {
  const std::string_view accept = request.Header("Accept");
  const bool may_transform = accept.find("as=") != std::string_view::npos;
  Result<Negotiated> form =
      Negotiate(accept, wanted, may_transform ? GoTypeOf(resource, wanted) : std::string());
  if (!form.ok()) return form;
  form->pretty |= WantsPretty(query, request.Header("User-Agent"));
  if (form->shape != Shape::kTable) return form;
  const Result<IncludeObject> include = ParseIncludeObject(QueryValue(query, "includeObject"));
  if (include.ok()) {
    form->include_object = *include;
  } else {
    form->refusal = std::make_shared<Status>(include.error().status);
  }
  return form;
}

// Of a status one reads the object itself; what else there is is known, and not done.
std::optional<Error> RefuseSubresource(const ResourcePath& path) {
  if (path.subresource.empty() || path.subresource == "status") {
    const bool is_there =
        path.subresource.empty() || path.resource->FindSubresource("status") != nullptr;
    return is_there ? std::nullopt : std::optional(NoSuchResource());
  }
  const Subresource* found = path.resource->FindSubresource(path.subresource);
  if (found == nullptr) return NoSuchResource();
  const std::vector<std::string>& verbs = found->verbs;
  if (std::find(verbs.begin(), verbs.end(), "get") != verbs.end()) {
    return NotImplemented(fmt::format("{}/{} is not implemented by this server",
                                      path.resource->resource.plural, path.subresource));
  }
  return MethodNotAllowed();
}

// "upgrade" is one of the words of the Connection header.
bool WantsWebSocket(const Request& request) {
  if (!SameHeaderName(request.Header("Upgrade"), "websocket")) return false;
  std::string_view words = request.Header("Connection");
  while (!words.empty()) {
    const size_t comma = std::min(words.find(','), words.size());
    std::string_view word = words.substr(0, comma);
    while (word.starts_with(' ') || word.starts_with('\t')) word.remove_prefix(1);
    while (word.ends_with(' ') || word.ends_with('\t')) word.remove_suffix(1);
    if (SameHeaderName(word, "upgrade")) return true;
    words.remove_prefix(std::min(comma + 1, words.size()));
  }
  return false;
}

// Of a request whose Accept header was not, or not yet, made anything of.
Response RenderRefusal(const Error& error, const Request& request, const HeaderList& query) {
  Negotiated form = NotNegotiated(request.Header("Accept"));
  form.pretty |= WantsPretty(query, request.Header("User-Agent"));
  return RenderStatus(error.status, form);
}

// In the words of Kubernetes' verbs; "" for methods that stand for none.
std::string_view VerbOf(std::string_view method) {
  if (method == "GET") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "POST") return "create";
  return "";
}

// A path in which a name is missing, whose subresource is one of the resource's.
Response RefuseIncomplete(const ResourcePath& path, const std::string& method) {
  if (!path.key.name.empty()) {
    return RenderStatus(BadRequest("Namespace parameter required.").status, {});
  }
  const std::vector<std::string>& verbs = path.resource->FindSubresource(path.subresource)->verbs;
  const bool is_done = std::find(verbs.begin(), verbs.end(), VerbOf(method)) != verbs.end();
  return RenderStatus((is_done ? BadRequest("name must be provided") : MethodNotAllowed()).status,
                      {});
}

// etcd's keys are paths, and "." or ".." as a namespace is none of their names: measured, in the
// words of the storage, which has no reason for it.
Response RefuseDots(const ResourcePath& path, const std::string& method) {
  Status status;
  status.code = 500;
  if (method == "POST") {
    const std::string why = fmt::format("invalid resource name {}: [may not be '{}']",
                                        GoQuote(path.key.ns), path.key.ns);
    status.reason = "InternalError";
    status.message = "Internal error occurred: " + why;
    status.details = StatusDetails{};
    status.details->causes.push_back({"", why, ""});
    return RenderStatus(status, {});
  }
  const std::string& plural = path.resource->resource.plural;
  std::string key =
      fmt::format("/{}/{}", plural == "services" ? "services/specs" : plural, path.key.ns);
  if (!path.key.name.empty()) key += "/" + path.key.name;
  status.message = "invalid key: " + GoQuote(key);
  return RenderStatus(status, {});
}

class Router {
 public:
  Router(const RouterWorld& world, const Request& request, TimePoint received)
      : world_(world),
        request_(request),
        received_(received),
        target_(ParseTarget(request.target)),
        path_(ParseResourcePath(target_.path)) {}

  Reply Route();

 private:
  Reply RouteResource();
  Reply Read();
  Reply Write(WriteVerb verb);

  const RouterWorld& world_;
  const Request& request_;
  const TimePoint received_;
  const RequestTarget target_;
  const ResourcePath path_;
};

Reply Router::Route() {
  if (path_.kind == PathKind::kResource) return RouteResource();
  if (path_.kind == PathKind::kIncomplete) return RefuseIncomplete(path_, request_.method);
  if (path_.kind == PathKind::kNoVerb) {
    return RenderText(500, fmt::format("Internal Server Error: {}: failed to create RequestInfo: "
                                       "unable to determine kind and namespace from url, {}\n",
                                       GoQuote(request_.target), target_.path));
  }
  if (path_.kind == PathKind::kNoSuchResource) {
    return RenderStatus(NoSuchResource().status, Negotiated());
  }
  const bool caches_ready = world_.replica->ready();
  if (std::optional<Response> answer = AnswerHealth(target_.path, target_.query, caches_ready)) {
    return std::move(*answer);
  }
  if (std::optional<Response> answer = AnswerDiscovery(target_.path, target_.query, request_)) {
    return std::move(*answer);
  }
  return RenderText(404, "404 page not found\n");
}

Reply Router::RouteResource() {
  const std::string& method = request_.method;
  const bool is_object = !path_.key.name.empty();
  if (path_.key.ns == "." || path_.key.ns == "..") return RefuseDots(path_, method);
  if (method == "GET") return Read();
  const bool is_all_namespaces = path_.resource->namespaced() && path_.key.ns.empty();
  if (!path_.legacy_watch && !is_all_namespaces) {
    const bool is_subresource = !path_.subresource.empty();
    if (method == "POST" && (!is_object || is_subresource)) {
      return Write(WriteVerb::kCreate);
    }
    if (method == "DELETE") {
      return Write(is_object ? WriteVerb::kDelete : WriteVerb::kDeleteCollection);
    }
    if (method == "PUT" && is_object) return Write(WriteVerb::kReplace);
    if (method == "PATCH" && is_object) return Write(WriteVerb::kPatch);
  }
  return RenderStatus(MethodNotAllowed().status, Negotiated());
}

Reply Router::Read() {
  const bool is_object = !path_.key.name.empty() && !path_.legacy_watch;
  const bool is_watch = path_.legacy_watch || (!is_object && WantsWatch(target_.query));
  if (std::optional<Error> refusal = RefuseSubresource(path_)) {
    return RenderStatus(refusal->status, Negotiated());
  }
  const Wanted wanted = is_watch ? Wanted::kWatch : (is_object ? Wanted::kObject : Wanted::kList);
  const Result<Negotiated> form = FormOf(request_, target_.query, *path_.resource, wanted);
  if (!form.ok()) return RenderRefusal(form.error(), request_, target_.query);
  const ReadRequest read{path_.resource, path_.key, &target_.query, *form, received_, world_.now};
  if (is_object) return HandleGet(*world_.replica, read, world_.options.fresh_wait);
  const Result<ReadOptions> query =
      ParseReadOptions(*path_.resource, target_.query, path_.legacy_watch);
  if (!query.ok()) return RenderStatus(query.error().status, *form);
  if (!path_.key.name.empty() && !query->fields.everything() &&
      query->fields.name() != path_.key.name) {
    return RenderStatus(
        BadRequest("fieldSelector metadata.name doesn't match requested name").status, *form);
  }
  if (is_watch && WantsWebSocket(request_)) {
    return RenderStatus(NotImplemented("watches over WebSocket are not implemented").status, *form);
  }
  if (!is_watch) return HandleList(*world_.replica, read, *query, world_.options.fresh_wait);
  const WatchKnobs knobs{world_.options.bookmark_period, world_.options.timeout_min,
                         world_.options.fresh_wait};
  return HandleWatch(world_.replica, read, *query, knobs, world_.choices);
}

Reply Router::Write(WriteVerb verb) {
  const Wanted wanted = verb == WriteVerb::kDeleteCollection ? Wanted::kList : Wanted::kObject;
  const Result<Negotiated> form = FormOf(request_, target_.query, *path_.resource, wanted);
  if (!form.ok()) return RenderRefusal(form.error(), request_, target_.query);
  const WriteRequest write{verb,      path_.resource, path_.key, path_.subresource,
                           &request_, target_.query,  *form,     world_.now};
  return HandleWrite(world_.store, write, world_.choices);
}

}  // namespace

// What is no watch (a name's watch= is none either) is judged by its timeout before all else.
std::optional<Response> RefuseTimeout(const Request& request) {
  if (request.target.find("timeout=") == std::string::npos) return std::nullopt;
  const RequestTarget target = ParseTarget(request.target);
  const ResourcePath path = ParseResourcePath(target.path);
  if (path.legacy_watch || (path.key.name.empty() && WantsWatch(target.query))) return std::nullopt;
  const Result<void> good = CheckRequestTimeout(target.query);
  if (good.ok()) return std::nullopt;
  return RenderRefusal(good.error(), request, target.query);
}

Reply RouteRequest(const RouterWorld& world, const Request& request, TimePoint received) {
  return Router(world, request, received).Route();
}

}  // namespace relist::fakeapi
