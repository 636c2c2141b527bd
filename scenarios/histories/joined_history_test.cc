#include "scenarios/histories/joined_history.h"

#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kServerJoin = R"(
  0 server history version=1 rate=1
  0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua
  10 server request id=1 conn=1 method=GET target=/api/v1/namespaces/default/configmaps?limit=500 agent=mine
  10 server answer id=1 status=200 rv=5 items=1
  10 server request id=2 conn=1 method=GET target=/api/v1/namespaces/default/configmaps?resourceVersion=5&watch=true agent=mine
  10 server open id=2 status=200
  20 server commit rv=6 resource=configmaps key=default/b type=ADDED uid=ub
  20 server event id=2 type=ADDED key=default/b uid=ub rv=6
  30 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua
  30 server event id=2 type=MODIFIED key=default/a uid=ua rv=7
  60 server end id=2 how=client
)";
// Its clock began two seconds before its first list.
const std::string kLogJoin =
    R"({"type":"added","namespace":"default","name":"a","uid":"ua","resourceVersion":"5","t":2003}
{"type":"synced","t":2004}
{"type":"added","namespace":"default","name":"b","uid":"ub","resourceVersion":"6","t":12001}
{"type":"modified","namespace":"default","name":"a","uid":"ua","resourceVersion":"7","t":22005}
)";

NamedLog LogOf(const std::string& text, std::optional<std::string> agent = std::nullopt) {
  Result<ClientLog> log = ClientLog::Parse(text, "c.log");
  if (!log.ok()) ADD_FAILURE() << log.error().message();
  return {std::move(agent), std::move(*log)};
}

std::vector<std::string> FoundIn(const std::string& server, const std::string& log) {
  const History history = HistoryOf(server);
  const Result<History> joined = JoinHistory(&history, {LogOf(log)});
  if (!joined.ok()) return {joined.error().message()};
  std::vector<std::string> properties;
  for (const Violation& violation : CheckAll(*joined)) properties.push_back(violation.property);
  return properties;
}

std::string WhyNotJoined(const std::string& server, const std::vector<NamedLog>& logs) {
  const History history = HistoryOf(server);
  const Result<History> joined = JoinHistory(&history, logs);
  return joined.ok() ? "" : joined.error().message();
}

TEST(JoinedHistoryTest, AProgramsRequestsAndListsAreTheServersLines) {
  const History server = HistoryOf(kServerJoin);
  const Result<History> joined = JoinHistory(&server, {LogOf(kLogJoin)});
  ASSERT_TRUE(joined.ok()) << joined.error().message();
  const HistoryView view(*joined);
  ASSERT_EQ(view.clients().size(), 1u);
  const ClientView& client = view.clients().front();
  EXPECT_EQ(client.name, "mine");
  EXPECT_TRUE(client.joined);
  ASSERT_EQ(client.requests.size(), 2u);
  EXPECT_EQ(client.requests[1].server, &view.server_requests().at(2));
  ASSERT_EQ(client.lists.size(), 1u);
  EXPECT_EQ(client.lists[0].rv, 5u);
  EXPECT_EQ(client.lists[0].reached, 7u) << "by its newest callback";
  EXPECT_EQ(client.callbacks.at("handler").size(), 3u);
}

// Nothing is told before it was written: of all callbacks the quickest bounds the clock best.
TEST(JoinedHistoryTest, ALogStandsWhereItStoodOrALittleEarlier) {
  const History server = HistoryOf(kServerJoin);
  const Result<History> joined = JoinHistory(&server, {LogOf(kLogJoin)});
  ASSERT_TRUE(joined.ok());
  std::string times;
  for (const HistoryEntry& entry : joined->entries()) {
    if (entry.what() == "callback") times += FormatSeconds(entry.when() - joined->start()) + " ";
  }
  EXPECT_EQ(times, "10.002 20.000 30.004 ");
}

TEST(JoinedHistoryTest, AProgramsSecondsAreThoseOfTheRate) {
  std::string fast = kServerJoin;
  fast.replace(fast.find("rate=1"), 6, "rate=10");
  const History server = HistoryOf(fast);
  const Result<History> joined =
      JoinHistory(&server, {LogOf(R"({"type":"added","namespace":"default","name":"b","uid":"ub",)"
                                  R"("resourceVersion":"6","t":1000})"
                                  "\n"
                                  R"({"type":"synced","t":1500})")});
  ASSERT_TRUE(joined.ok());
  for (const HistoryEntry& entry : joined->entries()) {
    if (entry.what() == "synced") {
      EXPECT_EQ(entry.when() - joined->start(), Seconds(25));
    }
  }
}

