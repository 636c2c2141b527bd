#include "reflector/informers/event_handler_funcs.h"

#include <gmock/gmock.h>

#include "reflector/informers/typed_event_handler.h"
#include "reflector/testing/fake_source.h"
#include "reflector/testing/informer_world.h"

namespace relist {
namespace event_handler_funcs_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::RecordingHandler;

struct Named {
  std::string name;
};

// The same facts for the raw and the typed face.
template <class Ref>
struct Face;
template <>
struct Face<ObjectRef> {
  static ObjectRef Make(const std::string& name) { return MakeObject({.name = name}, "1"); }
  static std::string NameOf(const ObjectRef& object) { return object->key().name; }
};
template <>
struct Face<TypedRef<Named>> {
  static TypedRef<Named> Make(const std::string& name) {
    const ObjectRef object = MakeObject({.name = name}, "1");
    object->Attach(new Named{name}, kAttachedType<Named>);
    return TypedRef<Named>(object);
  }
  static std::string NameOf(const TypedRef<Named>& object) { return object->name; }
};

template <class Ref>
struct Facts {
  Ref Make(const std::string& name) { return Face<Ref>::Make(name); }
  std::string NameOf(const Ref& object) { return Face<Ref>::NameOf(object); }
  DeletedOf<Ref> Gone(const std::string& name) { return {{"default", name}, Make(name), true}; }
  void TellAll(EventHandlerOf<Ref>& handler) {
    handler.OnAdd(Make("a"), true);
    handler.OnAdd(Make("b"), false);
    handler.OnUpdate(Make("old"), Make("new"));
    handler.OnDelete(Gone("gone"));
  }

  // A handler that writes down what it is told.
  struct Recording : EventHandlerOf<Ref> {
    void OnAdd(const Ref& object, bool initial) override {
      calls.push_back("add " + Face<Ref>::NameOf(object) + (initial ? " initial" : ""));
    }
    void OnUpdate(const Ref& old_object, const Ref& object) override {
      calls.push_back("update " + Face<Ref>::NameOf(old_object) + "->" + Face<Ref>::NameOf(object));
    }
    void OnDelete(const DeletedOf<Ref>& deleted) override {
      calls.push_back("delete " + Face<Ref>::NameOf(deleted.object) +
                      (deleted.final_state_unknown ? " unknown" : ""));
    }
    std::vector<std::string> calls;
  };
  std::vector<std::string> calls;
};

template <class Ref>
void CheckCallWhatTheyWereGiven() {
  Facts<Ref> facts;
  EventHandlerFuncsOf<Ref> funcs(
      {.add_func = [&](const Ref& object) { facts.calls.push_back(facts.NameOf(object)); },
       .update_func =
           [&](const Ref& old_object, const Ref& object) {
             facts.calls.push_back(facts.NameOf(old_object) + "->" + facts.NameOf(object));
           },
       .delete_func =
           [&](const DeletedOf<Ref>& deleted) {
             facts.calls.push_back("-" + facts.NameOf(deleted.object));
           }});
  facts.TellAll(funcs);
  EXPECT_THAT(facts.calls, ElementsAre("a", "b", "old->new", "-gone"));
}

// TestTypedResourceEventHandlerFuncs
TEST(EventHandlerFuncs, CallWhatTheyWereGiven) {
  CheckCallWhatTheyWereGiven<ObjectRef>();
  CheckCallWhatTheyWereGiven<TypedRef<Named>>();
}

template <class Ref>
void CheckCallNothingWhereTheyWereGivenNothing() {
  Facts<Ref> facts;
  EventHandlerFuncsOf<Ref> none({});
  facts.TellAll(none);
  EventHandlerDetailedFuncsOf<Ref> none_detailed({});
  facts.TellAll(none_detailed);
}

TEST(EventHandlerFuncs, CallNothingWhereTheyWereGivenNothing) {  // CTL-09
  CheckCallNothingWhereTheyWereGivenNothing<ObjectRef>();
  CheckCallNothingWhereTheyWereGivenNothing<TypedRef<Named>>();
}

template <class Ref>
void CheckOfTheDetailedKindAreToldWhatIsInitial() {
  Facts<Ref> facts;
  EventHandlerDetailedFuncsOf<Ref> funcs(
      {.add_func =
           [&](const Ref& object, bool initial) {
             facts.calls.push_back(facts.NameOf(object) + (initial ? " initial" : ""));
           },
       .update_func =
           [&](const Ref& old_object, const Ref& object) {
             facts.calls.push_back(facts.NameOf(old_object) + "->" + facts.NameOf(object));
           },
       .delete_func =
           [&](const DeletedOf<Ref>& deleted) {
             facts.calls.push_back("-" + facts.NameOf(deleted.object));
           }});
  facts.TellAll(funcs);
  EXPECT_THAT(facts.calls, ElementsAre("a initial", "b", "old->new", "-gone"));
}

// TestTypedResourceEventHandlerDetailedFuncs
TEST(EventHandlerFuncs, OfTheDetailedKindAreToldWhatIsInitial) {
  CheckOfTheDetailedKindAreToldWhatIsInitial<ObjectRef>();
  CheckOfTheDetailedKindAreToldWhatIsInitial<TypedRef<Named>>();
}

template <class Ref>
void CheckBehindAFilterSeeWhatPasses() {
  Facts<Ref> facts;
  typename Facts<Ref>::Recording handler;
  FilteringEventHandlerOf<Ref> filter(
      [&](const Ref& object) { return facts.NameOf(object).front() == 'y'; }, handler);
  filter.OnAdd(facts.Make("yes"), true);
  filter.OnAdd(facts.Make("no"), true);
  filter.OnDelete(facts.Gone("yes"));
  filter.OnDelete(facts.Gone("no"));
  EXPECT_THAT(handler.calls, ElementsAre("add yes initial", "delete yes unknown"));
}

// TestTypedFilteringResourceEventHandler; "y..." passes.
TEST(EventHandlerFuncs, BehindAFilterSeeWhatPasses) {
  CheckBehindAFilterSeeWhatPasses<ObjectRef>();
  CheckBehindAFilterSeeWhatPasses<TypedRef<Named>>();
}

template <class Ref>
void CheckBehindAFilterSeeComingAndGoing() {
  Facts<Ref> facts;
  typename Facts<Ref>::Recording handler;
  FilteringEventHandlerOf<Ref> filter(
      [&](const Ref& object) { return facts.NameOf(object).front() == 'y'; }, handler);
  filter.OnUpdate(facts.Make("y1"), facts.Make("y2"));
  filter.OnUpdate(facts.Make("n1"), facts.Make("y2"));
  filter.OnUpdate(facts.Make("y1"), facts.Make("n2"));
  filter.OnUpdate(facts.Make("n1"), facts.Make("n2"));
  // What leaves the filter is the state that still passed, and it is known.
  EXPECT_THAT(handler.calls, ElementsAre("update y1->y2", "add y2", "delete y1"));
}

TEST(EventHandlerFuncs, BehindAFilterSeeComingAndGoing) {  // CTL-09
  CheckBehindAFilterSeeComingAndGoing<ObjectRef>();
  CheckBehindAFilterSeeComingAndGoing<TypedRef<Named>>();
}

}  // namespace event_handler_funcs_test
}  // namespace relist
