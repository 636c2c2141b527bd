#include "tools/command/command_words.h"

#include <gmock/gmock.h>

namespace relist::command {
namespace {

using testing::HasSubstr;

std::optional<KnownOption> FindAmong(const std::string& name) {
  if (name == "--token" || name == "-n") return KnownOption{.takes_value = true};
  if (name == "--tls" || name == "-A") return KnownOption{.takes_value = false};
  return std::nullopt;
}

std::string Complaint(const std::vector<std::string>& words) {
  const Result<void> checked = CheckWords("serve", words, FindAmong);
  return checked.ok() ? "" : checked.error().message();
}

TEST(CommandWords, GoodWordsPass) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"--tls", "--token", "t"},
                                                {"--token=t"},
                                                {"--token=-t"},
                                                {"-n", "team"},
                                                {"-nteam", "-A"},
                                                {"--token", "-1"},
                                                {"a", "-", "--", "--bogus"}}) {
    EXPECT_EQ(Complaint(words), "") << testing::PrintToString(words);
  }
}

TEST(CommandWords, AnEmptyWordIsRefusedWhereverItStands) {
  EXPECT_THAT(Complaint({"--token", ""}), HasSubstr("--token: the value is empty"));
  EXPECT_THAT(Complaint({"--token=", "--tls"}), HasSubstr("--token: the value is empty"));
  EXPECT_THAT(Complaint({"-n", ""}), HasSubstr("-n: the value is empty"));
  EXPECT_THAT(Complaint({""}), HasSubstr("an argument is empty"));
  EXPECT_THAT(Complaint({"--", ""}), HasSubstr("an argument is empty"));
}

TEST(CommandWords, AValueIsNotTakenFromTheNextOption) {
  EXPECT_THAT(Complaint({"--token", "--tls"}), HasSubstr("--token=--tls"));
  EXPECT_THAT(Complaint({"--token"}), HasSubstr("--token: its value is missing"));
}

TEST(CommandWords, AnUnknownOptionIsNamed) {
  EXPECT_THAT(Complaint({"--bogus", "x"}), HasSubstr("unknown option --bogus"));
  EXPECT_THAT(Complaint({"a", "--bogus=x"}), HasSubstr("unknown option --bogus"));
  EXPECT_THAT(Complaint({"-x"}), HasSubstr("unknown option -x"));
  EXPECT_THAT(Complaint({"-Ax"}), HasSubstr("unknown option -Ax"));
}

}  // namespace
}  // namespace relist::command
