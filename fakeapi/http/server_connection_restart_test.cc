// What becomes of a connection whose server restarts.
#include <gmock/gmock.h>

#include "fakeapi/http/server_connection_fixture.h"

namespace relist::fakeapi {
namespace server_connection_test {

using testing::EndsWith;
using testing::HasSubstr;

class ConnectionOfARestart : public ServerConnectionTest {
 protected:
  void Restart() {
    handler.Restart();
    Pass({});
  }
};

TEST_F(ConnectionOfARestart, IsClosedWhereItIsIdleWhetherItWasUsedOrNot) {
  Open();
  Restart();
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  Open();
  EXPECT_EQ(Ask("/text?5"), kText5);
  EXPECT_FALSE(connection->WantsPump());
  handler.Restart();
  EXPECT_TRUE(connection->WantsPump());
  Pass({});
  EXPECT_FALSE(connection->HasOutput());
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ConnectionOfARestart, TakesNoRequestAnyMore) {
  Open();
  Send("GET /text?5 HT");
  Restart();
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  Open();
  handler.Restart();
  EXPECT_EQ(Ask("/text?5"), "");
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  EXPECT_EQ(Story(), "");
}

TEST_F(ConnectionOfARestart, EndsItsWatchAsEverAndThenCloses) {
  Open();
  Ask("/watch");
  handler.Commit();
  handler.Restart();
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  connection->Pump(now);
  EXPECT_EQ(Take(), kLine0 + std::string("0\r\n\r\n"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
  EXPECT_EQ(Story(), "request, open 200, event ADDED default/0, end last chunk");
}

TEST_F(ConnectionOfARestart, AnswersWhoWaitsAndSaysThatItCloses) {
  Open();
  Ask("/wait");
  Restart();
  const std::string answer = Take();
  EXPECT_THAT(answer, HasSubstr("\r\nConnection: close\r\n"));
  EXPECT_THAT(answer, EndsWith("changed"));
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ConnectionOfARestart, SendsAnAnswerThatIsMadeAlreadyAsItIs) {
  Open();
  Get("/text?5");
  Restart();
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  EXPECT_EQ(Take(), kText5);
  EXPECT_EQ(connection->fate(), Fate::kCloseWhenSent);
}

TEST_F(ConnectionOfARestart, IsNotHeardOfWhereTheNetworkIsSilent) {
  hook.Set(FaultPoint::kRequestRead, Verdict::Stall());
  Open();
  Ask("/text?5");
  Restart();
  EXPECT_EQ(connection->fate(), Fate::kOpen);
  EXPECT_FALSE(connection->HasOutput());
}

TEST_F(ConnectionOfARestart, IsAnotherThanTheOneAfterIt) {
  handler.Restart();
  Open();
  EXPECT_FALSE(connection->WantsPump());
  EXPECT_EQ(Ask("/text?5"), kText5);
  EXPECT_EQ(connection->fate(), Fate::kOpen);
}

}  // namespace server_connection_test
}  // namespace relist::fakeapi
