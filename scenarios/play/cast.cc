#include "scenarios/play/cast.h"

#include <fmt/core.h>

#include <algorithm>
#include <deque>

#include "core/choices.h"
#include "core/wire/resource_version.h"
#include "fakeapi/api/resources.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "scenarios/play/cast_handler.h"
#include "scenarios/play/cast_options.h"

namespace relist {
namespace {

// Whether any step waits for what this client's handlers are told.
bool IsAwaited(const Scenario& scenario, const ClientSpec& client) {
  return std::any_of(scenario.steps.begin(), scenario.steps.end(), [&](const StepSpec& step) {
    const std::optional<MomentSpec>& moment = step.trigger.moment;
    return moment && moment->kind == MomentSpec::Kind::kSeen && moment->client == client.name;
  });
}

}  // namespace

// A handler while its informer lives.
struct CastListener {
  CastListener(const HandlerSpec& spec, CastHandler::Teller teller)
      : handler(spec, std::move(teller)) {}
  CastHandler handler;
  std::shared_ptr<Listener> listener;
};

// A client from its start to its stop.
struct Cast::Life {
  Life(Loop& loop, const Endpoint& endpoint, const ClientSpec& client, HandlerThreads threads,
       Choices* choices, const std::shared_ptr<Recorder>& recorder, const PlantedBugs& bugs)
      : spec(client),
        rest(loop, RestOptionsOf(spec, endpoint, bugs)),
        lister(rest, fakeapi::FindByName(spec.resource)->resource, spec.ns,
               {spec.label_selector, spec.field_selector}, recorder),
        informer(loop, lister, InformerOptionsOf(spec, threads, choices, recorder, bugs)),
        scope(loop) {}

  void Join(size_t index) {
    auto added = informer.AddEventHandler(listeners[index].handler, HandlerOptionsOf(spec, index));
    CHECK(added.ok(), "a handler was refused: {}", added.error().message());
    listeners[index].listener = *added;
  }

  const ClientSpec& spec;
  RestClient rest;
  RestListerWatcher lister;
  std::deque<CastListener> listeners;  // by their place in `spec`
  SharedInformer informer;
  Signal stop;
  TaskScope scope;
};

struct Cast::Member {
  Member(Loop& loop, const ClientSpec& client, uint64_t seed, History* history)
      : spec(client),
        choices(seed),
        recorder(std::make_shared<Recorder>(loop, history, spec.name)),
        start_wanted(!spec.started_by_step),
        calls(spec.handlers.size()),
        failures(spec.handlers.size()) {}

  // Most calls, and most failures, of a handler in one life.
  void Count() {
    if (!life) return;
    for (size_t i = 0; i < life->listeners.size(); ++i) {
      calls[i] = std::max(calls[i], life->listeners[i].handler.calls());
      failures[i] = std::max(failures[i], life->listeners[i].handler.failures());
    }
  }

