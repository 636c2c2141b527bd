#include "fakeapi/store/store.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace store_test {

using nlohmann::ordered_json;

class StoreTest : public testing::Test, public CommitSink {
 protected:
  StoreTest() { store_.AddSink(this); }
  void OnCommit(const Commit& commit) override { commits_.push_back(commit); }

  static ordered_json ConfigMap(const std::string& value) {
    return {{"kind", "ConfigMap"},
            {"apiVersion", "v1"},
            {"metadata",
             {{"name", "a"}, {"namespace", "ns"}, {"uid", "u"}, {"labels", {{"app", "x"}}}}},
            {"data", {{"n", value}}}};
  }

  const ResourceType& configmaps_ = *FindResource("", "v1", "configmaps");
  const ResourceType& nodes_ = *FindResource("", "v1", "nodes");
  const ObjectKey key_{"ns", "a"};
  Store store_;
  std::vector<Commit> commits_;
};

TEST_F(StoreTest, AnObjectIsStoredWithItsRevisionAndWithoutKindAndApiVersion) {
  const StoredRef made = store_.Create(configmaps_, key_, ConfigMap("1"));
  EXPECT_EQ(made->bytes,
            R"({"metadata":{"name":"a","namespace":"ns","uid":"u","resourceVersion":"2",)"
            R"("labels":{"app":"x"}},"data":{"n":"1"}})");
  EXPECT_EQ(made->revision, 2u);
  EXPECT_EQ(made->uid, "u");
  EXPECT_EQ(made->labels.at("app"), "x");
  EXPECT_TRUE(made->fields.empty()) << "name and namespace are in the key";
  EXPECT_EQ(store_.Find(configmaps_, key_), made);
}

TEST_F(StoreTest, ARevisionThatTheWriterSentIsReplaced) {
  ordered_json value = ConfigMap("1");
  value["metadata"]["resourceVersion"] = "99";
  EXPECT_EQ(store_.Create(configmaps_, key_, value)->bytes.find("99"), std::string::npos);
}

TEST_F(StoreTest, AllResourcesShareOneClockAndADeletionMovesIt) {
  EXPECT_EQ(store_.Create(configmaps_, key_, ConfigMap("1"))->revision, 2u);
  EXPECT_EQ(store_.Create(nodes_, {"", "n"}, {{"metadata", {{"name", "n"}}}})->revision, 3u);
  EXPECT_EQ(store_.Replace(configmaps_, key_, ConfigMap("2"))->revision, 4u);
  EXPECT_EQ(store_.Delete(configmaps_, key_)->revision, 5u);
  EXPECT_EQ(store_.revision(), 5u);
  EXPECT_EQ(store_.All(configmaps_).size(), 0u);
}

TEST_F(StoreTest, ADeletedObjectIsItsLastStateAtTheDeletionsRevision) {
  store_.Create(configmaps_, key_, ConfigMap("1"));
  const StoredRef last = store_.Delete(configmaps_, key_);
  EXPECT_NE(last->bytes.find(R"("resourceVersion":"3")"), std::string::npos) << last->bytes;
  EXPECT_NE(last->bytes.find(R"("n":"1")"), std::string::npos);
  EXPECT_EQ(last->labels.at("app"), "x");
}

TEST_F(StoreTest, AResourceVersionInTheDataIsNotTakenForTheObjectsOwn) {
  const ordered_json value = {
      {"data", {{"resourceVersion", "7"}}},
      {"metadata", {{"annotations", {{"resourceVersion", "8"}}}, {"name", "a"}}}};
  const StoredRef made = store_.Create(configmaps_, key_, value);
  const ordered_json last = ordered_json::parse(store_.Delete(configmaps_, key_)->bytes);
  EXPECT_EQ(last["metadata"]["resourceVersion"], "3");
  EXPECT_EQ(last["data"]["resourceVersion"], "7");
  EXPECT_EQ(last["metadata"]["annotations"]["resourceVersion"], "8");
  EXPECT_EQ(made->revision, 2u);
}

TEST_F(StoreTest, SinksAreToldOfEveryCommitWithTheStateBefore) {
  store_.Create(configmaps_, key_, ConfigMap("1"));
  store_.Replace(configmaps_, key_, ConfigMap("2"));
  store_.Delete(configmaps_, key_);
  ASSERT_EQ(commits_.size(), 3u);
  EXPECT_EQ(commits_[0].type, EventType::kAdded);
  EXPECT_EQ(commits_[0].previous, nullptr);
  EXPECT_EQ(commits_[1].type, EventType::kModified);
  EXPECT_EQ(commits_[1].previous, commits_[0].object);
  EXPECT_EQ(commits_[2].type, EventType::kDeleted);
  EXPECT_EQ(commits_[2].previous, commits_[1].object);
  store_.RemoveSink(this);
  store_.Create(configmaps_, key_, ConfigMap("3"));
  EXPECT_EQ(commits_.size(), 3u);
}

TEST_F(StoreTest, TheClockGoesOnAfterAReset) {
  store_.Create(configmaps_, key_, ConfigMap("1"));
  const uint64_t before = store_.revision();
  store_.Reset();
  EXPECT_GT(store_.revision(), before);
  EXPECT_EQ(store_.Find(configmaps_, key_), nullptr);
}

TEST_F(StoreTest, AParsedObjectBeginsWithKindAndApiVersion) {
  const StoredRef made = store_.Create(configmaps_, key_, ConfigMap("1"));
  EXPECT_EQ(ToValue(configmaps_, *made).dump().substr(0, 50),
            R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{)");
}

TEST_F(StoreTest, KeysAreInEtcdsOrder) {
  for (const char* key : {"a/x", "a-b/x", "a/b", "ab/x"}) {
    store_.Create(configmaps_, ObjectKey::Parse(key), ConfigMap("1"));
  }
  std::string order;
  for (const auto& [key, object] : store_.All(configmaps_)) order += key.ToString() + " ";
  EXPECT_EQ(order, "a-b/x a/b a/x ab/x ");
}

TEST_F(StoreTest, FieldsHaveTheRealServersDefaults) {
  const ResourceType& pods = *FindResource("", "v1", "pods");
  const StoredRef pod = store_.Create(
      pods, key_,
      {{"metadata", {{"name", "a"}}}, {"spec", {{"nodeName", "n1"}, {"hostNetwork", true}}}});
  EXPECT_EQ(pod->fields.at("spec.nodeName"), "n1");
  EXPECT_EQ(pod->fields.at("spec.hostNetwork"), "true");
  EXPECT_EQ(pod->fields.at("spec.restartPolicy"), "Always");
  EXPECT_EQ(pod->fields.at("status.podIP"), "");
  const ResourceType& events = *FindResource("", "v1", "events");
  const StoredRef event = store_.Create(events, key_,
                                        {{"metadata", {{"name", "a"}}},
                                         {"involvedObject", {{"name", "p"}}},
                                         {"reportingComponent", "kubelet"}});
  EXPECT_EQ(event->fields.at("involvedObject.name"), "p");
  EXPECT_EQ(event->fields.at("source"), "kubelet");
}

}  // namespace store_test
}  // namespace relist::fakeapi
