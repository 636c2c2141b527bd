#include "tools/command/color.h"

#include <gtest/gtest.h>

namespace relist::command {
namespace {

TEST(Color, ByItselfItIsForTerminalsThatCan) {
  EXPECT_TRUE(WantsColor(ColorWhen::kAuto, true, nullptr, "xterm"));
  EXPECT_FALSE(WantsColor(ColorWhen::kAuto, false, nullptr, "xterm"));
  EXPECT_FALSE(WantsColor(ColorWhen::kAuto, true, nullptr, "dumb"));
  EXPECT_FALSE(WantsColor(ColorWhen::kAuto, true, nullptr, nullptr));
}

TEST(Color, NoColorIsForWhoeverSetsItToAnything) {
  EXPECT_FALSE(WantsColor(ColorWhen::kAuto, true, "1", "xterm"));
  EXPECT_FALSE(WantsColor(ColorWhen::kAuto, true, "0", "xterm"));
  EXPECT_TRUE(WantsColor(ColorWhen::kAuto, true, "", "xterm"));
}

TEST(Color, WhatWasAskedForOutweighsTheSurroundings) {
  EXPECT_TRUE(WantsColor(ColorWhen::kAlways, false, "1", "dumb"));
  EXPECT_FALSE(WantsColor(ColorWhen::kNever, true, nullptr, "xterm"));
}

}  // namespace
}  // namespace relist::command