  const ClientSpec& spec;
  SeededChoices choices;
  std::shared_ptr<Recorder> recorder;
  std::unique_ptr<Life> life;  // null: it does not run
  bool start_wanted;           // it is to run once it can
  Event started;               // by a step
  bool ran = false;
  std::vector<int> calls, failures;  // by handler
};

Cast::Cast(Loop& loop, const Endpoint& endpoint, const Scenario& scenario, uint64_t seed,
           HandlerThreads threads, History* history, const PlantedBugs& bugs)
    : loop_(loop),
      endpoint_(endpoint),
      scenario_(scenario),
      threads_(threads),
      history_(history),
      bugs_(bugs),
      asker_(loop, endpoint, history),
      scope_(loop) {
  for (const ClientSpec& client : scenario.clients) {
    members_.push_back(std::make_unique<Member>(loop, client, seed + members_.size(), history));
  }
}

Cast::~Cast() = default;

void Cast::Start() {
  for (const auto& member : members_) {
    ++running_;
    scope_.Spawn(RunMember(*member));
  }
}

Task<void> Cast::RunMember(Member& member) {
  if (!member.spec.started_by_step) {
    Task<bool> delay = SleepUnless(loop_, member.spec.start, stop_);
    co_await delay;
  }
  while (!stop_.Ready()) {
    if (!member.start_wanted) {
      Select which(loop_, stop_, member.started);
      co_await which;
      member.started.Take();
      continue;
    }
    Begin(member);
    {
      Task<void> run = member.life->informer.Run(member.life->stop);
      co_await run;
    }
    End(member);
  }
  --running_;
}

void Cast::Begin(Member& member) {
  member.start_wanted = false;
  if (member.ran) history_->Add(loop_.Now(), member.spec.name, "started");
  member.ran = true;
  member.life = std::make_unique<Life>(loop_, endpoint_, member.spec, threads_, &member.choices,
                                       member.recorder, bugs_);
  Life& life = *member.life;
  const bool awaited = IsAwaited(scenario_, member.spec);
  for (size_t i = 0; i < member.spec.handlers.size(); ++i) {
    const HandlerSpec& spec = member.spec.handlers[i];
    CastHandler::Teller teller;
    if (awaited) {
      teller = [this, client = &member.spec, number = static_cast<int>(i + 1)](
                   MomentSpec::As as, const ObjectKey& key) {
        const Moment moment{MomentSpec::Kind::kSeen, client, number, as, key};
        loop_.PostFromThread([this, moment] { Tell(moment); });
      };
    }
    life.listeners.emplace_back(spec, std::move(teller));
    life.Join(i);
    life.scope.Spawn(
        TellWhenSynced(life.listeners[i].listener->synced(),
                       {MomentSpec::Kind::kSynced, &member.spec, static_cast<int>(i + 1), {}, {}}));
  }
  life.scope.Spawn(
      TellWhenSynced(life.informer.synced(), {MomentSpec::Kind::kSynced, &member.spec, 0, {}, {}}));
}

// What it knew goes with it.
void Cast::End(Member& member) {
  member.Count();
  if (!stop_.Ready()) history_->Add(loop_.Now(), member.spec.name, "stopped");
  member.life.reset();
}

Task<void> Cast::TellWhenSynced(Signal& synced, Moment moment) {
  Select which(loop_, synced);
  co_await which;
  Tell(moment);
}

void Cast::Tell(const Moment& moment) {
  if (moment_listener_) moment_listener_(moment);
}

Result<void> Cast::Do(const StepSpec& step) {
  if (step.kind == StepSpec::Kind::kAsk) {
    asker_.Ask(step);
    return {};
  }
  const auto found = std::find_if(members_.begin(), members_.end(), [&](const auto& member) {
    return member->spec.name == step.client;
  });
  CHECK(found != members_.end(), "an unknown client \"{}\" got past the reading of the scenario",
        step.client);
  Member& member = **found;
  const bool runs = Runs(static_cast<size_t>(found - members_.begin()));
  if (step.kind == StepSpec::Kind::kStart) {
    if (runs)
      return Error::Net(Transport::kOther, fmt::format("client \"{}\" runs already", step.client));
    member.start_wanted = true;
    member.started.Raise();
    return {};
  }
  if (!runs || !member.life) {
    return Error::Net(Transport::kOther, fmt::format("client \"{}\" does not run", step.client));
  }
  if (member.life->stop.Ready()) {
    member.start_wanted = false;  // the one that was to come after it
  } else {
    history_->Add(loop_.Now(), member.spec.name, "stop");
    member.life->stop.Set();
  }
  return {};
}

bool Cast::Runs(size_t client) const {
  const Member& member = *members_[client];
  return member.start_wanted || (member.life && !member.life->stop.Ready());
}

bool Cast::Agrees(size_t client, const KeyVersions& truth) const {
  if (!Runs(client)) return true;
  const Member& member = *members_[client];
  if (!member.life) return false;
  for (const CastListener& one : member.life->listeners) {
    if (one.listener->backlog() > 0 || !one.handler.Is(truth)) return false;
    if (!one.listener->HasSynced() && !one.handler.never_syncs()) return false;
  }
  const std::vector<ObjectRef> stored = member.life->informer.indexer().List();
  if (stored.size() != truth.size()) return false;
  for (const ObjectRef& object : stored) {
    const auto found = truth.find(object->key());
    if (found == truth.end() || found->second != object->resource_version()) return false;
  }
  return true;
}

uint64_t Cast::Position(size_t client) const {
  const Member& member = *members_[client];
  if (!member.life) return 0;
  return ParseResourceVersion(member.life->informer.last_sync_resource_version()).value_or(0);
}

void Cast::RecordStores(TimePoint now) {
  for (size_t i = 0; i < members_.size(); ++i) {
    const Member& member = *members_[i];
    if (!member.life || !Runs(i)) continue;
    const SharedInformer& informer = member.life->informer;
    history_->Add(now, member.spec.name, "dump")
        .Set("items", std::to_string(informer.indexer().size()));
    informer.RecordStore(history_, member.spec.name, now);
  }
}

std::vector<std::string> Cast::NeverThrew() const {
  std::vector<std::string> out;
  for (const auto& member : members_) {
    member->Count();
    for (size_t i = 0; i < member->spec.handlers.size(); ++i) {
      const HandlerSpec& spec = member->spec.handlers[i];
      const int wanted = spec.fails_last == kEvery ? 1 : spec.fails_last - spec.fails_first + 1;
      if (!spec.fails() || member->failures[i] >= wanted) continue;
      out.push_back(fmt::format(
          "{}:{}:{}: {} of client \"{}\" threw {} of {} times: it was called {} times, and throws "
          "from its call {} on",
          scenario_.file, spec.line, spec.column, HandlerName(i), member->spec.name,
          member->failures[i], wanted, member->calls[i], spec.fails_first));
    }
  }
  return out;
}

void Cast::Stop() {
  stop_.Set();
  for (const auto& member : members_) {
    if (member->life && !member->life->stop.Ready()) member->life->stop.Set();
  }
  asker_.Stop();
  loop_.RunUntil([this] { return running_ == 0 && asker_.open() == 0; });
}

}  // namespace relist
