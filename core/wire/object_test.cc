#include "core/wire/object.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "core/wire/resource.h"
#include "core/wire/watch_event.h"

namespace relist::object_test {

constexpr const char* kWeb =
    R"({"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"default","name":"web","uid":"u1","resourceVersion":"7"}})";

TEST(Object, ReadsItsHeadAndKeepsItsBytes) {
  const Result<ObjectRef> object = Object::Parse(kWeb);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ((*object)->key(), (ObjectKey{"default", "web"}));
  EXPECT_EQ((*object)->uid(), "u1");
  EXPECT_EQ((*object)->resource_version(), "7");
  EXPECT_EQ((*object)->kind(), "Pod");
  EXPECT_EQ((*object)->api_version(), "v1");
  EXPECT_EQ((*object)->bytes(), kWeb);
  EXPECT_EQ((*object)->json()["metadata"]["name"], "web");
}

TEST(Object, SharesBytesThatSomebodyElseKeeps) {
  const auto bytes = std::make_shared<const std::string>(kWeb);
  const Object object(bytes, {});
  EXPECT_EQ(object.bytes().data(), bytes->data());
  EXPECT_EQ(object.json()["metadata"]["uid"], "u1");
}

TEST(Object, TellsAUidThatIsSpeltOtherwiseInItsBytes) {
  const Result<ObjectRef> escaped = Object::Parse(R"({"metadata":{"uid":"u\u0031"}})");
  ASSERT_TRUE(escaped.ok());
  EXPECT_EQ((*escaped)->uid(), "u1");
  EXPECT_EQ(Object("{}", {.key = {}, .uid = "u2"}).uid(), "u2");
  EXPECT_EQ(Object("{}", {}).uid(), "");
}

TEST(Object, SharesTheNamesOfItsType) {
  const auto of = [](const std::string& kind, const std::string& version) {
    return std::make_unique<Object>("{}", Object::Head{{}, "", "", kind, version});
  };
  const auto a = of("Pod", "v1"), b = of("Pod", "v1"), c = of("Pod", "v2"), d = of("Pod", "v1");
  EXPECT_EQ(&a->kind(), &b->kind());
  EXPECT_EQ(c->api_version(), "v2");
  EXPECT_EQ(d->kind(), "Pod");
  EXPECT_EQ(a->api_version(), "v1") << "whatever came after it";
}

TEST(Object, WithoutMetadataOrOfOddTypesHasAnEmptyHead) {
  for (const char* bytes :
       {"{}", R"({"metadata":7})", R"({"metadata":{"name":7}})", R"({"kind":[]})"}) {
    const Result<ObjectRef> object = Object::Parse(bytes);
    ASSERT_TRUE(object.ok()) << bytes;
    EXPECT_EQ((*object)->key(), ObjectKey{}) << bytes;
    EXPECT_EQ((*object)->kind(), "") << bytes;
  }
}

TEST(Object, RefusesWhatIsNoJsonObject) {
  for (const char* bytes : {"", "{", "nonsense", "{} {}", "{\"a\":1,}"}) {
    const Result<ObjectRef> object = Object::Parse(bytes);
    ASSERT_FALSE(object.ok()) << bytes;
    EXPECT_EQ(object.error().transport, Transport::kProtocol);
    EXPECT_EQ(object.error().message(), "not JSON");
  }
  for (const char* bytes : {"[]", "7", "null", "\"text\""}) {
    const Result<ObjectRef> object = Object::Parse(bytes);
    ASSERT_FALSE(object.ok()) << bytes;
    EXPECT_EQ(object.error().message(), "JSON, but not an object");
  }
}

TEST(Object, RefusesWhatNestsTooDeepWithoutTouchingIt) {
  const auto nested = [](int levels) {
    std::string bytes = "{\"a\":";
    bytes += std::string(static_cast<size_t>(levels - 1), '[');
    bytes += std::string(static_cast<size_t>(levels - 1), ']');
    return bytes + "}";
  };
  EXPECT_TRUE(Object::Parse(nested(kJsonDepthMax)).ok());
  const Result<ObjectRef> deep = Object::Parse(nested(kJsonDepthMax + 1));
  ASSERT_FALSE(deep.ok());
  EXPECT_EQ(deep.error().transport, Transport::kProtocol);
  EXPECT_EQ(deep.error().message(), "JSON nests deeper than 10000");
  EXPECT_FALSE(Object::Parse(nested(1000000)).ok());
}

TEST(Object, OfDuplicateKeysTheLastWins) {
  const Result<ObjectRef> object = Object::Parse(
      R"({"metadata":{"name":"first","name":"second"},"data":{"k":"1"},"data":{"k":"2"}})");
  ASSERT_TRUE(object.ok());
  EXPECT_EQ((*object)->key().name, "second");
  EXPECT_EQ((*object)->json()["data"]["k"], "2");
}

TEST(Object, InvalidUtf8BecomesTheReplacementCharacterEverywhere) {
  const Result<ObjectRef> object =
      Object::Parse("{\"metadata\":{\"name\":\"a\xFF\"},\"data\":{\"k\":\"\xC3\"}}");
  ASSERT_TRUE(object.ok());
  EXPECT_EQ((*object)->key().name, "a\xEF\xBF\xBD");
  EXPECT_EQ((*object)->json()["data"]["k"], "\xEF\xBF\xBD");
  EXPECT_NO_THROW((void)(*object)->json().dump());
  EXPECT_EQ((*object)->bytes(),
            "{\"metadata\":{\"name\":\"a\xEF\xBF\xBD\"},\"data\":{\"k\":\"\xEF\xBF\xBD\"}}");
}

