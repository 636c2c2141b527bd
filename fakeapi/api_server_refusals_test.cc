// In which order a read is refused, and how the refusal looks: as a real server was seen to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/api_server.h"

namespace relist::fakeapi {
namespace api_server_refusals_test {

using nlohmann::json;

constexpr char kTable[] = "application/json;as=Table;v=v1;g=meta.k8s.io";
constexpr char kPartial[] = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
constexpr char kPartialList[] = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

class ApiServerRefusals : public testing::Test {
 protected:
  Reply Handle(const std::string& method, const std::string& query, const std::string& accept,
               const std::string& body = "", const std::string& name = "") {
    const std::string collection = "/api/v1/namespaces/default/configmaps";
    return server_.Handle({method,
                           collection + name + query,
                           {{"Accept", accept}, {"Content-Type", "application/json"}},
                           body},
                          now_, now_);
  }
  Response Answer(const std::string& query, const std::string& accept) {
    return std::get<Response>(Handle("GET", query, accept));
  }
  // "422 ListOptions...", and "raw " first where it is indented.
  std::string Refusal(const std::string& query, const std::string& accept) {
    const std::string text = Answer(query, accept).BodyText();
    const json status = json::parse(text);
    return fmt::format("{}{} {}", text.starts_with("{\n") ? "raw " : "", status.value("code", 200),
                       status.value("message", "").substr(0, 40));
  }

