#include "reflector/queues/fifo.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace fifo_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::Show;

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

// The next object, processed at once.
std::string Pop(Fifo* fifo) {
  const std::optional<Fifo::Popped> popped = fifo->TryPop();
  if (!popped) return "none";
  fifo->Done();
  return Show(popped->object) + (popped->in_initial_list ? " initial" : "");
}

// TestFIFO_basic: two writers take turns.
Task<void> AddMany(Loop& loop, Fifo& fifo, std::string prefix) {
  for (int i = 1; i <= 500; ++i) {
    Ok(fifo.Add(MakeObject(prefix + std::to_string(i), std::to_string(i))));
    Task<void> pause = Sleep(loop, Millis(1));
    co_await pause;
  }
}

TEST(Fifo, KeepsTheOrderOfEachWriter) {
  SimPort port;
  Loop loop(port);
  Fifo fifo;
  TaskScope scope(loop);
  scope.Spawn(AddMany(loop, fifo, "a"));
  scope.Spawn(AddMany(loop, fifo, "b"));
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  int last[2] = {0, 0};
  while (const std::optional<Fifo::Popped> popped = fifo.TryPop()) {
    int& before = last[popped->object->key().name[0] - 'a'];
    EXPECT_EQ(std::stoi(popped->object->resource_version()), before + 1);
    before = std::stoi(popped->object->resource_version());
  }
  EXPECT_THAT(last, ElementsAre(500, 500));
}

TEST(Fifo, GivesTheNewestStateOnce) {  // TestFIFO_addUpdate
  Fifo fifo;
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Update(MakeObject("foo", "15")));
  EXPECT_THAT(Show(fifo.List()), ElementsAre("foo@15"));
  EXPECT_THAT(fifo.ListKeys(), ElementsAre(ObjectKey{"default", "foo"}));
  EXPECT_EQ(Pop(&fifo), "foo@15");
  EXPECT_EQ(Pop(&fifo), "none");
  EXPECT_EQ(*fifo.Get(*MakeObject("foo")), nullptr);
}

TEST(Fifo, ForgetsWhatAReplaceDoesNotHave) {  // TestFIFO_addReplace
  Fifo fifo;
  Ok(fifo.Add(MakeObject("foo", "10")));
  Ok(fifo.Add(MakeObject("gone", "11")));
  Ok(fifo.Replace({MakeObject("zoo", "14"), MakeObject("foo", "15")}, "15"));
  EXPECT_EQ(Pop(&fifo), "zoo@14");  // in the list's order
  EXPECT_EQ(Pop(&fifo), "foo@15");
  EXPECT_EQ(Pop(&fifo), "none");
  EXPECT_THAT(fifo.List(), IsEmpty());
}

TEST(Fifo, LetsNobodyJumpTheLine) {  // TestFIFO_detectLineJumpers
  Fifo fifo;
  for (const auto& [name, rv] :
       {std::pair("foo", "10"), {"bar", "1"}, {"foo", "11"}, {"foo", "13"}, {"zab", "30"}}) {
    Ok(fifo.Add(MakeObject(name, rv)));
  }
  EXPECT_EQ(Pop(&fifo), "foo@13");
  Ok(fifo.Add(MakeObject("foo", "14")));
  EXPECT_EQ(Pop(&fifo), "bar@1");
  EXPECT_EQ(Pop(&fifo), "zab@30");
  EXPECT_EQ(Pop(&fifo), "foo@14");
}

TEST(Fifo, DoesNotGiveWhatWasDeleted) {
  Fifo fifo;
  Ok(fifo.Replace({MakeObject("a"), MakeObject("b")}, "5"));
  Ok(fifo.Delete(MakeObject("a")));
  EXPECT_EQ(Pop(&fifo), "b@1 initial");
  EXPECT_TRUE(fifo.HasSynced());
  Fifo all;
  Ok(all.Replace({MakeObject("a")}, "5"));
  Ok(all.Delete(MakeObject("a")));
  EXPECT_EQ(Pop(&all), "none");
  EXPECT_TRUE(all.HasSynced());
}

TEST(Fifo, SyncsWhenTheFirstListWasProcessed) {  // TestFIFO_HasSynced
  Fifo added, empty, two;
  EXPECT_FALSE(added.HasSynced());
  Ok(added.Add(MakeObject("a")));
  EXPECT_TRUE(added.HasSynced());
  Ok(empty.Replace({}, "0"));
  EXPECT_TRUE(empty.HasSynced());
  Ok(two.Replace({MakeObject("a"), MakeObject("b")}, "0"));
  EXPECT_FALSE(two.HasSynced());
  EXPECT_EQ(Pop(&two), "a@1 initial");
  EXPECT_FALSE(two.HasSynced());
  EXPECT_TRUE(two.TryPop().has_value());
  EXPECT_FALSE(two.HasSynced());  // popped, and not yet processed
  two.Done();
  EXPECT_TRUE(two.HasSynced());
}

Task<void> PopOne(Loop& loop, Fifo& fifo, std::vector<std::string>& told) {
  Task<Result<Fifo::Popped>> next = Next(loop, fifo);
  const Result<Fifo::Popped> popped = co_await next;
  told.push_back(popped.ok() ? Show(popped->object) : popped.error().message());
}

TEST(Fifo, WakesWhoWaitsWhenItIsClosed) {  // TestFIFO_PopShouldUnblockWhenClosed
  SimPort port;
  Loop loop(port);
  Fifo fifo;
  std::vector<std::string> told;
  TaskScope scope(loop);
  for (int i = 0; i < 11; ++i) scope.Spawn(PopOne(loop, fifo, told));
  Ok(fifo.Add(MakeObject("a")));
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_THAT(told, ElementsAre("a@1"));
  told.clear();
  fifo.Close();
  EXPECT_TRUE(fifo.closed());
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_EQ(told, std::vector<std::string>(10, "DeltaFIFO: manipulating with closed queue"));
}

}  // namespace fifo_test
}  // namespace relist
