#include "reflector/rest/tls_source.h"

#include <gmock/gmock.h>

#include "reflector/testing/real_rest.h"
#include "reflector/testing/tcp_server.h"
#include "reflector/testing/temporary_folder.h"

namespace relist {
namespace tls_source_test {

using testing::Answer;
using testing::BytesOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::RealRest;
using testing::TemporaryFolder;
using testing::TlsRequest;
using testing::TlsServer;
using testing::WatchOf;
using tls_test_support::MakeIdentity;
using tls_test_support::TestIdentity;

class TlsSourceTest : public ::testing::Test {
 protected:
  TlsSettings Write(const TestIdentity& ca, const TestIdentity& client) {
    TlsSettings settings;
    settings.ca_file = folder_.Write("ca.crt", ca.cert_pem);
    settings.cert_file = folder_.Write("tls.crt", client.cert_pem);
    settings.key_file = folder_.Write("tls.key", client.key_pem);
    return settings;
  }
  TlsSource Source() {
    TlsSettings settings = Write(ca_, jane_);
    const auto context = MakeTlsContext(&settings);
    return {settings, *context, now_, log_};
  }

  TemporaryFolder folder_;
  const TestIdentity ca_ = MakeIdentity({.name = "CA", .authority = true});
  const TestIdentity other_ca_ = MakeIdentity({.name = "other CA", .authority = true});
  const TestIdentity jane_ = MakeIdentity({.name = "jane", .issuer = &ca_});
  const TestIdentity john_ = MakeIdentity({.name = "john", .issuer = &ca_});
  const TimePoint now_ = kSimulationEpoch;
  const std::shared_ptr<CollectedLog> log_ = std::make_shared<CollectedLog>();
};

TEST_F(TlsSourceTest, ReadsTheCertificateAgainForANewConnectionOnceASecond) {
  TlsSource source = Source();
  const auto first = source.Context(now_);
  Write(ca_, john_);
  EXPECT_EQ(source.Context(now_ + Seconds(1)), first);
  EXPECT_FALSE(source.TakeRotated());
  EXPECT_NE(source.Context(now_ + Seconds(2)), first);
  EXPECT_TRUE(source.TakeRotated());
  EXPECT_FALSE(source.TakeRotated());
  EXPECT_FALSE(source.CheckCertificate(now_ + Seconds(3))) << "nothing new";
  EXPECT_THAT(log_->lines(), ElementsAre("I the client certificate has changed: new connections "
                                         "use it"));
}

TEST_F(TlsSourceTest, KeepsTheCertificateWhereTheNewOneCannotBeUsed) {
  TlsSource source = Source();
  const auto first = source.Context(now_);
  folder_.Write("tls.crt", john_.cert_pem);  // the key is still jane's
  EXPECT_FALSE(source.CheckCertificate(now_));
  EXPECT_EQ(source.Context(now_), first);
  folder_.Remove("tls.key");
  EXPECT_FALSE(source.CheckCertificate(now_));
  EXPECT_THAT(log_->lines(), ElementsAre(HasSubstr("E the changed client certificate is not used"),
                                         HasSubstr("E Loading client cert failed: cannot read")));
  Write(ca_, john_);
  EXPECT_TRUE(source.CheckCertificate(now_));
  EXPECT_NE(source.Context(now_), first);
}

TEST_F(TlsSourceTest, ReadsTheAuthoritiesAgainEveryFiveMinutes) {
  TlsSource source = Source();
  const auto first = source.Context(now_);
  Write(other_ca_, jane_);
  EXPECT_FALSE(source.CheckAuthorities(now_ + Seconds(299)));
  EXPECT_TRUE(source.CheckAuthorities(now_ + Seconds(300)));
  EXPECT_NE(source.Context(now_), first);
  EXPECT_FALSE(source.CheckAuthorities(now_ + Seconds(600)));
  for (const char* bad : {"", "no certificate"}) {
    folder_.Write("ca.crt", bad);
    EXPECT_FALSE(source.CheckAuthorities(now_ + Seconds(1000 + 300 * std::string(bad).size())));
  }
  EXPECT_THAT(log_->lines(),
              ElementsAre("I the certificate authority has changed: new connections use it",
                          "E certificate-authority: " + folder_.path() + "/ca.crt is empty",
                          HasSubstr("E the changed certificate authority is not used")));
}

TEST_F(TlsSourceTest, LeavesWhatWasGivenAsDataAlone) {
  TlsSettings settings;
  settings.pem = {.ca_pem = ca_.cert_pem, .cert_pem = jane_.cert_pem, .key_pem = jane_.key_pem};
  TlsSource source(settings, *MakeTlsContext(&settings), now_, log_);
  EXPECT_FALSE(source.has_certificate_files());
  EXPECT_FALSE(source.CheckAuthorities(now_ + Seconds(1000)));
  EXPECT_FALSE(source.CheckCertificate(now_ + Seconds(1000)));
}

TEST_F(TlsSourceTest, NamesTheFileThatIsBad) {
  TlsSettings settings = Write(ca_, jane_);
  settings.key_file = "/nowhere";
  EXPECT_EQ(MakeTlsContext(&settings).error().message(), "client-key: cannot read /nowhere");
  settings.key_file = folder_.Write("tls.key", "");
  EXPECT_EQ(MakeTlsContext(&settings).error().message(),
            "client-key: " + folder_.path() + "/tls.key is empty");
}

TEST_F(TlsSourceTest, EndsOpenWatchesWhenTheirCertificateHasChanged) {
  const TestIdentity serving = MakeIdentity({.sans = "IP:127.0.0.1", .issuer = &ca_});
  std::vector<std::string> clients;
  TlsServer server(serving, &ca_, [&](const TlsRequest& request) {
    clients.push_back(request.client);
    return request.head.starts_with("GET /w") ? BytesOf(WatchOf({})) : BytesOf(Answer(200, "{}"));
  });
  TlsSettings settings = Write(ca_, jane_);
  RestClientOptions options;
  options.endpoint = {"127.0.0.1", server.port(), *MakeTlsContext(&settings)};
  options.tls = settings;
  RealRest world(options);
  ASSERT_TRUE(world.Get().ok());
  auto stream = world.Watch();
  ASSERT_TRUE(stream.ok());
  Write(ca_, john_);
  EXPECT_TRUE(world.Until([&] {
    (*stream)->TryNext();
    return (*stream)->ended();
  })) << "five minutes are a second here";
  ASSERT_TRUE(world.Get().ok());
  EXPECT_THAT(clients, ElementsAre("jane", "jane", "john"));
}

TEST_F(TlsSourceTest, UsesNewAuthoritiesForNewConnectionsAndLeavesOpenWatchesAlone) {
  const TestIdentity serving = MakeIdentity({.sans = "IP:127.0.0.1", .issuer = &ca_});
  const TestIdentity renewed = MakeIdentity({.sans = "IP:127.0.0.1", .issuer = &other_ca_});
  TlsServer server(serving, nullptr, [&](const TlsRequest& request) {
    return request.head.starts_with("GET /w") ? BytesOf(WatchOf({})) : BytesOf(Answer(200, "{}"));
  });
  TlsSettings settings;
  settings.ca_file = folder_.Write("ca.crt", ca_.cert_pem);
  RestClientOptions options;
  options.endpoint = {"127.0.0.1", server.port(), *MakeTlsContext(&settings)};
  options.tls = settings;
  options.idle_timeout = Seconds(100000);
  RealRest world(options);
  auto stream = world.Watch();
  ASSERT_TRUE(stream.ok());
  ASSERT_TRUE(world.Get().ok());
  ASSERT_TRUE(world.Get().ok());
  EXPECT_EQ(server.connections(), 2u);
  folder_.Write("ca.crt", other_ca_.cert_pem);
  server.SetIdentity(renewed, nullptr);
  world.RunFor(Seconds(301));
  ASSERT_TRUE(world.Get().ok()) << "on a new connection";
  EXPECT_EQ(server.connections(), 3u);
  (*stream)->TryNext();
  EXPECT_FALSE((*stream)->ended());
}

}  // namespace tls_source_test
}  // namespace relist
