// A reflector, a queue and a consumer on one loop: what takes the place of client-go's lock
// (RFF-11).
#include <gmock/gmock.h>

#include "core/choices.h"
#include "core/runtime/sim_port.h"
#include "reflector/queues/real_fifo.h"
#include "reflector/reflector.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "reflector/testing/scripted_server.h"

namespace relist {
namespace real_fifo_pressure_test {

Task<void> Consume(Loop& loop, RealFifo& fifo, size_t& seen, size_t& most) {
  for (;;) {
    Task<Result<std::vector<Delta>>> next = NextBatch(loop, fifo);
    const Result<std::vector<Delta>> batch = co_await next;
    if (!batch.ok()) co_return;
    seen += batch->size();
    most = std::max(most, batch->size() + fifo.size());
    fifo.Done(*batch);
  }
}

TEST(BackPressure, LetsTheQueueNotGrowPastItsConsumer) {
  BoringChoices choices;
  SimPort port;
  Loop loop(port, &choices);
  testing::ScriptedServer server(port);
  server.Then(testing::ListOf("10", {}));
  std::string lines;
  for (int i = 0; i < 10000; ++i) {
    lines += testing::EventLine("ADDED", "n" + std::to_string(i), std::to_string(11 + i));
  }
  server.Then(testing::WatchOf({lines}));
  RestClientOptions options;
  options.endpoint = {"server", 80, nullptr};
  options.keep_alive = false;
  RestClient rest(loop, options);
  RestListerWatcher lister(rest, {"", "v1", "configmaps", "ConfigMap"}, "default", {}, nullptr);
  RealFifo fifo;
  Reflector reflector(loop, lister, fifo, {.choices = &choices, .streaming_list = false});
  size_t seen = 0, most = 0;
  Signal stop;
  TaskScope scope(loop);
  scope.Spawn(Consume(loop, fifo, seen, most));
  scope.Spawn(reflector.Run(stop));
  loop.RunUntil([&seen] { return seen == 10001; }, loop.Now() + Seconds(1));
  EXPECT_EQ(seen, 10001u);  // the list, and each event
  EXPECT_LE(most, 1000u);
  fifo.Close();
}

}  // namespace real_fifo_pressure_test
}  // namespace relist
