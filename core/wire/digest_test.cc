#include "core/wire/digest.h"

#include <gtest/gtest.h>

#include <set>

namespace relist {
namespace {

std::string Bytes(size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) text += static_cast<char>('a' + i * 7 % 26);
  return text;
}

TEST(DigestTest, IsTheSameHoweverTheBytesAreCut) {
  const std::string text = Bytes(100);
  const uint64_t whole = Digest().Add(text).value();
  for (size_t first = 0; first <= text.size(); ++first) {
    for (size_t second = first; second <= text.size(); second += 9) {
      const uint64_t pieces = Digest()
                                  .Add(text.substr(0, first))
                                  .Add(text.substr(first, second - first))
                                  .Add(text.substr(second))
                                  .value();
      ASSERT_EQ(pieces, whole) << first << " " << second;
    }
  }
}

TEST(DigestTest, SeesEveryByteAndTheLength) {
  std::set<uint64_t> seen;
  for (size_t size = 0; size < 100; ++size) {
    EXPECT_TRUE(seen.insert(Digest().Add(Bytes(size)).value()).second) << size;
    EXPECT_TRUE(seen.insert(Digest().Add(Bytes(size) + '\0').value()).second) << size;
  }
  for (size_t at = 0; at < 99; ++at) {
    std::string text = Bytes(99);
    text[at] = '!';
    EXPECT_TRUE(seen.insert(Digest().Add(text).value()).second) << at;
  }
}

TEST(DigestTest, ItsTextIsTheSameOnEveryMachine) {
  EXPECT_EQ(Digest().Add("{\"type\":\"ADDED\"}\n").Text(), "940d9945b4b4");
  EXPECT_EQ(Digest::Parse(Digest().Add("a").Text()), Digest().Add("a").value());
  for (const char* bad : {"", "12", "00000000000g", "0000000000000"}) {
    EXPECT_EQ(Digest::Parse(bad), std::nullopt) << bad;
  }
}

}  // namespace
}  // namespace relist
