#include "reflector/rest/http_watch_stream.h"

#include <gmock/gmock.h>

#include "reflector/testing/rest_bench.h"

namespace relist {
namespace http_watch_stream_test {

using ::testing::ElementsAre;
using testing::EventLine;
using testing::Step;
using testing::WatchOf;
using Bench = testing::RestBench;

std::vector<EventType> TypesOf(WatchStream& stream) {
  std::vector<EventType> out;
  while (std::optional<WatchEvent> event = stream.TryNext()) out.push_back(event->type);
  return out;
}

TEST(HttpWatchStream, EndsQuietlyHoweverItIsCut) {  // NET-09
  const std::string line = EventLine("ADDED", "a", "1");
  Step last_chunk = WatchOf({line});
  Step finished = WatchOf({line}), reset = WatchOf({line}), inside_an_event = WatchOf({line});
  last_chunk.EndAfter(Seconds(1));
  finished.FinishAfter(Seconds(1));
  reset.ResetAfter(Seconds(1));
  inside_an_event.Line(line.substr(0, 50)).FinishAfter(Seconds(1));
  for (const Step& step : {last_chunk, finished, reset, inside_an_event}) {
    Bench bench;
    bench.server.Then(step);
    auto stream = bench.Watch();
    ASSERT_TRUE(stream.ok());
    EXPECT_THAT(TypesOf(**stream), ElementsAre(EventType::kAdded));
    EXPECT_FALSE((*stream)->ended());
    bench.RunFor(Seconds(2));
    EXPECT_THAT(TypesOf(**stream), ElementsAre());
    EXPECT_TRUE((*stream)->ended());
  }
}

// However much of it comes together with the head.
TEST(HttpWatchStream, TellsOfCorruptionBehindTheEventsBeforeIt) {  // NET-09, NET-08
  for (const char* garbage : {"zz\r\n", "1\r\n\nXX\r\n"}) {
    Bench bench;
    Step step = WatchOf({EventLine("ADDED", "a", "1")});
    bench.server.Then(step.Send(garbage));
    auto stream = bench.Watch();
    ASSERT_TRUE(stream.ok()) << garbage;
    bench.RunFor(Seconds(1));
    EXPECT_EQ((*stream)->TryNext()->type, EventType::kAdded);
    const std::optional<WatchEvent> error = (*stream)->TryNext();
    ASSERT_TRUE(error.has_value()) << garbage;
    EXPECT_EQ(error->type, EventType::kError);
    const std::string& text = error->object->bytes();
    EXPECT_NE(text.find("unable to decode an event from the watch stream: malformed chunk"),
              std::string::npos)
        << text;
    EXPECT_EQ((*stream)->TryNext(), std::nullopt);
    EXPECT_TRUE((*stream)->ended());
  }
}

TEST(HttpWatchStream, OutlivesItsClient) {
  SimPort port;
  Loop loop(port);
  testing::ScriptedServer server(port);
  server.Then(WatchOf({EventLine("ADDED", "a", "1")}).EndAfter(Seconds(1)));
  auto rest = std::make_unique<RestClient>(loop, Bench::WithEndpoint({}));
  Signal stop;
  std::optional<Result<std::unique_ptr<WatchStream>>> stream;
  {
    TaskScope scope(loop);
    scope.Spawn(testing::WatchInto(*rest, "/w?watch=true", std::nullopt, stop, &stream));
    loop.RunUntil([&] { return stream.has_value(); }, loop.Now() + Seconds(1));
  }
  ASSERT_TRUE(stream && stream->ok());
  rest.reset();
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(2));
  EXPECT_THAT(TypesOf(***stream), ElementsAre(EventType::kAdded));
  EXPECT_TRUE((**stream)->ended());
  EXPECT_EQ(server.open(), 0u) << "nobody keeps its connection";
}

}  // namespace http_watch_stream_test
}  // namespace relist
