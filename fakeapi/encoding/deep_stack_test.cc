#include "fakeapi/encoding/deep_stack.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <stdexcept>

namespace relist::fakeapi {
namespace deep_stack_test {

TEST(DeepStack, RunsWhatNeedsMoreThanAThreadHas) {
  // 64 KB a level: 2,000 levels are 128 MB.
  struct Frame {
    static int Down(int depth) {
      volatile char space[65536];
      space[0] = static_cast<char>(depth);
      return depth == 0 ? space[0] : 1 + Down(depth - 1);
    }
  };
  int reached = 0;
  RunOnDeepStack([&] { reached = Frame::Down(2000); });
  EXPECT_EQ(reached, 2000);
}

TEST(DeepStack, WhatIsThrownReachesTheCaller) {
  EXPECT_THROW(RunOnDeepStack([] { throw std::runtime_error("out"); }), std::runtime_error);
}

TEST(DeepStack, ShallowBytesNeedNoThread) {
  const auto here = pthread_self();
  bool same = false;
  WithStackFor("{\"a\":[1]}", [&] { same = pthread_equal(here, pthread_self()) != 0; });
  EXPECT_TRUE(same);
  WithStackFor(std::string(600, '['), [&] { same = pthread_equal(here, pthread_self()) != 0; });
  EXPECT_FALSE(same);
}

}  // namespace deep_stack_test
}  // namespace relist::fakeapi
