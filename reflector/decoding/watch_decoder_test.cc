#include "reflector/decoding/watch_decoder.h"

#include <gmock/gmock.h>

#include "reflector/testing/scripted_server.h"
#include "reflector/watch_error.h"

namespace relist {
namespace watch_decoder_test {

using testing::BookmarkLine;
using ::testing::ElementsAre;
using testing::EventLine;
using ::testing::HasSubstr;

std::vector<std::string> Decode(const std::string& bytes, size_t step = 1 << 20,
                                PlantedBugs bugs = {}) {
  WatchDecoder decoder(bugs);
  std::vector<std::string> out;
  const auto drain = [&] {
    while (std::optional<WatchEvent> event = decoder.Next()) {
      out.push_back(fmt::format("{} {}@{}", Name(event->type), event->object->key().name,
                                event->object->resource_version()));
    }
  };
  for (size_t at = 0; at < bytes.size(); at += step) {
    decoder.Feed(std::string_view(bytes).substr(at, step));
    drain();
  }
  decoder.FeedEnd();
  drain();
  return out;
}

Error FirstError(const std::string& bytes) {
  WatchDecoder decoder;
  decoder.Feed(bytes);
  const std::optional<WatchEvent> event = decoder.Next();
  EXPECT_TRUE(event && event->type == EventType::kError) << bytes;
  EXPECT_TRUE(decoder.failed());
  return event ? ErrorOfEvent(event->object) : Error{};
}

TEST(WatchDecoder, GivesEventsWhateverTheSplit) {  // C13
  const std::string bytes = EventLine("ADDED", "ä", "1", "mehr €uro 🙂") + BookmarkLine("2") +
                            EventLine("MODIFIED", "b", "3") + EventLine("DELETED", "b", "4");
  const std::vector<std::string> whole = Decode(bytes);
  EXPECT_THAT(whole, ElementsAre("ADDED ä@1", "BOOKMARK @2", "MODIFIED b@3", "DELETED b@4"));
  for (size_t step = 1; step < 20; ++step) EXPECT_EQ(Decode(bytes, step), whole) << step;
}

TEST(WatchDecoder, GivesExactlyTheCompleteEventsOfACutStream) {  // C14
  const std::string first = EventLine("ADDED", "a", "1");
  const std::string bytes = first + EventLine("ADDED", "b", "2");
  for (size_t cut = 0; cut <= bytes.size(); ++cut) {
    const size_t expected = cut + 1 < first.size() ? 0 : cut + 1 < bytes.size() ? 1 : 2;
    EXPECT_EQ(Decode(bytes.substr(0, cut)).size(), expected) << cut;
  }
}

TEST(WatchDecoder, KeepsTheObjectsOwnBytes) {
  WatchDecoder decoder;
  decoder.Feed(
      R"( {"type" : "ADDED" , "object" : {"kind":"A", "n": 1.50, "metadata":{"name":"x"}} } )");
  const std::optional<WatchEvent> event = decoder.Next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->object->bytes(), R"({"kind":"A", "n": 1.50, "metadata":{"name":"x"}})");
}

TEST(WatchDecoder, ReadsKeysThatAreSpelledWithEscapes) {
  WatchDecoder decoder;
  decoder.Feed(R"({"\u0074ype":"ADDED","\u006fbject":{"kind":"A","metadata":{"name":"x"}}})");
  const std::optional<WatchEvent> event = decoder.Next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type, EventType::kAdded);
  EXPECT_EQ(event->object->key().name, "x");
  EXPECT_EQ(event->object->bytes(), R"({"kind":"A","metadata":{"name":"x"}})");
}

TEST(WatchDecoder, LetsTheLastOfDuplicateKeysWin) {
  WatchDecoder decoder;
  decoder.Feed(
      R"({"type":"ADDED","object":{"kind":"A"},"type":"DELETED","object":{"kind":"B","metadata":{"name":"x"},"metadata":{"name":"y","name":"z"}}})");
  const std::optional<WatchEvent> event = decoder.Next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type, EventType::kDeleted);
  EXPECT_EQ(event->object->kind(), "B");
  EXPECT_EQ(event->object->key().name, "z");
  EXPECT_EQ(event->object->bytes(),
            R"({"kind":"B","metadata":{"name":"x"},"metadata":{"name":"y","name":"z"}})");
}

