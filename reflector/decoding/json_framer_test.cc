#include "reflector/decoding/json_framer.h"

#include <gmock/gmock.h>

#include <vector>

namespace relist {
namespace json_framer_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// What comes out of `bytes`, fed in pieces of `step`.
struct Framed {
  std::vector<std::string> frames, objects;
  std::string why, unfinished;
};
Framed Frame(const std::string& bytes, size_t step = 1000000) {
  JsonFramer framer;
  Framed out;
  for (size_t at = 0; at < bytes.size() || at == 0; at += step) {
    framer.Feed(std::string_view(bytes).substr(at, step));
    while (framer.Next()) {
      out.frames.emplace_back(framer.frame());
      out.objects.emplace_back(framer.object());
    }
  }
  out.why = framer.why();
  out.unfinished = framer.Unfinished();
  return out;
}

TEST(JsonFramer, HandsOverAFrameAtItsClosingBrace) {
  JsonFramer framer;
  framer.Feed(R"({"a":{"b":[1,{}]})");
  EXPECT_FALSE(framer.Next());
  framer.Feed("}");
  ASSERT_TRUE(framer.Next());
  EXPECT_EQ(framer.frame(), R"({"a":{"b":[1,{}]}})");
}

TEST(JsonFramer, NeedsNoNewlinesAndSkipsWhatIsBetween) {
  EXPECT_THAT(Frame("{}{\"a\":1}\n\r\n \t{}").frames, ElementsAre("{}", "{\"a\":1}", "{}"));
}

TEST(JsonFramer, GivesTheSameWhereverItIsSplit) {
  const std::string bytes = R"({"type":"ADDED","object":{"s":"a \" } \\","u":"é{"}})"
                            "\n"
                            R"({"object":[1,"]"],"type":"x\\"} {"object":"\\\"","z":{"object":2}})";
  const Framed whole = Frame(bytes);
  ASSERT_EQ(whole.frames.size(), 3u);
  EXPECT_THAT(whole.objects,
              ElementsAre(R"({"s":"a \" } \\","u":"é{"})", R"([1,"]"])", R"("\\\"")"));
  for (size_t step = 1; step < 12; ++step) {
    const Framed split = Frame(bytes, step);
    EXPECT_EQ(split.frames, whole.frames) << step;
    EXPECT_EQ(split.objects, whole.objects) << step;
  }
}

TEST(JsonFramer, FindsTheLastPlainObjectKeyOfTheTopLevelOnly) {
  EXPECT_THAT(Frame(R"({"object":1,"object": {"x":2} })").objects, ElementsAre(R"({"x":2})"));
  EXPECT_THAT(Frame(R"({"a":{"object":1},"b":"object"})").objects, ElementsAre(""));
  EXPECT_THAT(Frame(R"({"obje\u0063t":1})").objects, ElementsAre(""));
}

TEST(JsonFramer, RefusesBracketsThatDoNotMatch) {
  EXPECT_THAT(Frame(R"({"a":[}])").why, HasSubstr("brackets"));
  EXPECT_THAT(Frame(R"({"a":{]})").why, HasSubstr("brackets"));
}

TEST(JsonFramer, RefusesFramesThatAreNoObjects) {
  for (const char* bytes : {"[]", "1", "null", "\"x\"", "}", "junk"}) {
    EXPECT_THAT(Frame(bytes).why, HasSubstr("not a JSON object")) << bytes;
  }
}

TEST(JsonFramer, RefusesAFrameOverSixteenMegabytes) {
  EXPECT_EQ(Frame("{\"a\":\"" + std::string(JsonFramer::kFrameMax - 20, 'x')).why, "");
  EXPECT_THAT(Frame("{\"a\":\"" + std::string(JsonFramer::kFrameMax, 'x')).why,
              HasSubstr("longer than maximum allowed size"));
}

TEST(JsonFramer, RefusesALargeFrameAlsoWhereItCameWhole) {
  const auto frame = [](size_t size) { return "{\"a\":\"" + std::string(size - 8, 'x') + "\"}"; };
  EXPECT_EQ(Frame(frame(JsonFramer::kFrameMax)).frames.size(), 1u);
  EXPECT_THAT(Frame(frame(JsonFramer::kFrameMax + 1)).why, HasSubstr("longer than maximum"));
}

TEST(JsonFramer, HoldsNoMoreThanAFewFramesWhateverComes) {
  JsonFramer framer;
  framer.Feed("{\"a\":\"");
  const std::string piece(1 << 16, 'x');
  for (int i = 0; i < 2000; ++i) {
    framer.Feed(piece);
    framer.Next();
  }
  EXPECT_TRUE(framer.failed());
  EXPECT_LT(framer.capacity(), 3 * JsonFramer::kFrameMax);
}

TEST(JsonFramer, GivesItsMemoryBackAfterALargeFrame) {
  JsonFramer framer;
  framer.Feed("{\"a\":\"" + std::string(10 << 20, 'x') + "\"}{\"b\":");
  ASSERT_TRUE(framer.Next());
  EXPECT_FALSE(framer.Next());
  EXPECT_GT(framer.capacity(), size_t{10 << 20});
  framer.Feed("1}{}");
  EXPECT_LT(framer.capacity(), size_t{1 << 20});
  ASSERT_TRUE(framer.Next());
  EXPECT_EQ(framer.frame(), "{\"b\":1}");
  ASSERT_TRUE(framer.Next());
  EXPECT_EQ(framer.frame(), "{}");
}

TEST(JsonFramer, RefusesNestingDeeperThanTheLimitWithoutRecursion) {
  EXPECT_EQ(Frame("{\"a\":" + std::string(9999, '[')).why, "");
  EXPECT_THAT(Frame("{\"a\":" + std::string(100000, '[')).why, HasSubstr("deeper"));
}

TEST(JsonFramer, KeepsWhatIsUnfinished) {
  const Framed framed = Frame("{}\n{\"type\":\"ADD");
  EXPECT_THAT(framed.frames, ElementsAre("{}"));
  EXPECT_EQ(framed.unfinished, "{\"type\":\"ADD");
}

TEST(JsonFramer, LeavesRoomBehindAFrame) {
  JsonFramer framer;
  framer.Feed("{}");
  ASSERT_TRUE(framer.Next());
  unsigned sum = 0;  // AddressSanitizer looks on
  for (size_t i = 0; i < JsonFramer::kPadding; ++i) {
    sum += static_cast<unsigned char>(framer.frame().data()[2 + i]);
  }
  EXPECT_GE(sum, 0u);
}

}  // namespace json_framer_test
}  // namespace relist
