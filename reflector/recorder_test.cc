#include "reflector/recorder.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"

namespace relist {
namespace recorder_test {

using ::testing::ElementsAre;

TEST(Recorder, WritesTheWordsOfTheHistory) {
  SimPort port;
  Loop loop(port);
  History history;
  Recorder recorder(loop, &history, "me");
  const int n = recorder.Request("LIST", "/x");
  recorder.ListAnswer(n, 200, "10", 3);
  recorder.AnswerError(recorder.Request("WATCH", "/x"), Error::Net(Transport::kReset, "cut"));
  recorder.AnswerError(recorder.Request("WATCH", "/x"), Error::Api(410, "Expired", "old"));
  recorder.Answer(recorder.Request("WATCH", "/x"), 200);
  recorder.Position("11");
  recorder.Relist("list: start");
  recorder.BackOff(Millis(800));
  recorder.Synced("");
  recorder.Synced("h");
  recorder.ErrorSeen(Error::Net(Transport::kOther, "oh"), true);
  Notification gone;
  gone.type = Notification::Type::kDeleted;
  gone.object = *Object::Parse(
      R"({"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7"}})");
  gone.final_state_unknown = true;
  recorder.Callback("h", gone);
  std::vector<std::string> lines;
  for (const HistoryEntry& line : history.entries()) {
    lines.push_back(line.what());
    for (const auto& [key, value] : line.fields()) lines.back() += " " + key + "=" + value;
    EXPECT_EQ(line.actor(), "me");
  }
  EXPECT_THAT(lines,
              ElementsAre("request n=1 verb=LIST target=/x", "answer n=1 status=200 rv=10 items=3",
                          "request n=2 verb=WATCH target=/x", "answer n=2 error=reset message=cut",
                          "request n=3 verb=WATCH target=/x", "answer n=3 status=410 message=old",
                          "request n=4 verb=WATCH target=/x", "answer n=4 status=200",
                          "position rv=11", "relist why=list: start", "backoff ms=800", "synced",
                          "synced handler=h", "error message=oh handler=true",
                          "callback handler=h type=deleted key=n/a uid=u rv=7 tombstone=true"));
  EXPECT_EQ(history.entries().back().object(), gone.object);
}

TEST(Recorder, NeedsAHistory) {
  SimPort port;
  Loop loop(port);
  EXPECT_THROW(Recorder(loop, nullptr, "me"), CheckFailed);
}

}  // namespace recorder_test
}  // namespace relist
