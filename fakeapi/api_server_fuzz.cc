// Requests of any path and query, asked of a small server. The first byte of the input chooses the
// method and what is accepted, the rest is the target. Whatever comes is a Status with the right
// code, an object, a list in key order, or a watch that can be drained; the same twice where
// nothing was changed; a page goes on where it ended. Its corpus, replayed by the ordinary tests,
// is in fakeapi/testdata/fuzz/api_server.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fakeapi/fuzz_test_support.h"

namespace api_server_fuzz {
namespace {

using namespace relist::fakeapi;
using nlohmann::ordered_json;

Request RequestOf(uint8_t choice, const std::string& target) {
  static constexpr const char* kAccepts[] = {
      "",
      "*/*",
      "application/yaml",
      "application/json;as=Table;v=v1;g=meta.k8s.io",
      "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
      "nonsense;;q=x"};
  static constexpr const char* kMethods[] = {"GET", "GET",   "GET",    "HEAD",   "POST",
                                             "PUT", "PATCH", "DELETE", "OPTIONS"};
  Request request{kMethods[choice % std::size(kMethods)], target, {}, ""};
  const char* accept = kAccepts[choice / std::size(kMethods) % std::size(kAccepts)];
  if (*accept != '\0') request.headers.emplace_back("Accept", accept);
  return request;
}

std::string TextOf(Reply& reply) {
  const Response* response = std::get_if<Response>(&reply);
  return response == nullptr ? "a watch" : response->BodyText();
}

// The next page, asked for with the token alone, is later in the order, or there is none.
void CheckNextPage(FuzzServer& server, const Response& first, const std::string& target) {
  const ordered_json body = JsonOf(first);
  if (!body.contains("items") || body["items"].empty()) return;
  const std::string path = target.substr(0, target.find('?'));
  Reply reply = server.Ask(
      {"GET", path + "?continue=" + body["metadata"]["continue"].get<std::string>(), {}, ""});
  CheckReply(reply, server.now());
  const Response& next = std::get<Response>(reply);
  Require(next.status == 200);
  const auto key = [](const ordered_json& item) {
    const ordered_json& meta = item["metadata"];
    return relist::ObjectKey{meta.value("namespace", ""), meta["name"].get<std::string>()};
  };
  const ordered_json rest = JsonOf(next);
  Require(rest["metadata"]["resourceVersion"] == body["metadata"]["resourceVersion"]);
  if (!rest["items"].empty()) Require(key(body["items"].back()) < key(rest["items"].front()));
}

void AskFor(uint8_t choice, const std::string& target) {
  static FuzzServers servers;
  FuzzServer& server = servers.Get();
  const Request request = RequestOf(choice, target);
  const uint64_t before = server.server().revision();
  Reply reply = server.Ask(request);
  CheckReply(reply, server.now());
  if (request.method != "GET" && request.method != "HEAD") return;
  Require(server.server().revision() == before);
  if (std::string text = TextOf(reply); request.headers.empty()) {
    Reply again = server.Ask(request);
    if (target.find("relist") == std::string::npos) Require(TextOf(again) == text);
  }
  const Response* response = std::get_if<Response>(&reply);
  if (response != nullptr && !response->continue_token.empty() && request.headers.empty()) {
    CheckNextPage(server, *response, target);
  }
}

}  // namespace
}  // namespace api_server_fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0 || size > 1 << 12) return 0;
  api_server_fuzz::AskFor(data[0], std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}
