#include "core/net/canonical_sha256.h"

#include <gtest/gtest.h>

namespace relist {
namespace {

// printf '%s' '{"data":{"a":"1","b":"é"},"metadata":{"name":"a","namespace":"default",
// "resourceVersion":"7","uid":"u1"}}' | sha256sum, on one line
constexpr char kConfigMapHash[] =
    "be32952bed3c1583d8bab8943a3c88cfcd71665c69ee84943ca9d6a3b39d313d";

TEST(CanonicalSha256, IsOfSortedKeysAndLeavesOutWhatListsLeaveOut) {
  const Result<ObjectRef> in_watch = Object::Parse(
      R"({"kind":"ConfigMap","apiVersion":"v1","data":{"a":"1","b":"é"},"metadata":{"resourceVersion":"7","uid":"u1","namespace":"default","name":"a"}})");
  ASSERT_TRUE(in_watch.ok());
  EXPECT_EQ(CanonicalSha256(**in_watch), kConfigMapHash);
}

}  // namespace
}  // namespace relist
