#include "core/history.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

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

TEST(History, OneThatIsCutOffOrIsAnotherFileIsToldWithFileAndLine) {
  const std::string good = "{\"t\":\"0.000\",\"actor\":\"a\",\"what\":\"b\"}\n";
  const auto why = [](const std::string& text) {
    const Result<History> history = History::Parse(text, "h.ndjson");
    return history.ok() ? "" : history.error().message();
  };
  const std::string cut = "h.ndjson:2: the history ends within this line: it was cut off";
  for (size_t size = 1; size + 2 < good.size(); ++size)
    EXPECT_EQ(why(good + good.substr(0, size)), cut) << size;
  EXPECT_EQ(why(good + good.substr(0, good.size() - 1)), "") << "its newline alone lacks";
  EXPECT_EQ(why("{\"t\":\"0.0\n" + good), "h.ndjson:1: not a JSON object");
  EXPECT_EQ(why("{\"type\":\"synced\",\"t\":3}\n"),
            "h.ndjson:1: this is a line of a client's log, not of a history");
  EXPECT_EQ(why("name: a scenario\n"), "h.ndjson:1: not a JSON object");
  EXPECT_EQ(why(std::string(20000, '[')), "h.ndjson:1: it nests too deep");
  for (const char* t : {"nan", "inf", "1e300", "-1", ""})
    EXPECT_EQ(why("{\"t\":\"" + std::string(t) + "\",\"actor\":\"a\",\"what\":\"b\"}\n"),
              "h.ndjson:1: \"t\" is not a number of seconds")
        << t;
}

TEST(History, ItsHeadSaysWhichVersionItIsOf) {
  const History history(kSimulationEpoch, 60);
  EXPECT_EQ(history.Head(),
            "{\"t\":\"0.000\",\"actor\":\"server\",\"what\":\"history\",\"version\":\"1\",\"rate\":"
            "\"60\"}\n");
  EXPECT_TRUE(History::Parse(history.Head()).ok());
  std::string newer = history.Head();
  newer.replace(newer.find("\"1\""), 3, "\"2\"");
  const Result<History> refused = History::Parse(newer, "h");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(),
            "h:1: a history of version 2; this relist reads version 1, a newer one may read it");
}

// As jq leaves it: blanks, and fields behind the object.
TEST(History, AnObjectIsReadWhereverItStands) {
  const Result<History> history = History::Parse(
      R"({"t": "0.000", "object": {"metadata": {"name": "a"}}, "actor": "a", "what": "b", "rv": "7"})");
  ASSERT_TRUE(history.ok()) << history.error().message();
  EXPECT_EQ(history->entries()[0].object()->key().name, "a");
  EXPECT_EQ(history->entries()[0].Get("rv"), "7");
}

std::string SourceText(const std::string& path) {
  std::ifstream in(RELIST_SOURCE_DIR "/" + path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// "server commit" and its fields, by the table of HISTORY.md.
std::map<std::string, std::set<std::string>> DocumentedWords() {
  std::map<std::string, std::set<std::string>> words;
  const std::string text = SourceText("core/HISTORY.md");
  const std::regex row(R"(\n\| (server|NAME|run) \| (\w+) \| ([^|]*)\|)");
  const std::regex field("`(\\w+)`");
  for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
    std::set<std::string>& fields = words[(*at)[1].str() + " " + (*at)[2].str()];
    const std::string cell = (*at)[3];
    for (std::sregex_iterator one(cell.begin(), cell.end(), field); one != end; ++one)
      fields.insert((*one)[1]);
  }
  return words;
}

// The same, by the comment of history.h; what stands there beside a word's fields comes along.
std::map<std::string, std::string> WordsOfHeader() {
  std::map<std::string, std::string> words;
  const std::string text = SourceText("core/history.h");
  const std::regex line(R"(//   (server|NAME   |run   ) ( *)(\w+) *(.*))");
  std::istringstream lines(text.substr(0, text.find("#pragma once")));
  std::string* last = nullptr;
  for (std::string one; std::getline(lines, one);) {
    std::smatch match;
    if (std::regex_match(one, match, line) && match[2].length() <= 1) {
      const std::string actor = match[1].str().substr(0, match[1].str().find(' '));
      last = &words[actor + " " + match[3].str()];
      *last = match[4];
    } else if (last) {
      *last += " " + one;
    }
  }
  return words;
}

TEST(History, ItsDocumentHasEachOfItsWordsWithItsFields) {
  const auto documented = DocumentedWords();
  const auto header = WordsOfHeader();
  ASSERT_GT(documented.size(), 20u);
  for (const auto& [word, text] : header) EXPECT_TRUE(documented.contains(word)) << word;
  for (const auto& [word, fields] : documented) {
    ASSERT_TRUE(header.contains(word)) << word << " is not in history.h";
    for (const std::string& field : fields) {
      const bool known = std::regex_search(header.at(word), std::regex("\\b" + field + "\\b"));
      EXPECT_TRUE(known || field == "object") << word << ": " << field;
    }
  }
}

// What is really written: the golden traces.
TEST(History, ItsDocumentHasEachFieldThatIsWritten) {
  const auto documented = DocumentedWords();
  int files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(RELIST_SOURCE_DIR "/scenarios/cases")) {
    if (file.path().extension() != ".trace") continue;
    ++files;
    std::ifstream in(file.path());
    std::stringstream text;
    text << in.rdbuf();
    const Result<History> history = History::Parse(text.str(), file.path().string());
    ASSERT_TRUE(history.ok()) << history.error().message();
    for (const HistoryEntry& entry : history->entries()) {
      const bool ours = entry.actor() == "server" || entry.actor() == "run";
      const std::string word = (ours ? entry.actor() : "NAME") + " " + entry.what();
      ASSERT_TRUE(documented.contains(word)) << word;
      for (const auto& [field, value] : entry.fields())
        EXPECT_TRUE(documented.at(word).contains(field)) << word << ": " << field;
      EXPECT_TRUE(!entry.object() || documented.at(word).contains("object")) << word;
    }
  }
  EXPECT_GT(files, 10);
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
