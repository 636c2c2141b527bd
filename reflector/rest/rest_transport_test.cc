// Who a client says it is, and its way through proxies, as its requests show it.
#include "reflector/rest/rest_transport.h"

#include <gmock/gmock.h>

#include "reflector/testing/real_rest.h"
#include "reflector/testing/tcp_server.h"
#include "reflector/testing/temporary_folder.h"

namespace relist {
namespace rest_transport_test {

using testing::Answer;
using testing::BytesOf;
using ::testing::ElementsAre;
using testing::Failure;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RealRest;
using testing::TcpServer;
using testing::TemporaryFolder;
using testing::TlsServer;
using Bench = testing::RestBench;

// The head of a request that a client with these options sends.
std::string HeadWith(RestClientOptions options) {
  Bench bench(std::move(options));
  bench.server.Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  return bench.server.requests().at(0).head;
}

std::vector<std::string> Authorizations(const Bench& bench) {
  std::vector<std::string> out;
  for (const auto& request : bench.server.requests()) {
    const size_t begin = request.head.find("Authorization: ") + 15;
    out.push_back(request.head.substr(begin, request.head.find('\r', begin) - begin));
  }
  return out;
}

TEST(RestTransport, SaysUserNameAndPasswordUnlessThereIsAToken) {
  RestClientOptions options{.username = "me", .password = "se:cret"};
  EXPECT_THAT(HeadWith(options), HasSubstr("\r\nAuthorization: Basic bWU6c2U6Y3JldA==\r\n"));
  options.bearer_token = "abc";
  EXPECT_THAT(HeadWith(options), HasSubstr("\r\nAuthorization: Bearer abc\r\n"));
  EXPECT_THAT(HeadWith({}), Not(HasSubstr("Authorization")));
}

TEST(RestTransport, SaysWhomItWantsToBeTakenFor) {
  RestClientOptions options;
  options.impersonate = {.user = "jane",
                         .uid = "u1",
                         .groups = {"dev", "ops"},
                         .extra = {{"acme.com/a%b", {"x", "y"}}, {"scopes", {"z"}}}};
  EXPECT_THAT(HeadWith(options), HasSubstr("Impersonate-User: jane\r\nImpersonate-Uid: u1\r\n"
                                           "Impersonate-Group: dev\r\nImpersonate-Group: ops\r\n"
                                           "Impersonate-Extra-acme.com%2Fa%25b: x\r\n"
                                           "Impersonate-Extra-acme.com%2Fa%25b: y\r\n"
                                           "Impersonate-Extra-scopes: z\r\n"));
  EXPECT_THAT(HeadWith({}), Not(HasSubstr("Impersonate")));
}

TEST(RestTransport, LetsNoCredentialEndItsHeader) {
  RestClientOptions options{.bearer_token = "a\r\nEvil: yes"};
  EXPECT_THAT(HeadWith(options), HasSubstr("Authorization: Bearer aEvil: yes\r\n"));
}

TEST(RestTransport, ReadsItsTokenFileAgainAfterA401) {
  TemporaryFolder folder;
  Bench bench({.token_file = folder.Write("token", " one\n")});
  bench.server.Then(Answer(200, "{}")).Then(Failure(401, "Unauthorized")).Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  folder.Write("token", "two");
  EXPECT_FALSE(bench.Get().ok()) << "the caller hears of it";
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_THAT(Authorizations(bench), ElementsAre("Bearer one", "Bearer one", "Bearer two"));
}

TEST(RestTransport, KeepsItsTokenWhereTheFileIsGoneAndSaysSo) {
  TemporaryFolder folder;
  auto log = std::make_shared<CollectedLog>();
  RestClientOptions options{.token_file = folder.Write("token", "one")};
  options.log = log;
  Bench bench(std::move(options));
  for (int i = 0; i < 3; ++i) bench.server.Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
  folder.Remove("token");
  bench.RunFor(Seconds(49));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_THAT(log->lines(), ElementsAre());
  bench.RunFor(Seconds(1));
  EXPECT_TRUE(bench.Get().ok());
  EXPECT_THAT(log->lines(),
              ElementsAre("E Unable to rotate token: " + folder.path() + "/token cannot be read"));
  EXPECT_EQ(Authorizations(bench).back(), "Bearer one");
}

TEST(RestTransport, WritesWholeUrlsToAnHttpProxyInPlainText) {
  RestClientOptions options{.path_prefix = "/k8s"};
  options.proxy = {"http", "proxy", 3128, "user", "pass"};
  EXPECT_THAT(
      HeadWith(options),
      ::testing::StartsWith("GET http://server:8001/k8s/x HTTP/1.1\r\nHost: server:8001\r\n"));
  EXPECT_THAT(HeadWith(options), HasSubstr("\r\nProxy-Authorization: Basic dXNlcjpwYXNz\r\n"));
  options.proxy = {"socks5", "proxy", 1080, "user", "pass"};
  EXPECT_THAT(HeadWith(options), ::testing::StartsWith("GET /k8s/x HTTP/1.1\r\n"));
  EXPECT_THAT(HeadWith(options), Not(HasSubstr("Proxy-Authorization")));
}

TEST(RestTransport, ReachesAPlainServerByAProxyOnARealSocket) {
  std::string seen;
  TcpServer proxy([&](const std::string& head) {
    seen = head;
    return BytesOf(Answer(200, "{}"));
  });
  RestClientOptions options{.endpoint = {"api.example", 80, nullptr}};
  options.proxy = {"http", "127.0.0.1", proxy.port(), "", ""};
  RealRest world(options);
  EXPECT_TRUE(world.Get().ok());
  EXPECT_THAT(seen, ::testing::StartsWith("GET http://api.example:80/x HTTP/1.1\r\n"));
}

TEST(RestTransport, TellsOfAProxyThatRefusesAndDoesNotTryAgain) {
  int asked = 0;
  TcpServer proxy([&](const std::string&) {
    ++asked;
    return "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
  });
  RestClientOptions options{.endpoint = {"api.example", 443, *TlsClientContext::Make({})}};
  options.proxy = {"http", "127.0.0.1", proxy.port(), "", ""};
  RealRest world(options);
  const auto answer = world.Get();
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().message(), HasSubstr("the proxy says 407"));
  EXPECT_EQ(asked, 1);
}

TEST(RestTransport, TrustsAnHttpsProxyAsItsServerUnlessToldOtherwise) {
  using tls_test_support::MakeIdentity;
  const auto ca = MakeIdentity({.name = "cluster CA", .authority = true});
  const auto web = MakeIdentity({.name = "web CA", .authority = true});
  const auto identity = MakeIdentity({.sans = "IP:127.0.0.1", .issuer = &web});
  TlsServer proxy(identity, nullptr, [](const testing::TlsRequest&) {
    return "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
  });
  RestClientOptions options;
  options.endpoint = {"api.example", 443, *TlsClientContext::Make({.ca_pem = ca.cert_pem})};
  options.proxy = {"https", "127.0.0.1", proxy.port(), "", ""};
  RealRest faithful(options);
  EXPECT_THAT(faithful.Get().error().message(), HasSubstr("not trusted"));
  options.proxy_tls = *TlsClientContext::Make({.ca_pem = web.cert_pem});
  RealRest told(options);
  EXPECT_THAT(told.Get().error().message(), HasSubstr("the proxy says 403 Forbidden"));
}

}  // namespace rest_transport_test
}  // namespace relist
