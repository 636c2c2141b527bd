#include "scenarios/lives/life.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/runtime/loop.h"
#include "core/runtime/sim_port.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/api_server.h"
#include "fakeapi/objects/identity.h"
#include "fakeapi/store/store.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "scenarios/checkers/checkers.h"
#include "scenarios/lives/legal_faults.h"
#include "scenarios/play/sim_network.h"

namespace relist {
namespace {

constexpr char kNamespace[] = "default";
constexpr char kClient[] = "client";
// timeoutSeconds is drawn up to 600 (RFL-02), and the client's margin is 30 s.
constexpr Duration kLargestDeadline = Seconds(630);
constexpr char kSelector[] = "in=yes";
// Longer than C19 gives who was told to stop.
constexpr Duration kLookBack = CheckOptions().told_within + Seconds(5);

// What is drawn once, before a life begins.
struct Circumstances {
  bool streaming_list = true;
  int64_t page_size = 0;
  bool selective = false;  // a label selector that objects enter and leave
  size_t watch_window = 1000;
};

Circumstances Draw(Choices& choices) {
  Circumstances drawn;
  drawn.streaming_list = choices.Below(2, "streaming list") == 0;
  drawn.page_size = choices.Below(4, "page size") == 3 ? 3 : 0;
  drawn.selective = choices.Below(4, "selective") == 3;
  drawn.watch_window = choices.Below(4, "window") == 3 ? 8 : 1000;
  return drawn;
}

class NoHandler : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef&, bool) override { ++calls; }
  void OnUpdate(const ObjectRef&, const ObjectRef&) override { ++calls; }
  void OnDelete(const Deleted&) override { ++calls; }
  int calls = 0;
};

fakeapi::ApiServerOptions ServerOptions(const Circumstances& drawn, Choices* seeded,
                                        History* history) {
  fakeapi::ApiServerOptions options;
  options.watch_window = drawn.watch_window;
  options.compaction_period = {};
  options.system_namespaces = false;
  options.choices = seeded;
  options.history = history;
  return options;
}

RestClientOptions RestOptions(const PlantedBugs& bugs) {
  RestClientOptions options;
  options.endpoint = {"sim", 80, nullptr};
  options.user_agent = kClient;
  options.bugs = bugs;
  return options;
}

InformerOptions ClientOptions(const Circumstances& drawn, Choices* seeded,
                              std::shared_ptr<Recorder> recorder, const PlantedBugs& bugs) {
  InformerOptions options;
  options.reflector.choices = seeded;
  options.reflector.recorder = std::move(recorder);
  options.reflector.page_size = drawn.page_size;
  // client-go's own paged relist can go round until a compaction, which no life has.
  options.reflector.fresh_relists = true;
  options.reflector.streaming_list = drawn.streaming_list;
  options.reflector.expected_kind = "ConfigMap";
  options.reflector.expected_api_version = "v1";
  options.reflector.bugs = bugs;
  return options;
}

class Life {
 public:
  Life(const LifeChoices& choices, const PlantedBugs& bugs, const LifeOptions& options)
      : choices_(choices),
        options_(options),
        drawn_(Draw(choices.workload)),
        seeded_(7),
        resource_(*fakeapi::FindByName("configmaps")),
        loop_(port_, &choices.schedule),
        server_(ServerOptions(drawn_, &seeded_, &history_)),
        faults_(choices.faults, server_),
        network_(port_, server_, &faults_, &history_, &choices.latency),
        recorder_(std::make_shared<Recorder>(loop_, &history_, kClient)),
        rest_(loop_, RestOptions(bugs)),
        lister_(rest_, resource_.resource, kNamespace, {drawn_.selective ? kSelector : "", ""},
                recorder_),
        informer_(loop_, lister_, ClientOptions(drawn_, &seeded_, recorder_, bugs)),
        scope_(loop_) {
    port_.SetDialer([this](const Endpoint&) { return network_.Dial(); });
    auto added = informer_.AddEventHandler(handler_);
    CHECK(added.ok(), "the handler was refused: {}", added.error().message());
    listener_ = *added;
  }