  TimePoint now_ = kSimulationEpoch;
  ApiServer server_{{.started = now_}};
};

TEST_F(ApiServerRefusals, OfAShapeComesWhenEverythingElseIsDone) {
  EXPECT_EQ(Refusal("?resourceVersion=abc", kPartial),
            "raw 400 invalid resource version: resourceVersio");
  EXPECT_EQ(Refusal("?sendInitialEvents=1", kPartial),
            "raw 422 ListOptions.meta.k8s.io \"\" is invalid: s");
  EXPECT_EQ(Refusal("", kPartial), "raw 406 you requested PartialObjectMetadata, but");
  EXPECT_EQ(Refusal("?includeObject=all&resourceVersion=abc", kTable),
            "raw 400 invalid resource version: resourceVersio");
  EXPECT_EQ(Refusal("?includeObject=all", kTable),
            "raw 400 Unable to convert to Table as requested:");
  EXPECT_EQ(Refusal("?includeObject=all", std::string(kTable) + ",application/json"),
            "400 Unable to convert to Table as requested:");
}

TEST_F(ApiServerRefusals, OfAShapeDoesNotUndoACreate) {
  const Reply reply = Handle("POST", "", kPartialList, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(std::get<Response>(reply).status, 406);
  EXPECT_EQ(std::get<Response>(Handle("GET", "", "application/json", "", "/a")).status, 200);
}

TEST_F(ApiServerRefusals, OfAWatchComeAfterItsResourceVersion) {
  EXPECT_EQ(Refusal("?watch=1&resourceVersion=abc", kPartialList),
            "raw 500 resourceVersion: Invalid value: \"abc\": s");
  EXPECT_EQ(Refusal("?watch=1&includeObject=all", kTable),
            "raw 400 Unable to convert to Table as requested:");
  for (const char* accept :
       {"application/yaml", "application/json;q=0.1, application/yaml;q=0.9"}) {
    EXPECT_EQ(Answer("?watch=1&resourceVersion=abc", accept).status, 500);
    const std::string text = Answer("?watch=1", accept).BodyText();
    EXPECT_TRUE(text.starts_with("apiVersion: v1\ncode: 406\n")) << text;
  }
}

TEST_F(ApiServerRefusals, OfAWholeHeaderLookAsWhatOfItIsGoodForAStatus) {
  EXPECT_EQ(Refusal("", "text/html"), "raw 406 406: Not Acceptable\n\nAvailable represent");
  EXPECT_EQ(Refusal("", "application/*"), "406 406: Not Acceptable\n\nAvailable represent");
  EXPECT_TRUE(Answer("?pretty=1", "application/*").BodyText().starts_with("{\n"));
}

TEST_F(ApiServerRefusals, OfANamedWatchWantTheNameInItsSelector) {
  const auto status = [&](const std::string& query) {
    const Reply reply = server_.Handle(
        {"GET", "/api/v1/watch/namespaces/default/configmaps/a" + query, {}, ""}, now_, now_);
    return std::holds_alternative<Response>(reply) ? std::get<Response>(reply).status : 200;
  };
  EXPECT_EQ(status(""), 200);
  EXPECT_EQ(status("?fieldSelector=metadata.name=a"), 200);
  EXPECT_EQ(status("?fieldSelector=metadata.name=b"), 400);
  EXPECT_EQ(status("?fieldSelector=metadata.namespace=default"), 400);
}

TEST_F(ApiServerRefusals, PrettyMayBeAskedForInTheAcceptHeader) {
  EXPECT_TRUE(Answer("", "application/json;pretty=1").BodyText().starts_with("{\n  \"kind\""));
}

TEST_F(ApiServerRefusals, ZeroIsNoRevisionHoweverItIsWritten) {
  EXPECT_EQ(Answer("?resourceVersion=00&resourceVersionMatch=Exact", "").status, 200);
  EXPECT_EQ(Answer("?resourceVersion=0&resourceVersionMatch=Exact", "").status, 422);
}

TEST_F(ApiServerRefusals, OfATimeoutComesFirstUnlessItIsAWatch) {
  EXPECT_EQ(Refusal("?timeout=1&sendInitialEvents=1", ""),
            "400 invalid timeout specified in the request");
  EXPECT_EQ(Refusal("?timeout=1", "text/html"), "raw 400 invalid timeout specified in the request");
  EXPECT_EQ(Answer("?timeout=1s", "").status, 200);
  const Reply of_a_name = Handle("GET", "?watch=1&timeout=1", "", "", "/a");
  EXPECT_EQ(std::get<Response>(of_a_name).status, 400);
  EXPECT_TRUE(std::holds_alternative<std::unique_ptr<WatchSession>>(
      Handle("GET", "?watch=1&timeout=1", "")));
}

// Go counts in nanoseconds: what is too much of them is negative.
TEST_F(ApiServerRefusals, ATimeoutThatIsTooLongIsOver) {
  const auto step = [&](const std::string& seconds) {
    Reply reply = Handle("GET", "?watch=1&timeoutSeconds=" + seconds, "");
    WatchLine line;
    return std::get<std::unique_ptr<WatchSession>>(reply)->Next(now_, &line);
  };
  EXPECT_EQ(step("9223372036"), WatchSession::Step::kIdle);
  EXPECT_EQ(step("9223372037"), WatchSession::Step::kEnd);
  EXPECT_EQ(step("10000000000"), WatchSession::Step::kEnd);
}

TEST_F(ApiServerRefusals, TheFirstEventOfATableHasTheColumnsEvenIfItIsABookmark) {
  Reply reply = Handle("GET", "?watch=1&allowWatchBookmarks=1", kTable);
  WatchLine line;
  WatchSession& session = *std::get<std::unique_ptr<WatchSession>>(reply);
  ASSERT_EQ(session.Next(now_, &line), WatchSession::Step::kLine);
  std::string text;
  for (const Slice& slice : line.chunk) text += slice.bytes;
  text = text.substr(text.find('{'));
  text.resize(text.rfind('}') + 1);
  EXPECT_EQ(json::parse(text)["object"]["columnDefinitions"].size(), 3u) << text;
}

TEST_F(ApiServerRefusals, OfAPathAreTheRealRoutersWords) {
  const auto said = [&](const std::string& path, const std::string& method = "GET") {
    const Reply reply = server_.Handle({method, path, {}, ""}, now_, now_);
    const Response& response = std::get<Response>(reply);
    const std::string text = response.BodyText();
    const json status = text.starts_with('{') ? json::parse(text) : json();
    const std::string what = status.is_object() ? status.value("message", "") : text;
    return fmt::format("{} {}", response.status, what);
  };
  const std::string core = "/api/v1/namespaces/default/";
  EXPECT_EQ(said("//api/v1"), "404 404 page not found\n");
  EXPECT_EQ(said("/api/v1//pods"), "404 the server could not find the requested resource");
  EXPECT_EQ(said("/api/v2"), "404 the server could not find the requested resource");
  EXPECT_EQ(said(core + "pods//status"), "400 name must be provided");
  EXPECT_EQ(said(core + "pods//status", "DELETE"),
            "405 the server does not allow this method on the requested resource");
  EXPECT_EQ(said("/api/v1/namespaces//pods/a"), "400 Namespace parameter required.");
  EXPECT_EQ(
      said("/api/v1/watch/"),
      "500 Internal Server Error: \"/api/v1/watch/\": failed to create RequestInfo: unable to "
      "determine kind and namespace from url, /api/v1/watch/\n");
  EXPECT_EQ(said(core + "pods/.."), "400 Name parameter invalid: \"..\": may not be '..'");
  EXPECT_EQ(said(core + "pods/%2e", "DELETE"), "400 Name parameter invalid: \".\": may not be '.'");
  EXPECT_EQ(said(core + "pods/a%25b"), "400 Name parameter invalid: \"a%b\": may not contain '%'");
}

TEST_F(ApiServerRefusals, DotsAreNoNamespace) {
  const auto refusal = [this](const std::string& method, const std::string& path) {
    const Reply reply = server_.Handle({method, path, {}, "{}"}, now_, now_);
    const Response& response = std::get<Response>(reply);
    const json status = json::parse(response.BodyText());
    EXPECT_EQ(response.status, status["code"]);
    return fmt::format("{}{} {}", response.status, status.value("reason", ""),
                       status.value("message", ""));
  };
  EXPECT_EQ(refusal("GET", "/api/v1/namespaces/../configmaps"),
            R"(500 invalid key: "/configmaps/..")");
  EXPECT_EQ(refusal("GET", "/apis/apps/v1/namespaces/./deployments?watch=1"),
            R"(500 invalid key: "/deployments/.")");
  EXPECT_EQ(refusal("DELETE", "/api/v1/namespaces/%2e%2e/services/a"),
            R"(500 invalid key: "/services/specs/../a")");
  EXPECT_EQ(refusal("POST", "/api/v1/namespaces/../configmaps"),
            "500InternalError Internal error occurred: invalid resource name \"..\": [may not be "
            "'..']");
}

}  // namespace api_server_refusals_test
}  // namespace relist::fakeapi
