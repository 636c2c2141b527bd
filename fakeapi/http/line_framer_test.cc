#include "fakeapi/http/line_framer.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace {

using End = LineFraming::End;

TEST(LineFramerTest, ChunksHaveAsManyBytesAsTheyMay) {
  EXPECT_EQ(ChunksOf("abcde", 2), "2\r\nab\r\n2\r\ncd\r\n1\r\ne\r\n");
  EXPECT_EQ(ChunksOf("abc", 100), "3\r\nabc\r\n");
  EXPECT_EQ(ChunksOf("", 1), "");
  LineFramer framer({.chunk_size = 2}, /*chunked=*/true);
  EXPECT_EQ(framer.Add("{}\n"), "2\r\n{}\r\n1\r\n\n\r\n");
  EXPECT_EQ(framer.Flush(), "");
}

TEST(LineFramerTest, LinesWaitForTheOthersOfTheirChunk) {
  LineFramer framer({.chunk_lines = 3}, /*chunked=*/true);
  EXPECT_EQ(framer.Add("1\n"), "");
  EXPECT_EQ(framer.Add("2\n"), "");
  EXPECT_EQ(framer.Add("3\n"), "6\r\n1\n2\n3\n\r\n");
  EXPECT_EQ(framer.Add("4\n"), "");
  EXPECT_EQ(framer.Flush(), "2\r\n4\n\r\n");
  EXPECT_EQ(framer.Flush(), "");
}

TEST(LineFramerTest, LinesEndAsTheyAreTold) {
  const auto framed = [](End end, const char* line) {
    return LineFramer({.end = end}, /*chunked=*/false).Add(line);
  };
  EXPECT_EQ(framed(End::kNewline, "{}\n"), "{}\n");
  EXPECT_EQ(framed(End::kCrLf, "{}\n"), "{}\r\n");
  EXPECT_EQ(framed(End::kNone, "{}\n"), "{}");
  EXPECT_EQ(framed(End::kEmptyLine, "{}\n"), "{}\n\n");
  EXPECT_EQ(framed(End::kCrLf, "\n"), "\r\n");
  EXPECT_EQ(LineFramer({.end = End::kCrLf}, true).Add("{}\n"), "4\r\n{}\r\n\r\n");
}

TEST(LineFramerTest, SaysWhatItDoes) {
  EXPECT_EQ(Describe(LineFraming{.chunk_size = 7}), "chunks of 7");
  EXPECT_EQ(Describe(LineFraming{.chunk_lines = 2}), "chunks of 2 lines");
  EXPECT_EQ(Describe(LineFraming{.end = End::kNone}), "lines end with nothing");
}

}  // namespace
}  // namespace relist::fakeapi