TEST(Object, MadeOfUncheckedBytesStillGivesJson) {
  const Object mended("{\"a\":\"\xFF\"}", {});
  EXPECT_EQ(mended.json()["a"], "\xEF\xBF\xBD");
  EXPECT_EQ(mended.bytes(), "{\"a\":\"\xFF\"}");
  const Object broken("{\"a\":", {});
  EXPECT_TRUE(broken.json().is_object());
  EXPECT_TRUE(broken.json().empty());
  const Object list("[1]", {});
  EXPECT_TRUE(list.json().is_object());
}

TEST(Object, FromJsonIsSerialisedOnceWithSortedKeys) {
  const ObjectRef object =
      Object::FromJson({{"metadata", {{"name", "n"}}}, {"kind", "K"}, {"bad", "\xFF"}});
  EXPECT_EQ(object->bytes(),
            "{\"bad\":\"\xEF\xBF\xBD\",\"kind\":\"K\",\"metadata\":{\"name\":\"n\"}}");
  EXPECT_EQ(object->key().name, "n");
  EXPECT_THROW(Object::FromJson(nlohmann::json::array()), CheckFailed);
}

TEST(Object, IsParsedOnceThoughManyThreadsAsk) {
  const ObjectRef object = *Object::Parse(kWeb);
  std::vector<const nlohmann::json*> seen(4);
  std::vector<std::thread> threads;
  for (auto& one : seen) threads.emplace_back([&object, &one] { one = &object->json(); });
  for (std::thread& thread : threads) thread.join();
  for (const auto* one : seen) EXPECT_EQ(one, seen[0]);
}

int destroyed = 0;
constexpr Object::AttachedType kCounted{[](const void*) { ++destroyed; }};
constexpr Object::AttachedType kOther{[](const void*) {}};

TEST(Object, KeepsOneValueThatWasMadeOfItAndFreesIt) {
  destroyed = 0;
  const int value = 7;
  {
    const ObjectRef object = *Object::Parse("{}");
    EXPECT_FALSE(object->has_attached(kCounted));
    EXPECT_EQ(object->attached(kCounted), nullptr);
    object->Attach(&value, kCounted);
    EXPECT_TRUE(object->has_attached(kCounted));
    EXPECT_EQ(object->attached(kCounted), &value);
    EXPECT_FALSE(object->has_attached(kOther));
    EXPECT_EQ(object->attached(kOther), nullptr);
    EXPECT_THROW(object->Attach(&value, kOther), CheckFailed);
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
  {
    const ObjectRef object = *Object::Parse("{}");
    object->Attach(nullptr, kCounted);  // none could be made
    EXPECT_TRUE(object->has_attached(kCounted));
    EXPECT_EQ(object->attached(kCounted), nullptr);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST(ObjectKey, IsWrittenAndReadAsClientGoDoes) {
  EXPECT_EQ((ObjectKey{"default", "web"}).ToString(), "default/web");
  EXPECT_EQ((ObjectKey{"", "node-1"}).ToString(), "node-1");
  EXPECT_EQ(ObjectKey::Parse("default/web"), (ObjectKey{"default", "web"}));
  EXPECT_EQ(ObjectKey::Parse("node-1"), (ObjectKey{"", "node-1"}));
  EXPECT_EQ(ObjectKey::Parse("a/b/c"), (ObjectKey{"a", "b/c"}));
}

TEST(ObjectKey, IsOrderedAsItsTextWithASlash) {
  EXPECT_LT((ObjectKey{"a-b", "x"}), (ObjectKey{"a", "x"})) << "'-' comes before '/'";
  EXPECT_LT((ObjectKey{"a", "x"}), (ObjectKey{"ab", "x"}));
  EXPECT_LT((ObjectKey{"a", "z"}), (ObjectKey{"b", "a"}));
  EXPECT_LT((ObjectKey{"a", "a"}), (ObjectKey{"a", "b"}));
  EXPECT_LT((ObjectKey{"", "z"}), (ObjectKey{"a", "a"}));
}

TEST(Resource, GivesTheUrlPathsOfItsScope) {
  const Resource deployments{"apps", "v1", "deployments", "Deployment", true};
  EXPECT_EQ(deployments.Path("default"), "/apis/apps/v1/namespaces/default/deployments");
  EXPECT_EQ(deployments.Path(""), "/apis/apps/v1/deployments");
  EXPECT_EQ(deployments.Path("default", "web"), "/apis/apps/v1/namespaces/default/deployments/web");
  EXPECT_EQ(deployments.GroupVersion(), "apps/v1");
  EXPECT_EQ(deployments.GroupResource(), "deployments.apps");
  const Resource nodes{"", "v1", "nodes", "Node", false};
  EXPECT_EQ(nodes.Path("ignored"), "/api/v1/nodes");
  EXPECT_EQ(nodes.GroupVersion(), "v1");
  EXPECT_EQ(nodes.GroupResource(), "nodes");
}

TEST(WatchEvent, TypesAreReadAsTheyAreWritten) {
  for (EventType type : {EventType::kAdded, EventType::kModified, EventType::kDeleted,
                         EventType::kBookmark, EventType::kError}) {
    EXPECT_EQ(ParseEventType(Name(type)), type);
  }
  EXPECT_EQ(Name(EventType::kBookmark), "BOOKMARK");
  EXPECT_EQ(ParseEventType("added"), std::nullopt);
  EXPECT_EQ(ParseEventType(""), std::nullopt);
}

}  // namespace relist::object_test
