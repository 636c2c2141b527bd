#include "reflector/rest/exec_plugin.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <deque>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/runtime/sim_port.h"
#include "reflector/testing/real_rest.h"
#include "reflector/testing/tcp_server.h"
#include "reflector/testing/temporary_folder.h"

namespace relist {
namespace exec_plugin_test {

using testing::Answer;
using testing::BytesOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::Failure;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::RealRest;
using testing::TcpServer;
using testing::TemporaryFolder;
using testing::TlsRequest;
using testing::TlsServer;
using testing::WatchOf;
using tls_test_support::MakeIdentity;
using tls_test_support::TestIdentity;

constexpr const char* kV1 = "client.authentication.k8s.io/v1";

std::string Printed(const std::string& status) {
  return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":)" +
         status + "}";
}
std::string Token(const std::string& token, const std::string& expires = "") {
  return Printed(R"({"token":")" + token + "\"" +
                 (expires.empty() ? "" : R"(,"expirationTimestamp":")" + expires + "\"") + "}");
}

Task<void> PrepareInto(ExecPlugin& plugin, Signal& stop, std::optional<Result<void>>* into) {
  Task<Result<void>> ready = plugin.Prepare(stop);
  into->emplace(co_await ready);
}

// A plugin whose runs take a second of virtual time and print what the test says.
class ExecPluginTest : public ::testing::Test {
 protected:
  ExecPluginTest()
      : plugin_(loop_, {.api_version = kV1, .command = "plug", .install_hint = "get\n it"}, log_,
                [this](Loop&, ProcessSpec spec, Signal&) { return Run(std::move(spec)); }),
        scope_(loop_) {}

  Task<Result<ProcessOutput>> Run(ProcessSpec spec) {
    ++runs_;
    spec_ = std::move(spec);
    Task<void> pause = Sleep(loop_, Seconds(1));
    co_await pause;
    CHECK(!outputs_.empty(), "a run that the test did not expect");
    Result<ProcessOutput> output = std::move(outputs_.front());
    outputs_.pop_front();
    co_return output;
  }
  void Will(const std::string& text, int exit_code = 0) {
    outputs_.push_back(ProcessOutput{exit_code, 0, text});
  }
  std::string Prepare() {
    std::optional<Result<void>> result;
    scope_.Spawn(PrepareInto(plugin_, stop_, &result));
    loop_.RunUntil([&] { return result.has_value(); }, loop_.Now() + Seconds(100));
    CHECK(result.has_value(), "it never came back");
    return result->ok() ? "good" : result->error().message();
  }
  void RunFor(Duration d) {
    loop_.RunUntil([] { return false; }, loop_.Now() + d);
  }

  SimPort port_;
  Loop loop_{port_};
  std::shared_ptr<CollectedLog> log_ = std::make_shared<CollectedLog>();
  std::deque<Result<ProcessOutput>> outputs_;
  int runs_ = 0;
  ProcessSpec spec_;
  ExecPlugin plugin_;
  Signal stop_;
  TaskScope scope_;
};

TEST_F(ExecPluginTest, RunsOnceForAllWhoWait) {
  Will(Token("one"));
  std::optional<Result<void>> first, second;
  scope_.Spawn(PrepareInto(plugin_, stop_, &first));
  scope_.Spawn(PrepareInto(plugin_, stop_, &second));
  RunFor(Seconds(2));
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->ok() && second->ok());
  EXPECT_EQ(Prepare(), "good");
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(plugin_.token(), "one");
  EXPECT_EQ(plugin_.version(), 1u);
}

TEST_F(ExecPluginTest, RunsAgainWhenTheCredentialsHaveExpired) {
  Will(Token("one", "2026-01-01T00:01:00Z"));
  Will(Token("two"));
  EXPECT_EQ(Prepare(), "good");
  RunFor(Seconds(59));
  EXPECT_EQ(Prepare(), "good");
  EXPECT_EQ(runs_, 1) << "the last second counts";
  RunFor(Seconds(1));
  EXPECT_EQ(Prepare(), "good");
  EXPECT_EQ(plugin_.token(), "two");
}

