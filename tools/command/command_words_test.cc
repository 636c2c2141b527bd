#include "tools/command/command_words.h"

#include <gmock/gmock.h>

namespace relist::command {
namespace {

using testing::HasSubstr;

std::optional<KnownOption> FindAmong(const std::string& name) {
  if (name == "--token") return KnownOption{.takes_value = true, .name = name};
  if (name == "-n" || name == "--namespace") return KnownOption{.takes_value = true, .name = "ns"};
  if (name == "--objects") {
    return KnownOption{.takes_value = true, .repeatable = true, .name = name};
  }
  if (name == "--tls" || name == "-A") return KnownOption{.takes_value = false, .name = name};
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
                                                {"--objects", "a", "--objects=b"},
                                                {"--token", "a", "--", "--token", "b"},
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

TEST(CommandWords, AnOptionIsGivenOnce) {
  const std::string twice = "--token is given twice; once is right";
  EXPECT_EQ(Complaint({"--token", "a", "--token", "b"}), twice);
  EXPECT_EQ(Complaint({"--token=a", "x", "--token=a"}), twice);
  EXPECT_EQ(Complaint({"--tls", "--tls"}), "--tls is given twice; once is right");
  EXPECT_EQ(Complaint({"-AA"}), "-A is given twice; once is right");
  EXPECT_EQ(Complaint({"-na", "-n", "b"}), "-n is given twice; once is right");
  EXPECT_EQ(Complaint({"-na", "--namespace=b"}),
            "-n and --namespace are the same option: once is right");
}

TEST(CommandWords, AnUnknownOptionIsNamed) {
  EXPECT_THAT(Complaint({"--bogus", "x"}), HasSubstr("unknown option --bogus"));
  EXPECT_THAT(Complaint({"a", "--bogus=x"}), HasSubstr("unknown option --bogus"));
  EXPECT_THAT(Complaint({"-x"}), HasSubstr("unknown option -x"));
  EXPECT_THAT(Complaint({"-Ax"}), HasSubstr("unknown option -Ax"));
}

}  // namespace
}  // namespace relist::command
