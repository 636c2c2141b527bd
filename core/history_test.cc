#include "core/history.h"

#include <gtest/gtest.h>

namespace relist::history_test {

History HistoryOfEverything() {
  History history;
  const TimePoint start = history.start();
  history.Add(start, "server", "commit")
      .Set("rv", "7")
      .Set("key", "default/a")
      .SetObject(*Object::Parse(
          R"({ "metadata": {"name":"a"},  "n": 1.00, "e": "\u00e9\/", "s": ",\"object\":{" })"));
  history.Add(start + Millis(250), "client", "error")
      .Set("message", "line\nquote\" back\\slash\ttab \x01 \xC3\xA9");
  history.Add(start + Seconds(61) + Millis(5), "run", "phase")
      .Set("name", "end")
      .Set("object", "no object, text");
  return history;
}

TEST(History, WritesALineForEachEntryInTheOrderOfItsFields) {
  History history;
  history.Add(history.start() + Millis(250), "server", "commit").Set("rv", "7").Set("a", "b");
  EXPECT_EQ(
      history.ToText(),
      "{\"t\":\"0.250\",\"actor\":\"server\",\"what\":\"commit\",\"rv\":\"7\",\"a\":\"b\"}\n");
}

TEST(History, SurvivesTheRoundTripByteForByte) {
  const History history = HistoryOfEverything();
  const Result<History> back = History::Parse(history.ToText());
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(back->ToText(), history.ToText());
  EXPECT_EQ(back->Hash(), history.Hash());
  ASSERT_EQ(back->entries().size(), 3u);
  const HistoryEntry& first = back->entries()[0];
  EXPECT_EQ(first.when(), history.start());
  EXPECT_EQ(first.Get("key"), "default/a");
  EXPECT_EQ(first.Get("absent"), "");
  ASSERT_TRUE(first.object());
  EXPECT_EQ(first.object()->key().name, "a");
  EXPECT_EQ(back->entries()[1].Get("message"), history.entries()[1].Get("message"));
  EXPECT_EQ(back->entries()[2].when(), history.start() + Seconds(61) + Millis(5));
  EXPECT_EQ(back->entries()[2].Get("object"), "no object, text");
  EXPECT_FALSE(back->entries()[2].object());
}

TEST(History, AnObjectOfSeveralLinesAndABadByteStillMakeOneGoodLine) {
  History history;
  history.Add(history.start(), "server", "commit")
      .Set("message", "cut \xC3")
      .SetObject(std::make_shared<Object>("{\n \"a\":\r\n\"\xFF\"}", Object::Head{}));
  const std::string text = history.ToText();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  const Result<History> back = History::Parse(text);
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(back->ToText(), text);
  EXPECT_EQ(back->entries()[0].Get("message"), "cut \xEF\xBF\xBD");
}

TEST(History, ItsHashIsPinnedAndFeelsEveryByte) {
  EXPECT_EQ(History().Hash(), 0xcbf29ce484222325u);
  History a, b;
  a.Add(a.start(), "x", "y").Set("k", "v");
  EXPECT_EQ(a.Hash(), 5485628319924849124u);
  b.Add(b.start(), "x", "y").Set("k", "w");
  EXPECT_NE(a.Hash(), b.Hash());
  a.Clear();
  EXPECT_EQ(a.Hash(), History().Hash());
  a.Add(a.start(), "xy", "").Set("k", "v");
  b.Clear();
  b.Add(b.start(), "x", "y").Set("k", "v");
  EXPECT_NE(a.Hash(), b.Hash());  // where one text ends and the next begins
}

TEST(History, TellsTheLineThatItCannotRead) {
  const std::string good = "{\"t\":\"0.000\",\"actor\":\"a\",\"what\":\"b\"}\n";
  const auto why = [&](const std::string& line) {
    const Result<History> history = History::Parse(good + "\n" + line);
    return history.ok() ? "" : history.error().message();
  };
  EXPECT_EQ(why("nonsense"), "line 3: not a JSON object");
  EXPECT_EQ(why("[]"), "line 3: not a JSON object");
  EXPECT_EQ(why("{\"t\":\"0\",\"actor\":\"a\"}"), "line 3: \"what\" is missing");
  EXPECT_EQ(why("{\"t\":0,\"actor\":\"a\",\"what\":\"b\"}"), "line 3: \"t\" is missing");
  EXPECT_EQ(why("{\"t\":\"soon\",\"actor\":\"a\",\"what\":\"b\"}"),
            "line 3: \"t\" is not a number of seconds");
  EXPECT_EQ(why(good), "");
}

TEST(History, ReferencesStayGoodUntilTheNextAdd) {
  History history(TimePoint(Seconds(5)));
  HistoryEntry& entry = history.Add(TimePoint(Seconds(6)), "a", "b");
  entry.Set("late", "yes");
  EXPECT_EQ(history.LineOf(history.entries()[0]),
            "{\"t\":\"1.000\",\"actor\":\"a\",\"what\":\"b\",\"late\":\"yes\"}");
}

uint64_t HashOfOne(const std::string& text) {
  History history;
  history.Add(history.start(), "a", "b").Set("c", text);
  return history.Hash();
}

TEST(History, TheHashIsOfWhatTheTextTells) {
  EXPECT_EQ(HashOfOne("x\xff"), HashOfOne("x\xef\xbf\xbd")) << "mended alike";
  EXPECT_NE(HashOfOne("x\xc3\xa9"), HashOfOne("x\xef\xbf\xbd"));
  for (size_t size = 1; size < 20; ++size) {
    const std::string text(size, 'x');
    for (size_t i = 0; i < size; ++i) {
      std::string other = text;
      other[i] = 'y';
      EXPECT_NE(HashOfOne(other), HashOfOne(text)) << size << ' ' << i;
    }
    EXPECT_NE(HashOfOne(text + '\0'), HashOfOne(text)) << size;
  }
}

}  // namespace relist::history_test
