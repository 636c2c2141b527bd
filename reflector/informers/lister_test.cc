#include "reflector/informers/lister.h"

#include <gmock/gmock.h>

#include "reflector/testing/fake_source.h"

namespace relist {
namespace lister_test {

using ::testing::ElementsAre;
using testing::FakeItem;
using ::testing::IsEmpty;
using testing::MakeObject;

const Resource kWidgets{"example.com", "v1", "widgets", "Widget", true};

struct Store {
  void Set(const FakeItem& item) { indexer.Set(MakeObject(item, "1")); }
  Indexer indexer;
};

template <class Ref>
std::vector<std::string> Keys(const std::vector<Ref>& objects) {
  std::vector<std::string> keys;
  for (const Ref& object : objects) keys.push_back(object->key().ToString());
  return keys;
}

void Fill(Store& store) {
  store.Set({.name = "a", .ns = "foo", .labels = {{"app", "web"}}});
  store.Set({.name = "b", .ns = "foo", .labels = {{"app", "db"}}});
  store.Set({.name = "c", .ns = "bar", .labels = {{"app", "web"}, {"tier", "1"}}});
  store.Set({.name = "d", .ns = "bar"});
}

TEST(Lister, SelectsByLabels) {  // TestListAll, TestListerListMethod
  Store store;
  Fill(store);
  const Lister lister(store.indexer, kWidgets);
  EXPECT_THAT(Keys(lister.List(LabelSelector::FromSet({{"app", "web"}}))),
              ElementsAre("bar/c", "foo/a"));
  EXPECT_THAT(Keys(lister.List(*LabelSelector::Parse("app!=web"))), ElementsAre("bar/d", "foo/b"));
  EXPECT_THAT(Keys(lister.List(*LabelSelector::Parse("nope"))), IsEmpty());
}

TEST(Lister, LooksAtNoLabelsForEverythingAndAtNoObjectsForNothing) {  // LST-01
  Store store;
  Fill(store);
  static int looks;
  looks = 0;
  const KnownLabels counting = [](const Object&) -> const StringMap* {
    ++looks;
    return nullptr;
  };
  EXPECT_EQ(ListAll(store.indexer, LabelSelector::Everything(), counting).size(), 4u);
  EXPECT_EQ(ListAll(store.indexer, LabelSelector::Nothing(), counting).size(), 0u);
  EXPECT_EQ(looks, 0);
  EXPECT_EQ(ListAllByNamespace(store.indexer, "foo", LabelSelector::Nothing(), nullptr).size(), 0u);
}

TEST(Lister, OfANamespaceUsesItsIndex) {  // TestNamespaceListMethod
  Store store;
  Fill(store);
  ASSERT_TRUE(store.indexer.AddIndexer(kNamespaceIndex, IndexByNamespace).ok());
  const auto log = std::make_shared<CollectedLog>();
  const Lister lister(store.indexer, kWidgets, log);
  EXPECT_THAT(Keys(lister.Namespace("foo").List(LabelSelector::Everything())),
              ElementsAre("foo/a", "foo/b"));
  EXPECT_THAT(Keys(lister.Namespace("bar").List(*LabelSelector::Parse("app=web"))),
              ElementsAre("bar/c"));
  EXPECT_THAT(Keys(lister.Namespace("nope").List(LabelSelector::Everything())), IsEmpty());
  EXPECT_EQ(lister.Namespace("").List(LabelSelector::Everything()).size(), 4u);
  EXPECT_THAT(log->lines(), IsEmpty());
}

TEST(Lister, OfANamespaceLooksAtAllWithoutItsIndexAndSaysSo) {  // LST-01
  Store store;
  Fill(store);
  const auto log = std::make_shared<CollectedLog>();
  const Lister lister(store.indexer, kWidgets, log);
  EXPECT_THAT(Keys(lister.Namespace("bar").List(*LabelSelector::Parse("app=web"))),
              ElementsAre("bar/c"));
  EXPECT_THAT(log->lines(),
              ElementsAre("W can not retrieve list of objects using index: Index with name "
                          "namespace does not exist"));
}

TEST(Lister,
     GetsByNameOrSaysWhatIsNotFound) {  // LST-01, TestListerGetMethod, TestNamespaceGetMethod
  Store store;
  Fill(store);
  store.Set({.name = "node-1", .ns = ""});
  const Lister lister(store.indexer, kWidgets);
  EXPECT_EQ((*lister.Get("foo/a"))->key().name, "a");
  EXPECT_EQ((*lister.Get("node-1"))->key().name, "node-1");
  EXPECT_EQ((*lister.Namespace("bar").Get("c"))->key().name, "c");
  const Result<ObjectRef> missing = lister.Namespace("bar").Get("a");
  ASSERT_FALSE(missing.ok());
  EXPECT_TRUE(IsNotFound(missing.error()));
  EXPECT_EQ(missing.error().message(), "widgets.example.com \"a\" not found");
  EXPECT_EQ(missing.error().status.code, 404);
  EXPECT_EQ(missing.error().status.reason, "NotFound");
  EXPECT_EQ(missing.error().status.details->name, "a");
  EXPECT_EQ(missing.error().status.details->group, "example.com");
  EXPECT_EQ(missing.error().status.details->kind, "widgets");
  EXPECT_EQ(lister.Get("foo/nope").error().message(), "widgets.example.com \"foo/nope\" not found");
}

// T's with labels of their own, and without.
struct Labelled {
  struct {
    StringMap labels;
  } metadata;
};
struct Plain {};

TEST(Lister, OfTsTakesTheirLabelsWhereTheyHaveSome) {
  const auto with = [](const FakeItem& item, const void* value, const Object::AttachedType& type) {
    const ObjectRef object = MakeObject(item, "1");
    object->Attach(value, type);
    return object;
  };
  Store labelled, plain;
  auto* value = new Labelled;
  value->metadata.labels = {{"from", "T"}};
  labelled.indexer.Set(
      with({.name = "a", .labels = {{"from", "bytes"}}}, value, kAttachedType<Labelled>));
  plain.indexer.Set(
      with({.name = "a", .labels = {{"from", "bytes"}}}, new Plain, kAttachedType<Plain>));
  const LabelSelector from_t = LabelSelector::FromSet({{"from", "T"}});
  const LabelSelector from_bytes = LabelSelector::FromSet({{"from", "bytes"}});
  EXPECT_EQ(TypedLister<Labelled>(labelled.indexer, kWidgets).List(from_t).size(), 1u);
  EXPECT_EQ(TypedLister<Labelled>(labelled.indexer, kWidgets).List(from_bytes).size(), 0u);
  EXPECT_EQ(TypedLister<Plain>(plain.indexer, kWidgets).List(from_bytes).size(), 1u);
}

}  // namespace lister_test
}  // namespace relist
