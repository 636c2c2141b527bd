// Our informer in somebody else's program, against the fake in the same process.
#include <gtest/gtest.h>

#include "core/choices.h"
#include "core/runtime/loop.h"
#include "core/runtime/socket_port.h"
#include "fakeapi/api_server.h"
#include "fakeapi/front/http_server.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"

namespace {

TEST(Informer, HoldsWhatTheFakeHolds) {
  relist::fakeapi::ApiServer server({});
  relist::fakeapi::HttpServer front(server, {});
  const relist::Result<int> number = front.Start();
  ASSERT_TRUE(number.ok()) << number.error().message();
  relist::SocketPort port;
  relist::Loop loop(port);
  relist::SeededChoices choices(1);
  relist::Signal stop;
  relist::RestClient rest(loop, {.endpoint = {"127.0.0.1", *number, nullptr}});
  relist::RestListerWatcher lister(rest, {"", "v1", "namespaces", "Namespace", false}, "", {},
                                   nullptr);
  relist::InformerOptions options;
  options.reflector.choices = &choices;
  relist::SharedInformer informer(loop, lister, std::move(options));
  relist::TaskScope scope(loop);
  scope.Spawn(informer.Run(stop));
  loop.RunUntil([&] { return informer.HasSynced(); }, loop.Now() + relist::Seconds(60));
  EXPECT_EQ(informer.indexer().List().size(), 4u);
  stop.Set();
  loop.RunUntil([&] { return scope.empty(); }, loop.Now() + relist::Seconds(60));
}

}  // namespace