TEST(JoinedHistoryTest, AGoodRunIsGoodAndWhatIsSpoiltIsNamed) {
  EXPECT_EQ(FoundIn(kServerJoin, kLogJoin), std::vector<std::string>{});
  const auto without = [](const std::string& part) {
    std::string log = kLogJoin;
    const size_t at = log.rfind('\n', log.find(part));
    const size_t begin = at == std::string::npos ? 0 : at + 1;
    return log.erase(begin, log.find('\n', begin) + 1 - begin);
  };
  EXPECT_EQ(FoundIn(kServerJoin, without("\"name\":\"b\"")),
            (std::vector<std::string>{"C2", "C7"}));
  EXPECT_EQ(FoundIn(kServerJoin, without("22005")), std::vector<std::string>{"C1"}) << "the tail";
  EXPECT_EQ(FoundIn(kServerJoin, without("synced")), std::vector<std::string>{"C11"});
  std::string twice = kLogJoin + kLogJoin.substr(kLogJoin.rfind("{\"type\":\"modified\""));
  twice.replace(twice.rfind("22005"), 5, "22006");
  EXPECT_EQ(FoundIn(kServerJoin, twice), std::vector<std::string>{})
      << "a modified at the same version is a resync";
}

TEST(JoinedHistoryTest, AStreamingListIsAListOnceItsEndIsThere) {
  const History server = HistoryOf(R"(
    0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua
    1 server request id=1 conn=1 method=GET target=/api/v1/configmaps?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&watch=true agent=mine
    1 server open id=1 status=200
    1 server event id=1 type=ADDED key=default/a uid=ua rv=5
    1 server event id=1 type=BOOKMARK rv=5 end=true
  )");
  const Result<History> joined = JoinHistory(&server, {LogOf(kLogJoin)});
  ASSERT_TRUE(joined.ok());
  const HistoryView view(*joined);
  ASSERT_EQ(view.clients().front().lists.size(), 1u);
  EXPECT_EQ(view.clients().front().lists[0].rv, 5u);
}

TEST(JoinedHistoryTest, OfSeveralClientsALogHasToSayWhoseItIs) {
  const std::string other =
      "40 server request id=3 conn=2 method=GET target=/api/v1/configmaps agent=kubectl/v1.37\n"
      "40 server answer id=3 status=200 rv=7 items=2\n";
  EXPECT_EQ(
      WhyNotJoined(kServerJoin + other, {LogOf(kLogJoin)}),
      "c.log: several clients listed or watched, `kubectl/v1.37`, `mine`: say which of them it "
      "is, NAME=LOG");
  EXPECT_EQ(WhyNotJoined(kServerJoin + other, {LogOf(kLogJoin, "mine")}), "");
  EXPECT_EQ(WhyNotJoined(kServerJoin, {LogOf(kLogJoin, "yours")}),
            "no list or watch came from the User-Agent `yours`: those of this history are `mine`");
  EXPECT_EQ(WhyNotJoined("0 server commit rv=5\n", {LogOf(kLogJoin)}),
            "nobody listed or watched anything in this history");
  EXPECT_EQ(WhyNotJoined(kServerJoin, {LogOf(kLogJoin), LogOf(kLogJoin)}),
            "the history has lines of `mine` already: one log for each client, and none for one "
            "whose lines are there");
  EXPECT_EQ(WhyNotJoined(kServerJoin + "50 mine synced\n", {LogOf(kLogJoin)}),
            "the history has lines of `mine` already: one log for each client, and none for one "
            "whose lines are there");
}

TEST(JoinedHistoryTest, ALogIsOfOneThing) {
  const std::string pods =
      "40 server request id=3 conn=2 method=GET target=/api/v1/pods agent=mine\n";
  EXPECT_EQ(WhyNotJoined(kServerJoin + pods, {LogOf(kLogJoin)}), "") << "by what it tells of";
  const std::string all =
      "40 server request id=3 conn=2 method=GET target=/api/v1/configmaps agent=mine\n";
  EXPECT_EQ(WhyNotJoined(kServerJoin + all, {LogOf(kLogJoin)}),
            "c.log: `mine` listed or watched several things (configmaps, configmaps in default): a "
            "log is of one; give each a User-Agent of its own");
}

TEST(JoinedHistoryTest, ALogAloneIsJudgedAsFarAsItGoes) {
  const std::string wrong =
      kLogJoin +
      R"({"type":"added","namespace":"default","name":"a","uid":"ua","resourceVersion":"3"})";
  const Result<History> joined = JoinHistory(nullptr, {LogOf(wrong)});
  ASSERT_TRUE(joined.ok());
  std::vector<std::string> properties;
  for (const Violation& violation : CheckAll(*joined)) properties.push_back(violation.property);
  EXPECT_EQ(properties, (std::vector<std::string>{"C3", "C6"}));
}

}  // namespace
}  // namespace relist
