#include "scenarios/report/owners.h"

#include <gmock/gmock.h>

#include "scenarios/checkers/history_text.h"

namespace relist::report {
namespace {

using ::testing::ElementsAre;

TEST(Owners, TheServersLinesOfARequestAreItsClients) {
  const History history = HistoryOf(R"(
    0 server commit rv=5 resource=configmaps key=default/a type=ADDED
    0 server fault conn=7 point=accepted verdict=stall
    1 web request n=1 verb=LIST target=/api/v1/configmaps
    1 server request id=1 conn=7 method=GET target=/api/v1/configmaps agent=web
    2 server request id=2 conn=7 method=GET target=/api/v1/configmaps agent=kubectl/v1.37
    2 server answer id=1 status=200
    2 server answer id=2 status=200
    3 server request id=3 conn=8 method=GET target=/version
    4 run mark client=web rv=6
    4 run phase name=end
  )");
  const Owners owners(history);
  EXPECT_THAT(owners.names(), ElementsAre("web", "kubectl/v1.37", "(no User-Agent)"));
  std::vector<std::string> of;
  for (const HistoryEntry& line : history.entries()) of.push_back(owners.Of(line));
  EXPECT_THAT(of, ElementsAre("", "web", "web", "web", "kubectl/v1.37", "web", "kubectl/v1.37",
                              "(no User-Agent)", "web", ""));
}

}  // namespace
}  // namespace relist::report
