#include <gmock/gmock.h>

#include "reflector/queues/real_fifo.h"
#include "reflector/testing/deltas.h"

namespace relist {
namespace real_fifo_batch_test {

using ::testing::ElementsAre;
using testing::MakeObject;
using testing::Pop;

void Ok(const Result<void>& result) {
  ASSERT_TRUE(result.ok()) << result.error().message();
}

std::vector<std::vector<std::string>> Batches(RealFifo* fifo) {
  std::vector<std::vector<std::string>> out;
  while (fifo->size() > 0) out.push_back(Pop(fifo));
  return out;
}

// A classic queue after a first list of some names, and updates of others.
std::vector<std::vector<std::string>> AfterListAndUpdates(std::vector<std::string> listed,
                                                          std::vector<std::string> updated,
                                                          size_t batch_size = 999999) {
  Indexer store;
  RealFifo fifo({.atomic = false, .known_objects = &store, .batch_size = batch_size});
  std::vector<ObjectRef> list;
  for (const std::string& name : listed) list.push_back(MakeObject(name));
  Ok(fifo.Replace(list, "123"));
  for (const std::string& name : updated) Ok(fifo.Update(MakeObject(name)));
  return Batches(&fifo);
}

// TestRealFIFO_PopMultipleDeltaInBatch, its eight cases
TEST(RealFifoBatch, HoldsAllDeltasOfTheFirstList) {
  EXPECT_THAT(AfterListAndUpdates({"1", "2", "3"}, {}),
              ElementsAre(ElementsAre("replaced 1@1", "replaced 2@1", "replaced 3@1")));
}

TEST(RealFifoBatch, DoesNotCrossTheEndOfTheFirstList) {
  EXPECT_THAT(AfterListAndUpdates({"1", "2"}, {"3", "4"}),
              ElementsAre(ElementsAre("replaced 1@1", "replaced 2@1"),
                          ElementsAre("updated 3@1", "updated 4@1")));
}

TEST(RealFifoBatch, EndsBeforeAKeyThatIsInIt) {
  EXPECT_THAT(AfterListAndUpdates({"1"}, {"1", "1"}),
              ElementsAre(ElementsAre("replaced 1@1"), ElementsAre("updated 1@1"),
                          ElementsAre("updated 1@1")));
  EXPECT_THAT(AfterListAndUpdates({"1", "2"}, {"2", "3"}),
              ElementsAre(ElementsAre("replaced 1@1", "replaced 2@1"),
                          ElementsAre("updated 2@1", "updated 3@1")));
  EXPECT_THAT(AfterListAndUpdates({"1", "2", "3"}, {"2"}),
              ElementsAre(ElementsAre("replaced 1@1", "replaced 2@1", "replaced 3@1"),
                          ElementsAre("updated 2@1")));
  EXPECT_THAT(AfterListAndUpdates({}, {"1", "2", "1", "3"}),
              ElementsAre(ElementsAre("updated 1@1", "updated 2@1"),
                          ElementsAre("updated 1@1", "updated 3@1")));
}

TEST(RealFifoBatch, IsNoLargerThanItsSize) {
  EXPECT_THAT(
      AfterListAndUpdates({"1", "2", "3"}, {}, 2),
      ElementsAre(ElementsAre("replaced 1@1", "replaced 2@1"), ElementsAre("replaced 3@1")));
  EXPECT_THAT(AfterListAndUpdates({}, {"1", "2", "3"}, 2),
              ElementsAre(ElementsAre("updated 1@1", "updated 2@1"), ElementsAre("updated 3@1")));
  EXPECT_THAT(AfterListAndUpdates({"1", "2", "3"}, {"4"}, 2),
              ElementsAre(ElementsAre("replaced 1@1", "replaced 2@1"), ElementsAre("replaced 3@1"),
                          ElementsAre("updated 4@1")));
}

TEST(RealFifoBatch, HoldsAThousandDeltas) {
  RealFifo fifo;
  for (int i = 0; i < 1500; ++i) Ok(fifo.Add(MakeObject(std::to_string(i))));
  EXPECT_EQ(Pop(&fifo).size(), 1000u);
  EXPECT_EQ(Pop(&fifo).size(), 500u);
}

TEST(RealFifoBatch, SaysWhetherItIsOfTheFirstList) {  // RFF-09
  Indexer store;
  RealFifo fifo({.atomic = false, .known_objects = &store, .batch_size = 2});
  Ok(fifo.Replace({MakeObject("1"), MakeObject("2"), MakeObject("3")}, "123"));
  Ok(fifo.Update(MakeObject("4")));
  std::vector<bool> initial;
  while (fifo.size() > 0) {
    Pop(&fifo);
    initial.push_back(fifo.in_initial_list());
  }
  EXPECT_THAT(initial, ElementsAre(true, true, false));
}

TEST(RealFifoBatch, TakesWhatStandsForAllAlone) {
  RealFifo fifo;
  Ok(fifo.Replace({MakeObject("a")}, "5"));
  Ok(fifo.Add(MakeObject("b")));
  fifo.Bookmark("6");
  Ok(fifo.Resync());
  Ok(fifo.Add(MakeObject("c")));
  EXPECT_THAT(Batches(&fifo), ElementsAre(ElementsAre("replaced all at 5: a@1"),
                                          ElementsAre("added b@1"), ElementsAre("bookmark at 6"),
                                          ElementsAre("sync all"), ElementsAre("added c@1")));
}

// TestRealFIFO_PopBrokenItemsInBatch: keys that could be told when they were queued, and cannot any
// more.
TEST(RealFifoBatch, EndsAfterADeltaWhoseKeyCannotBeTold) {
  const auto batches = [](const std::vector<std::string>& names) {
    bool broken = false;
    RealFifo fifo({.key = [&broken](const Object& object) -> Result<ObjectKey> {
      if (broken && object.key().name.starts_with("bad")) {
        return Error::Net(Transport::kOther, "broken");
      }
      return object.key();
    }});
    for (const std::string& name : names) Ok(fifo.Add(MakeObject(name)));
    broken = true;
    return Batches(&fifo);
  };
  EXPECT_THAT(batches({"bad3"}), ElementsAre(ElementsAre("added bad3@1")));
  EXPECT_THAT(batches({"1", "2", "bad3"}),
              ElementsAre(ElementsAre("added 1@1", "added 2@1", "added bad3@1")));
  EXPECT_THAT(batches({"1", "2", "bad3", "bad4"}),
              ElementsAre(ElementsAre("added 1@1", "added 2@1", "added bad3@1"),
                          ElementsAre("added bad4@1")));
  EXPECT_THAT(batches({"bad3", "1", "bad4"}),
              ElementsAre(ElementsAre("added bad3@1"), ElementsAre("added 1@1", "added bad4@1")));
}

TEST(RealFifoBatch, GoesByKeysOfOnesOwn) {
  RealFifo fifo({.key = [](const Object& object) -> Result<ObjectKey> {
    return ObjectKey{"", object.resource_version()};
  }});
  Ok(fifo.Add(MakeObject("a", "1")));
  Ok(fifo.Add(MakeObject("a", "2")));
  Ok(fifo.Add(MakeObject("b", "1")));
  EXPECT_THAT(Batches(&fifo),
              ElementsAre(ElementsAre("added a@1", "added a@2"), ElementsAre("added b@1")));
}

}  // namespace real_fifo_batch_test
}  // namespace relist