  LifeResult Run() {
    const TimePoint start = loop_.Now();
    Phase("chaos");
    for (int i = 0; i < options_.objects; ++i) Write(i, /*gone=*/false);
    PlanWrites(start);
    scope_.Spawn(informer_.Run(stop_));
    loop_.RunUntil([] { return false; }, start + options_.chaos);
    faults_.Calm();
    Phase("calm");
    const TimePoint calm = loop_.Now();
    // A connection that went silent is noticed at its deadline at the latest.
    const Duration longest = kLargestDeadline + Seconds(60);
    loop_.RunUntil([] { return false; }, calm + (faults_.stalled() ? longest : options_.calm));
    WaitFor([this] { return Converged(); }, calm + longest);
    WriteSentinel();
    if (WaitFor([this] { return Converged(); }, loop_.Now() + Seconds(60))) Phase("converged");
    history_.Add(loop_.Now(), kClient, "dump")
        .Set("items", std::to_string(informer_.indexer().size()));
    informer_.RecordStore(&history_, kClient, loop_.Now());
    Phase("end");
    Stop();
    return Judge();
  }

 private:
  void Phase(const char* name) { history_.Add(loop_.Now(), "run", "phase").Set("name", name); }

  template <class Condition>
  bool WaitFor(Condition condition, TimePoint limit) {
    while (!condition()) {
      if (loop_.Now() >= limit) return false;
      loop_.RunUntil([] { return false; }, std::min(limit, loop_.Now() + Seconds(1)));
    }
    return true;
  }

  // And then so long that what was left behind would show.
  void Stop() {
    history_.Add(loop_.Now(), kClient, "stop");
    stop_.Set();
    loop_.RunUntil([this] { return scope_.empty(); }, loop_.Now() + Seconds(1));
    history_.Add(loop_.Now(), kClient, "stopped").Set("left", scope_.empty() ? "0" : "1");
    loop_.RunUntil([] { return false; }, loop_.Now() + kLookBack);
    Phase("over");
  }

  // Straight into the store: what a request must pass to get there is tested elsewhere, and costs
  // more than all that follows from it. Objects carry characters of one to four bytes, so that cuts
  // and splits fall inside them.
  void Put(const std::string& name, bool in) {
    const TimePoint now = port_.Now();
    server_.SetTime(now);
    const ObjectKey key{kNamespace, name};
    const fakeapi::StoredRef before = server_.store().Find(resource_, key);
    if (!before) {
      born_[name] = {fakeapi::MakeUid(server_.revision(), seeded_), FormatRfc3339(now)};
    }
    const Birth& birth = born_[name];
    // Field by field, into room that is there: initializer lists of JSON copy each value twice, and
    // so does an object that grows.
    nlohmann::ordered_json value = nlohmann::ordered_json::object();
    value.get_ref<nlohmann::ordered_json::object_t&>().reserve(2);
    nlohmann::ordered_json& metadata = value["metadata"] = nlohmann::ordered_json::object();
    metadata.get_ref<nlohmann::ordered_json::object_t&>().reserve(6);
    metadata["name"] = name;
    metadata["namespace"] = kNamespace;
    metadata["uid"] = birth.uid;
    metadata["resourceVersion"] = "";  // its place
    metadata["creationTimestamp"] = birth.time;
    metadata["labels"]["in"] = in ? "yes" : "no";
    nlohmann::ordered_json& data = value["data"] = nlohmann::ordered_json::object();
    data.get_ref<nlohmann::ordered_json::object_t&>().reserve(2);
    data["n"] = std::to_string(++serial_);
    data["text"] = "aé€😀";
    if (before)
      server_.store().Replace(resource_, key, std::move(value));
    else
      server_.store().Create(resource_, key, std::move(value));
    network_.Changed();
  }

  void Write(int which, bool gone) {
    const std::string name = fmt::format("o{}", which);
    if (!gone) return Put(name, !drawn_.selective || choices_.workload.Below(3, "in scope") != 2);
    const ObjectKey key{kNamespace, name};
    if (!server_.store().Find(resource_, key)) return;
    server_.SetTime(port_.Now());
    server_.store().Delete(resource_, key);
    network_.Changed();
  }