TEST(WatchDecoder, MendsInvalidUtf8InHeadAndBytes) {
  WatchDecoder decoder;
  decoder.Feed(
      "{\"type\":\"ADDED\",\"object\":{\"kind\":\"A\",\"metadata\":{\"name\":\"x\xff\"}}}");
  const std::optional<WatchEvent> event = decoder.Next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->object->key().name, "x\xef\xbf\xbd");
  EXPECT_THAT(event->object->bytes(), HasSubstr("x\xef\xbf\xbd"));
}

TEST(WatchDecoder, MendsLoneSurrogates) {
  WatchDecoder decoder;
  decoder.Feed(R"({"type":"ADDED","object":{"kind":"A","metadata":{"name":"x\ud800"}}})");
  const std::optional<WatchEvent> event = decoder.Next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->object->key().name, "x\xef\xbf\xbd");
}

TEST(WatchDecoder, TakesNumbersThatFitNoMachineWord) {
  WatchDecoder decoder;
  decoder.Feed(
      R"({"type":"ADDED","object":{"kind":"A","n":123456789012345678901234567890,"metadata":{"name":"x","resourceVersion":"4"}}})");
  const std::optional<WatchEvent> event = decoder.Next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type, EventType::kAdded);
  EXPECT_EQ(event->object->resource_version(), "4");
  EXPECT_THAT(event->object->bytes(), HasSubstr("123456789012345678901234567890"));
}

TEST(WatchDecoder, TakesDeepNestingUpToTheLimit) {
  const auto nested = [](int depth) {
    return R"({"type":"ADDED","object":{"kind":"A","x":)" + std::string(depth, '[') +
           std::string(depth, ']') + "}}";
  };
  EXPECT_THAT(Decode(nested(9000)), ElementsAre("ADDED @"));
  EXPECT_THAT(FirstError(nested(10000)).message(), HasSubstr("deeper"));
}

TEST(WatchDecoder, TurnsWhatIsNoEventIntoAnInternalError) {  // NET-08
  for (const char* bytes :
       {R"({"type":"WHAT","object":{"kind":"A"}})", R"({"type":1,"object":{"kind":"A"}})",
        R"({"object":{"kind":"A"}})", R"({"type":"ADDED"})", R"({"type":"ADDED","object":null})",
        R"({"type":"ADDED","object":[]})", R"({"type":"ADDED","object":{"metadata":{}}})",
        R"({"type":"ADDED","object":{"kind":"A","x":tru}})", R"({"type":"ADDED",,})", "[]",
        "<html>"}) {
    const Error error = FirstError(bytes);
    EXPECT_EQ(error.status.code, 500) << bytes;
    EXPECT_EQ(error.status.reason, "InternalError") << bytes;
    ASSERT_TRUE(error.status.details) << bytes;
    EXPECT_EQ(error.status.details->causes.at(0).reason, "UnexpectedServerResponse");
    EXPECT_EQ(error.status.details->causes.at(1).reason, "ClientWatchDecoding");
    EXPECT_THAT(error.message(), HasSubstr("an error on the server (\"unable to decode an event"));
  }
}

TEST(WatchDecoder, SaysNothingAfterAFailure) {
  EXPECT_THAT(Decode("[]" + EventLine("ADDED", "a", "1")), ElementsAre("ERROR @"));
}

TEST(WatchDecoder, ResumesFromAPartialLineOnlyAsAPlantedBug) {
  const std::string cut =
      EventLine("ADDED", "a", "1") + EventLine("ADDED", "b", "27").substr(0, 150);
  EXPECT_THAT(Decode(cut), ElementsAre("ADDED a@1"));
  EXPECT_THAT(Decode(cut, 1 << 20, {.resume_from_partial_line = true}),
              ElementsAre("ADDED a@1", "BOOKMARK @27"));
}

}  // namespace watch_decoder_test
}  // namespace relist
