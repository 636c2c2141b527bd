#include "reflector/log.h"

#include <gmock/gmock.h>

namespace relist::log_test {

using ::testing::ElementsAre;

TEST(Log, SaysOneLineWhateverTheServerSaid) {
  const auto log = std::make_shared<CollectedLog>();
  Say(log, LogLevel::kError, "a\nb\x1b[31m\xff");
  Say(log, LogLevel::kInfo, std::string(5000, 'x'));
  Say(nullptr, LogLevel::kError, "nobody");
  EXPECT_THAT(log->lines(),
              ElementsAre("E a\\nb\\x1b[31m\uFFFD", "I " + std::string(2048, 'x') + "..."));
}

TEST(Log, WritesToStandardError) {
  ::testing::internal::CaptureStderr();
  Say(StderrLog(), LogLevel::kWarning, "watch of pods: 410");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "W relist: watch of pods: 410\n");
}

}  // namespace relist::log_test
