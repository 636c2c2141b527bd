#include "reflector/informers/informer_name.h"

#include <gmock/gmock.h>

namespace relist {
namespace informer_name_test {

using ::testing::ElementsAre;

const Resource kPods{"", "v1", "pods", "Pod", true};
const Resource kConfigMaps{"", "v1", "configmaps", "ConfigMap", true};

TEST(InformerName, IsTakenOnceUntilItIsReleased) {  // INF-16, TestNewInformerName
  InformerNames names;
  const auto first = names.Reserve("my-informer");
  ASSERT_TRUE(first.ok());
  EXPECT_EQ((*first)->name(), "my-informer");
  EXPECT_TRUE(names.Reserve("another").ok());
  const auto again = names.Reserve("my-informer");
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().message(), "informer name \"my-informer\" is already registered");
  const auto empty = names.Reserve("");
  ASSERT_FALSE(empty.ok());
  EXPECT_EQ(empty.error().message(), "informer name cannot be empty");
  (*first)->Release();
  EXPECT_TRUE(names.Reserve("my-informer").ok());
}

TEST(InformerName, HasEachResourceOnce) {  // INF-16, TestWithResource
  InformerNames names;
  const auto log = std::make_shared<CollectedLog>();
  const std::shared_ptr<InformerName> name = *names.Reserve("my-informer");
  const InformerIdentity pods = name->WithResource(kPods, log);
  EXPECT_TRUE(pods.Reserved());
  EXPECT_EQ(pods.name(), "my-informer");
  EXPECT_EQ(pods.resource(), kPods);
  EXPECT_TRUE(name->WithResource(kConfigMaps, log).Reserved());
  EXPECT_FALSE(name->WithResource(kPods, log).Reserved());
  EXPECT_THAT(std::dynamic_pointer_cast<CollectedLog>(log)->lines(),
              ElementsAre("E duplicate informer registration: my-informer pods"));
  EXPECT_FALSE(InformerIdentity().Reserved());
}

TEST(InformerName, LetsItsResourcesGoWhenItIsReleased) {  // INF-16, TestRelease
  InformerNames names;
  const std::shared_ptr<InformerName> name = *names.Reserve("my-informer");
  const InformerIdentity pods = name->WithResource(kPods, nullptr);
  name->Release();
  name->Release();
  EXPECT_FALSE(pods.Reserved());
  EXPECT_FALSE(name->WithResource(kConfigMaps, nullptr).Reserved());
  const auto next = names.Reserve("my-informer");
  ASSERT_TRUE(next.ok());
  EXPECT_TRUE((*next)->WithResource(kPods, nullptr).Reserved());
}

TEST(InformerName, IsReleasedWhenNobodyHasItAnyMore) {
  InformerNames names;
  InformerIdentity pods;
  {
    const std::shared_ptr<InformerName> name = *names.Reserve("my-informer");
    pods = name->WithResource(kPods, nullptr);
  }
  EXPECT_FALSE(pods.Reserved());
  EXPECT_TRUE(names.Reserve("my-informer").ok());
}

}  // namespace informer_name_test
}  // namespace relist