TEST_F(ExecPluginTest, RunsAgainAfterA401AndOnceForAllWhoHadOne) {
  Will(Token("one"));
  Will(Token("two"));
  EXPECT_EQ(Prepare(), "good");
  plugin_.Refused(1);
  plugin_.Refused(1);
  EXPECT_EQ(Prepare(), "good") << "waits for the run";
  EXPECT_EQ(plugin_.token(), "two");
  plugin_.Refused(1);
  EXPECT_EQ(Prepare(), "good");
  EXPECT_EQ(runs_, 2) << "who was refused with old credentials may try the new ones first";
}

TEST_F(ExecPluginTest, KeepsWhatItHasWhereARunAfterA401Fails) {
  Will(Token("one"));
  Will("", 1);
  EXPECT_EQ(Prepare(), "good");
  plugin_.Refused(1);
  EXPECT_EQ(Prepare(), "good");
  EXPECT_EQ(plugin_.token(), "one");
  EXPECT_THAT(
      log_->lines(),
      ElementsAre("E refreshing credentials: exec: executable plug failed with exit code 1"));
}

TEST_F(ExecPluginTest, SaysWhyThereAreNoneAndRunsForTheNextWhoAsks) {
  outputs_.push_back(Error::Net(Transport::kTimeout, "plug did not end within 60.000 s"));
  Will("", 3);
  Will(Printed("{}"));
  Will(Printed(R"({"clientCertificateData":"x","clientKeyData":"y"})"));
  Will(Token("one"));
  EXPECT_EQ(Prepare(), "getting credentials: exec: plug did not end within 60.000 s");
  EXPECT_EQ(Prepare(), "getting credentials: exec: executable plug failed with exit code 3");
  EXPECT_EQ(Prepare(), "getting credentials: exec plugin didn't return a token or cert/key pair");
  EXPECT_THAT(Prepare(), HasSubstr("getting credentials: failed parsing client key/certificate: "));
  EXPECT_EQ(Prepare(), "good");
  EXPECT_THAT(log_->lines(), IsEmpty()) << "who asked was told";
}

TEST_F(ExecPluginTest, StopsWaitingAtOnce) {
  std::optional<Result<void>> result;
  scope_.Spawn(PrepareInto(plugin_, stop_, &result));
  stop_.Set();
  loop_.RunUntil([&] { return result.has_value(); }, loop_.Now());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->error().transport, Transport::kStopped);
}

TEST_F(ExecPluginTest, GivesThePluginTheEnvironmentWithItsOwnOnTop) {
  setenv("PLUGIN_A", "ours", 1);
  setenv("PLUGIN_B", "ours", 1);
  ExecPlugin plugin(loop_, {.api_version = kV1, .command = "plug", .env = {{"PLUGIN_A", "theirs"}}},
                    nullptr,
                    [this](Loop&, ProcessSpec spec, Signal&) { return Run(std::move(spec)); });
  Will(Token("one"));
  std::optional<Result<void>> result;
  scope_.Spawn(PrepareInto(plugin, stop_, &result));
  RunFor(Seconds(2));
  EXPECT_THAT(spec_.environment, Contains("PLUGIN_A=theirs"));
  EXPECT_THAT(spec_.environment, Contains("PLUGIN_B=ours"));
  EXPECT_THAT(spec_.environment, Contains(HasSubstr("KUBERNETES_EXEC_INFO={\"apiVersion\"")));
  EXPECT_EQ(spec_.deadline, Seconds(60));
}

TEST_F(ExecPluginTest, RefusesToAskSomebodyWhoIsNotThere) {
  if (isatty(STDIN_FILENO) == 1) GTEST_SKIP() << "standard input is a terminal";
  ExecPlugin plugin(
      loop_,
      {.api_version = kV1, .command = "plug", .interactive = ExecConfig::Interactive::kAlways},
      nullptr, [this](Loop&, ProcessSpec spec, Signal&) { return Run(std::move(spec)); });
  std::optional<Result<void>> result;
  scope_.Spawn(PrepareInto(plugin, stop_, &result));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->error().message(),
            "getting credentials: exec plugin cannot support interactive mode: standard input is "
            "not a terminal");
  EXPECT_EQ(runs_, 0);
}

// ---- Real programs

RestClientOptions WithPlugin(const std::string& program) {
  RestClientOptions options;
  options.exec = ExecConfig{.api_version = kV1, .command = program};
  // Milliseconds of these clocks are microseconds.
  options.exec->deadline = Seconds(9000);
  return options;
}