  void PlanWrites(TimePoint start) {
    const Duration share = options_.chaos / std::max(options_.writes, 1);
    for (int i = 0; i < options_.writes; ++i) {
      const uint64_t late = choices_.workload.Below(8, "when");
      port_.At(start + share * i + share / 8 * static_cast<int64_t>(late), [this] {
        const uint64_t which =
            choices_.workload.Below(static_cast<uint64_t>(options_.objects), "which object");
        const bool gone = choices_.workload.Below(4, "delete") == 3;
        Write(static_cast<int>(which), gone);
        faults_.Disturb(port_.Now());
        network_.Changed();
      });
    }
  }

  // A lost tail shows only if something comes after it.
  void WriteSentinel() { Put("sentinel", /*in=*/true); }

  bool Converged() const {
    if (!listener_->HasSynced() || listener_->backlog() > 0) return false;
    size_t count = 0;
    for (const auto& [key, object] : const_cast<Life*>(this)->server_.store().All(resource_)) {
      if (drawn_.selective && object->labels.at("in") != "yes") continue;
      ++count;
      const ObjectRef stored = informer_.indexer().Get(key);
      if (!stored || stored->resource_version() != std::to_string(object->revision)) return false;
    }
    return count == informer_.indexer().size();
  }

  LifeResult Judge() {
    LifeResult result;
    result.faults = faults_.struck();
    result.callbacks = handler_.calls;
    for (const HistoryEntry& entry : history_.entries()) {
      if (entry.actor() != kClient) continue;
      if (entry.what() == "relist") ++result.relists;
      if (entry.what() == "request" && entry.Get("verb") == "WATCH") ++result.watches;
    }
    result.history_hash = history_.Hash();
    result.history = std::move(history_);
    const fakeapi::ApiServerOptions server = ServerOptions(drawn_, nullptr, nullptr);
    result.server = {server.watch_window, server.timeout_min, server.fresh_wait};
    if (!options_.judge) return result;
    CheckOptions options;
    options.wire = result.server;
    for (Violation& violation : CheckAll(result.history, options)) {
      if (violation.excuse.empty()) result.violations.push_back(std::move(violation));
    }
    return result;
  }

  const LifeChoices& choices_;
  const LifeOptions& options_;
  const Circumstances drawn_;
  SeededChoices seeded_;  // what no tape need decide: uids, time-outs, jitter
  const fakeapi::ResourceType& resource_;
  History history_;
  SimPort port_;
  Loop loop_;
  fakeapi::ApiServer server_;
  LegalFaults faults_;
  SimNetwork network_;
  std::shared_ptr<Recorder> recorder_;
  RestClient rest_;
  RestListerWatcher lister_;
  NoHandler handler_;
  SharedInformer informer_;
  std::shared_ptr<Listener> listener_;
  Signal stop_;
  struct Birth {
    std::string uid, time;
  };
  std::map<std::string, Birth> born_;  // of the objects that are there
  int serial_ = 0;
  TaskScope scope_;
};

}  // namespace

LifeResult RunLife(const LifeChoices& choices, const PlantedBugs& bugs,
                   const LifeOptions& options) {
  Life life(choices, bugs, options);
  return life.Run();
}

LifeResult RunLife(const Tape& tape, const LifeOptions& options) {
  TapeChoices schedule(tape.schedule);
  TapeChoices latency(tape.latency);
  TapeChoices faults(tape.faults);
  TapeChoices workload(tape.workload);
  const Result<PlantedBugs> bugs = PlantBug(tape.planted_bug);
  CHECK(bugs.ok(), "{}", bugs.error().message());
  return RunLife({schedule, latency, faults, workload}, *bugs, options);
}

std::string ReportOf(const LifeResult& life, const std::string& again) {
  std::string text;
  for (const Violation& violation : life.violations)
    text += Describe(life.history, violation, again);
  if (life.violations.empty()) text = "every property held\n";
  return text + fmt::format("{} relists, {} watches, {} callbacks, {} faults, history {:016x}\n",
                            life.relists, life.watches, life.callbacks, life.faults,
                            life.history_hash);
}

}  // namespace relist
