// Bodies of any bytes, as creates, replacements, patches and delete options of a small server. The
// first byte of the input chooses which, the rest is the body. Nothing of a client's making is the
// server's fault: no 5xx, but for the two that the real one has. What was stored is read again as
// it was answered, and what was refused left no trace. Its corpus, replayed by the ordinary tests,
// is in fakeapi/testdata/fuzz/api_server_body.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fakeapi/fuzz_test_support.h"

namespace api_server_body_fuzz {
namespace {

using namespace relist::fakeapi;
using nlohmann::ordered_json;

struct Shape {
  const char* method;
  const char* target;
  const char* media;
};
constexpr char kJson[] = "application/json";
constexpr char kMerge[] = "application/merge-patch+json";
constexpr char kList[] = "application/json-patch+json";
constexpr char kStrategic[] = "application/strategic-merge-patch+json";
constexpr Shape kShapes[] = {
    {"POST", "/api/v1/namespaces/ns/configmaps", kJson},
    {"POST", "/api/v1/namespaces/ns/configmaps?fieldValidation=Strict", kJson},
    {"POST", "/api/v1/namespaces/ns/pods", kJson},
    {"POST", "/apis/apps/v1/namespaces/ns/deployments", kJson},
    {"POST", "/api/v1/namespaces/ns/services", kJson},
    {"POST", "/api/v1/namespaces/ns/secrets", kJson},
    {"POST", "/api/v1/nodes", kJson},
    {"POST", "/api/v1/namespaces", kJson},
    {"POST", "/api/v1/namespaces/ns/events", kJson},
    {"POST", "/apis/coordination.k8s.io/v1/namespaces/ns/leases", kJson},
    {"PUT", "/api/v1/namespaces/ns/configmaps/a", kJson},
    {"PUT", "/api/v1/namespaces/ns/pods/p", kJson},
    {"PUT", "/api/v1/namespaces/ns/pods/p/status", kJson},
    {"PUT", "/api/v1/namespaces/ns/finalize", kJson},
    {"PATCH", "/api/v1/namespaces/ns/configmaps/a", kMerge},
    {"PATCH", "/api/v1/namespaces/ns/configmaps/a", kList},
    {"PATCH", "/api/v1/namespaces/ns/pods/p", kStrategic},
    {"PATCH", "/api/v1/namespaces/ns/pods/p", kMerge},
    {"PATCH", "/api/v1/namespaces/ns/pods/p/status", kStrategic},
    {"PATCH", "/api/v1/nodes/n", kList},
    {"DELETE", "/api/v1/namespaces/ns/configmaps/a", kJson},
    {"DELETE", "/api/v1/namespaces/ns/configmaps", kJson},
    {"POST", "/api/v1/namespaces/ns/configmaps", "application/yaml"},
    {"PUT", "/api/v1/namespaces/ns/configmaps/a", "application/yaml"}};

std::string Collection(const std::string& target) {
  return target.substr(0, target.find('?'));
}

void CheckRefusal(const Response& response) {
  if (response.status < 500 || response.status == 501) return;
  const std::string message = JsonOf(response).value("message", "");
  Require(message.find("resourceVersion should not be set on objects to be created") !=
              std::string::npos ||
          message.starts_with("strconv.ParseUint: parsing"));
}

// Under its own path, of a status under its object's.
std::string PathOf(const Shape& shape, const ordered_json& object) {
  std::string path = Collection(shape.target);
  if (std::string_view(shape.method) == "POST") {
    return path + '/' + object.at("metadata").at("name").get<std::string>();
  }
  for (const char* part : {"/status", "/finalize"}) {
    if (path.ends_with(part)) path.resize(path.size() - std::string_view(part).size());
  }
  return path;
}

void Send(const Shape& shape, const std::string& body) {
  static FuzzServers servers;
  FuzzServer& server = servers.Get();
  const uint64_t before = server.server().revision();
  Reply reply = server.Ask({shape.method, shape.target, {{"Content-Type", shape.media}}, body});
  CheckReply(reply, server.now());
  const Response& response = std::get<Response>(reply);
  if (response.status >= 400) {
    CheckRefusal(response);
    return Require(server.server().revision() == before);
  }
  if (std::string_view(shape.method) != "DELETE") {
    const ordered_json object = JsonOf(response);
    Reply read = server.Ask({"GET", PathOf(shape, object), {}, ""});
    const Response& found = std::get<Response>(read);
    // A replacement without its last finalizer is a delete.
    if (found.status != 404 || server.server().revision() == before) {
      Require(found.status == 200 && JsonOf(found) == object);
    }
  }
  for (const char* list :
       {"/api/v1/configmaps", "/api/v1/pods", "/api/v1/namespaces", "/api/v1/namespaces?watch=1"}) {
    Reply after = server.Ask({"GET", list, {}, ""});
    CheckReply(after, server.now());
  }
}

}  // namespace
}  // namespace api_server_body_fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 1 << 14) return 0;
  const std::string body(reinterpret_cast<const char*>(data) + 1, size - 1);
  api_server_body_fuzz::Send(
      api_server_body_fuzz::kShapes[data[0] % std::size(api_server_body_fuzz::kShapes)], body);
  return 0;
}