TEST(ExecPlugin, GetsItsTokenFromAProgramAndAnotherAfterA401) {
  TemporaryFolder folder;
  const std::string count = folder.path() + "/count";
  const std::string script = R"x(#!/bin/sh
echo x >> COUNT
printf '%s' 'PRINTED' | sed "s/NUMBER/$(wc -l < COUNT)/"
)x";
  std::string text = std::regex_replace(script, std::regex("COUNT"), count);
  text = std::regex_replace(text, std::regex("PRINTED"), Token("tNUMBER"));
  const std::string program = folder.WriteProgram("plugin", text);
  std::vector<std::string> tokens;
  TcpServer server([&](const std::string& head) {
    const size_t begin = head.find("Bearer ") + 7;
    tokens.push_back(head.substr(begin, head.find('\r', begin) - begin));
    return BytesOf(tokens.size() == 2 ? Failure(401, "Unauthorized") : Answer(200, "{}"));
  });
  RestClientOptions options = WithPlugin(program);
  options.endpoint = {"127.0.0.1", server.port(), nullptr};
  RealRest world(options);
  EXPECT_TRUE(world.Get().ok());
  EXPECT_FALSE(world.Get().ok());
  EXPECT_TRUE(world.Get().ok());
  EXPECT_THAT(tokens, ElementsAre("t1", "t1", "t2"));
}

TEST(ExecPlugin, ThatIsNotInstalledIsOneLineWithItsHint) {
  RestClientOptions options = WithPlugin("no-such-plugin");
  options.exec->install_hint = "Install it:\n  brew install plug\n";
  options.endpoint = {"127.0.0.1", 1, nullptr};
  RealRest world(options);
  EXPECT_EQ(world.Get().error().message(),
            "getting credentials: exec: executable no-such-plugin not found: Install it: brew "
            "install plug");
}

TEST(ExecPlugin, IsNotAskedWhereThereIsAToken) {
  RestClientOptions options = WithPlugin("no-such-plugin");
  options.bearer_token = "abc";
  testing::RestBench bench(options);
  bench.server.Then(Answer(200, "{}"));
  EXPECT_TRUE(bench.Get().ok());
}

TEST(ExecPlugin, GivesAClientCertificateAndEndsOpenWatchesWithAnother) {
  const TestIdentity ca = MakeIdentity({.name = "CA", .authority = true});
  const TestIdentity serving = MakeIdentity({.sans = "IP:127.0.0.1", .issuer = &ca});
  const TestIdentity jane = MakeIdentity({.name = "jane", .issuer = &ca});
  const TestIdentity john = MakeIdentity({.name = "john", .issuer = &ca});
  TemporaryFolder folder;
  const auto print = [&](const TestIdentity& identity) {
    nlohmann::json status = {{"clientCertificateData", identity.cert_pem},
                             {"clientKeyData", identity.key_pem}};
    folder.Write("printed", Printed(status.dump()));
  };
  print(jane);
  const std::string program =
      folder.WriteProgram("plugin", "#!/bin/sh\ncat " + folder.path() + "/printed\n");
  std::vector<std::string> clients;
  bool refuse = false;
  TlsServer server(serving, &ca, [&](const TlsRequest& request) {
    clients.push_back(request.client);
    if (request.head.starts_with("GET /w")) return BytesOf(WatchOf({}));
    return BytesOf(std::exchange(refuse, false) ? Failure(401, "Unauthorized") : Answer(200, "{}"));
  });
  RestClientOptions options = WithPlugin(program);
  options.tls = TlsSettings{.pem = {.ca_pem = ca.cert_pem}};
  options.endpoint = {"127.0.0.1", server.port(), *MakeTlsContext(&*options.tls)};
  RealRest world(options);
  auto stream = world.Watch();
  ASSERT_TRUE(stream.ok()) << stream.error().message();
  print(john);
  refuse = true;
  EXPECT_FALSE(world.Get().ok());
  EXPECT_TRUE(world.Get().ok());
  (*stream)->TryNext();
  EXPECT_TRUE((*stream)->ended());
  EXPECT_THAT(clients, ElementsAre("jane", "jane", "john"));
}

}  // namespace exec_plugin_test
}  // namespace relist
