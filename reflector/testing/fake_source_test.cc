#include "reflector/testing/fake_source.h"

#include <gmock/gmock.h>

namespace relist {
namespace fake_source_test {

using ::testing::ElementsAre;
using testing::FakeSource;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Drain(WatchStream& stream) {
  std::vector<std::string> versions;
  while (std::optional<WatchEvent> event = stream.TryNext()) {
    versions.push_back(event->object->resource_version());
  }
  return versions;
}

std::vector<std::string> WatchedFrom(FakeSource& source, const std::string& version) {
  Result<std::unique_ptr<WatchStream>> stream = source.WatchFrom(version);
  EXPECT_TRUE(stream.ok()) << version;
  return stream.ok() ? Drain(**stream) : std::vector<std::string>();
}

std::string RefusalOf(FakeSource& source, const std::string& version) {
  const Result<std::unique_ptr<WatchStream>> stream = source.WatchFrom(version);
  return stream.ok() ? "" : stream.error().message();
}

TEST(FakeSource, WatchesFromEachVersionThatItRemembers) {  // TestRCNumber
  FakeSource source;
  source.Add({.name = "foo"});
  source.Modify({.name = "foo"});
  source.Modify({.name = "foo"});
  EXPECT_THAT(WatchedFrom(source, "1"), ElementsAre("2", "3"));
  EXPECT_THAT(WatchedFrom(source, "2"), ElementsAre("3"));
  EXPECT_THAT(WatchedFrom(source, "3"), IsEmpty());
  EXPECT_EQ(source.version(), 3);
}

TEST(FakeSource, ForgetsWhatWasWhenItsWatchesAreReset) {  // TestResetWatch
  FakeSource source;
  source.Add({.name = "foo"});
  source.Modify({.name = "foo"});
  source.Modify({.name = "foo"});
  Result<std::unique_ptr<WatchStream>> before = source.WatchFrom("3");
  source.ResetWatch();
  EXPECT_TRUE((*before)->ended());
  EXPECT_EQ(RefusalOf(source, "1"), "too old resource version: 1 (3)");
  EXPECT_EQ(source.WatchFrom("1").error().status.code, 410);
  Result<std::unique_ptr<WatchStream>> stream = source.WatchFrom("3");
  ASSERT_TRUE(stream.ok());
  source.Modify({.name = "foo"});
  EXPECT_THAT(Drain(**stream), ElementsAre("4"));
  EXPECT_EQ(RefusalOf(source, "2"), "too old resource version: 2 (4)");
}

TEST(FakeSource, RefusesVersionsThatAreNone) {
  FakeSource source;
  EXPECT_THAT(RefusalOf(source, ""), HasSubstr("is no version"));
  EXPECT_THAT(RefusalOf(source, "x"), HasSubstr("is no version"));
  EXPECT_THAT(RefusalOf(source, "1"), HasSubstr("of the future"));
}

TEST(FakeSource, KeepsFromItsWatchersWhatItIsAskedTo) {
  FakeSource source;
  Result<std::unique_ptr<WatchStream>> stream = source.WatchFrom("0");
  source.AddDropWatch({.name = "a"});
  source.ModifyDropWatch({.name = "a"});
  source.Add({.name = "b"});
  source.DeleteDropWatch({.name = "b"});
  EXPECT_THAT(Drain(**stream), ElementsAre("3"));
}

}  // namespace fake_source_test
}  // namespace relist
