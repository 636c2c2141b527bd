#include "fakeapi/answer/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace relist::fakeapi {
namespace health_test {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// "200 ok"; "none" where the path is no check's.
std::string Ask(const std::string& path, const HeaderList& query = {}, bool caches_ready = true) {
  const std::optional<Response> response = AnswerHealth(path, query, caches_ready);
  if (!response) return "none";
  return std::to_string(response->status) + " " + response->BodyText();
}

TEST(Health, IsOkInAWord) {
  for (const char* path : {"/healthz", "/livez", "/readyz", "/livez/ping", "/readyz/shutdown",
                           "/healthz/poststarthook/crd-informer-synced"}) {
    EXPECT_EQ(Ask(path), "200 ok") << path;
  }
}

TEST(Health, HasNoOtherChecksThanTheRealServers) {
  for (const char* path :
       {"/healthz/", "/readyz/", "/readyz/ping/", "/readyz/nope", "/healthzz", "/livez/shutdown",
        "/livez/informer-sync", "/readyz/poststarthook", "/livez/ping/x", "/", ""}) {
    EXPECT_EQ(Ask(path), "none") << path;
  }
}

TEST(Health, TellsOfEachCheckWhereThatIsAsked) {
  const std::string ready = Ask("/readyz", {{"verbose", "false"}});
  EXPECT_THAT(ready, StartsWith("200 [+]ping ok\n[+]log ok\n[+]etcd ok\n[+]etcd-readiness ok\n"
                                "[+]informer-sync ok\n[+]poststarthook/start-apiserver-admission"));
  EXPECT_THAT(ready, EndsWith("[+]shutdown ok\nreadyz check passed\n"));
  const std::string live = Ask("/livez", {{"verbose", ""}});
  EXPECT_THAT(live, HasSubstr("[+]log ok\n[+]loopback-serving-certificate ok\n[+]etcd ok\n"));
  EXPECT_THAT(live, EndsWith("apiservice-openapiv3-controller ok\nlivez check passed\n"));
}

TEST(Health, FailsVerboselyWhileTheCachesAreNotReady) {
  for (const std::string root : {"healthz", "livez", "readyz"}) {
    const std::string text = Ask("/" + root, {}, false);
    EXPECT_THAT(text, StartsWith("500 [+]ping ok\n"));
    EXPECT_THAT(text, HasSubstr("\n[-]poststarthook/storage-readiness failed: reason withheld\n"));
    EXPECT_THAT(text, EndsWith("\n" + root + " check failed\n"));
  }
  EXPECT_EQ(Ask("/readyz/poststarthook/storage-readiness", {}, false),
            "500 internal server error: not finished\n");
  EXPECT_EQ(Ask("/readyz/etcd", {}, false), "200 ok");
}

TEST(Health, LeavesOutWhatIsExcludedAndWarnsOfWhatItDoesNotKnow) {
  const HeaderList query = {{"exclude", "poststarthook/storage-readiness"}, {"exclude", "ping"}};
  EXPECT_EQ(Ask("/readyz", query, false), "200 ok");
  HeaderList verbose = query;
  verbose.emplace_back("verbose", "");
  const std::string text = Ask("/readyz", verbose, false);
  EXPECT_THAT(text, StartsWith("200 [+]ping excluded: ok\n[+]log ok\n"));
  EXPECT_THAT(text, HasSubstr("[+]poststarthook/storage-readiness excluded: ok\n"));
  EXPECT_THAT(text, Not(HasSubstr("warn")));
  EXPECT_THAT(Ask("/livez", {{"exclude", "z"}, {"exclude", "a"}, {"verbose", ""}}),
              EndsWith("warn: some health checks cannot be excluded: no matches for \"a\", \"z\"\n"
                       "livez check passed\n"));
}

}  // namespace health_test
}  // namespace relist::fakeapi
