#include "tools/command/client_protocol.h"

#include <gtest/gtest.h>

namespace relist::command {
namespace {

ObjectRef ProtocolObject(const std::string& bytes) {
  Result<ObjectRef> object = Object::Parse(bytes);
  EXPECT_TRUE(object.ok());
  return *object;
}

constexpr char kConfigMap[] =
    R"({"metadata":{"name":"a","namespace":"default","uid":"u1","resourceVersion":"7"},"data":{"b":"é","a":"1"}})";
// printf '%s' '{"data":{"a":"1","b":"é"},"metadata":{"name":"a","namespace":"default",
// "resourceVersion":"7","uid":"u1"}}' | sha256sum, on one line
constexpr char kConfigMapSha[] = "be32952bed3c1583d8bab8943a3c88cfcd71665c69ee84943ca9d6a3b39d313d";

TEST(ClientProtocol, AnEventTellsWhoAndWhichVersion) {
  const ObjectRef object = ProtocolObject(kConfigMap);
  EXPECT_EQ(
      AddedLine(*object, 12),
      R"({"type":"added","namespace":"default","name":"a","uid":"u1","resourceVersion":"7","t":12,"sha256":")" +
          std::string(kConfigMapSha) + "\"}\n");
}

TEST(ClientProtocol, AModifiedTellsTheOldVersionAndADeletedWhetherItsEndWasSeen) {
  const ObjectRef old_object = ProtocolObject(kConfigMap);
  const ObjectRef object = ProtocolObject(
      R"({"metadata":{"name":"a","namespace":"default","uid":"u1","resourceVersion":"9"}})");
  EXPECT_NE(ModifiedLine(*old_object, *object, 1).find(R"("old":{"resourceVersion":"7"})"),
            std::string::npos);
  EXPECT_NE(DeletedLine(*object, true, 1).find(R"("tombstone":true)"), std::string::npos);
  EXPECT_EQ(DeletedLine(*object, false, 1).find("tombstone"), std::string::npos);
}

TEST(ClientProtocol, AStoreListsItsItemsAndAClusterScopedOneHasNoNamespace) {
  const ObjectRef node =
      ProtocolObject(R"({"metadata":{"name":"n1","uid":"u2","resourceVersion":"8"}})");
  EXPECT_EQ(StoreLine({node}, 9),
            "{\"type\":\"store\",\"t\":9,\"items\":[{\"name\":\"n1\",\"uid\":\"u2\","
            "\"resourceVersion\":\"8\"}]}\n");
  EXPECT_EQ(StoreLine({}, 0), "{\"type\":\"store\",\"t\":0,\"items\":[]}\n");
}

TEST(ClientProtocol, AMessageWithBrokenBytesIsStillOneLineOfJson) {
  EXPECT_EQ(ErrorLine(true, "bad \xff\n"),
            "{\"type\":\"error\",\"terminal\":true,\"message\":\"bad \xef\xbf\xbd\\n\"}\n");
  EXPECT_EQ(SyncedLine(5), "{\"type\":\"synced\",\"t\":5}\n");
}

}  // namespace
}  // namespace relist::command
