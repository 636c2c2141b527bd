#include "scenarios/lives.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/runtime/loop.h"
#include "core/runtime/sim_port.h"
#include "fakeapi/api_server.h"
#include "fakeapi/resources.h"
#include "fakeapi/store.h"
#include "reflector/rest_client.h"
#include "reflector/rest_lister_watcher.h"
#include "reflector/shared_informer.h"
#include "scenarios/checkers/checkers.h"
#include "scenarios/random_faults.h"
#include "scenarios/sim_network.h"

namespace relist {
namespace {

constexpr char kNamespace[] = "default";
constexpr char kActor[] = "client";
// timeoutSeconds is 600 at most, the client's margin 30 s (its retries of a list are shorter), and 60 s beyond.
constexpr Duration kLongestDeadline = Seconds(690);
constexpr std::array<int, 4> kGapsMs = {1000, 0, 300, 1500};

const Resource& ConfigMaps() {
  static const Resource& resource = fakeapi::FindByName("configmaps")->resource;
  return resource;
}

// Remembers what its callbacks built up.
class LifeView : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef& object, bool) override { seen_[object->key()] = object; }
  void OnUpdate(const ObjectRef&, const ObjectRef& object) override { seen_[object->key()] = object; }
  void OnDelete(const Deleted& deleted) override { seen_.erase(deleted.key); }
  const std::map<ObjectKey, ObjectRef>& seen() const { return seen_; }

 private:
  std::map<ObjectKey, ObjectRef> seen_;
};

fakeapi::ApiServerOptions LifeServer(const LifeOptions& options, Choices* uids, History* history) {
  fakeapi::ApiServerOptions server;
  server.watch_window = options.watch_window;
  server.compaction_period = Duration::zero();
  server.system_namespaces = false;
  server.choices = uids;
  server.history = history;
  return server;
}

InformerOptions LifeInformer(const LifeOptions& options, bool streaming, Choices* choices,
                             std::shared_ptr<Recorder> recorder) {
  InformerOptions informer;
  informer.reflector.choices = choices;
  informer.reflector.recorder = std::move(recorder);
  informer.reflector.streaming_list = streaming;
  informer.reflector.expected_kind = "ConfigMap";
  informer.reflector.expected_api_version = "v1";
  informer.reflector.bugs = options.bugs;
  return informer;
}

RestClientOptions LifeRest(const LifeOptions& options) {
  RestClientOptions rest;
  rest.endpoint = {"sim", 80, nullptr};
  rest.user_agent = kActor;
  rest.bugs = options.bugs;
  return rest;
}

class Life {
 public:
  Life(const LifeOptions& options, Choices& schedule, Choices& latency, Choices& faults, Choices& workload)
      : options_(options),
        workload_(workload),
        fault_choices_(faults),
        streaming_(options.streaming_list ? *options.streaming_list : workload.OneIn(2, "streaming list")),
        selects_(options.selector ? *options.selector : workload.OneIn(8, "selector")),
        uids_(1),
        loop_(port_, &schedule),
        start_(port_.Now()),
        server_(LifeServer(options, &uids_, &history_)),
        faults_(faults, start_ + options.chaos),
        network_(port_, server_, &faults_, &history_, &latency),
        recorder_(std::make_shared<Recorder>(loop_, &history_, kActor)),
        rest_(loop_, LifeRest(options)),
        lister_(rest_, ConfigMaps(), kNamespace, {selects_ ? "app=web" : "", ""}, recorder_),
        informer_(loop_, lister_, LifeInformer(options, streaming_, &schedule, recorder_)),
        scope_(loop_) {
    port_.SetDialer([this](const Endpoint&) { return network_.Dial(); });
    auto added = informer_.AddEventHandler(view_);
    CHECK(added.ok(), "a handler was refused: {}", added.error().message());
    listener_ = *added;
  }

  LifeResult Run() {
    Phase("chaos");
    Call("POST", "/api/v1/namespaces", R"({"metadata":{"name":"default"}})");
    for (int i = 0; i < options_.objects; ++i) Write(i);
    ScheduleWrites();
    scope_.Spawn(informer_.Run(stop_));
    Until(start_ + options_.chaos);
    Phase("calm");
    const TimePoint calm = loop_.Now();
    Until(calm + options_.calm);
    while (!Converged() && loop_.Now() < calm + kLongestDeadline) Until(loop_.Now() + Seconds(30));
    Sentinel();
    for (int i = 0; i < 6 && !Converged(); ++i) Until(loop_.Now() + Seconds(10));
    return Finish();
  }

 private:
  void Phase(const char* name) { history_.Add(loop_.Now(), "run", "phase").Set("name", name); }
  void Until(TimePoint when) {
    loop_.RunUntil([] { return false; }, when);
  }

  // The whole plan is drawn first, so that faults do not shift it.
  void ScheduleWrites() {
    TimePoint when = start_;
    const TimePoint last = start_ + options_.chaos - Millis(1);
    for (int i = 0; i < options_.writes; ++i) {
      when = std::min(last, when + Millis(kGapsMs[workload_.Below(kGapsMs.size(), "gap")]));
      port_.At(when, [this] {
        Write(static_cast<int>(workload_.Below(static_cast<uint64_t>(options_.objects), "object")));
        Control();
      });
    }
  }

  // Creates, changes or deletes object number `index`.
  void Write(int index) {
    const ObjectKey key{kNamespace, fmt::format("o{}", index)};
    const bool there = server_.store().Find(*fakeapi::FindByName("configmaps"), key) != nullptr;
    if (there && workload_.Below(4, "what") == 3) {
      Call("DELETE", ConfigMaps().Path(key.ns, key.name), "");
      return;
    }
    const bool web = workload_.Below(2, "label") == 0;
    const std::string body =
        fmt::format(R"({{"metadata":{{"name":"{}","namespace":"{}","labels":{{"app":"{}"}}}},"data":{{"n":"{}","t":"é🌿"}}}})",
                    key.name, key.ns, web ? "web" : "db", ++writes_);
    if (there) Call("PUT", ConfigMaps().Path(key.ns, key.name), body);
    else Call("POST", ConfigMaps().Path(key.ns), body);
  }

  void Sentinel() {
    Call("POST", ConfigMaps().Path(kNamespace),
         R"({"metadata":{"name":"sentinel","namespace":"default","labels":{"app":"web"}}})");
  }

  // Now and then something happens to the server as a whole.
  void Control() {
    const TimePoint now = port_.Now();
    switch (fault_choices_.Below(48, "control")) {
      case 1: return server_.Evict(now);
      case 2: return server_.Restart(now);
      case 3: return server_.Compact(now, 0, true);
      case 4:
      case 5: return server_.Bookmark(now);
      case 6: return faults_.Refuse(now, Seconds(5));
      default: return;
    }
  }

  void Call(const char* method, const std::string& path, std::string body) {
    fakeapi::Request request;
    request.method = method;
    request.target = path;
    request.headers = {{"Content-Type", "application/json"}};
    request.body = std::move(body);
    const fakeapi::Reply reply = server_.Handle(request, port_.Now(), port_.Now());
    const auto* response = std::get_if<fakeapi::Response>(&reply);
    CHECK(response && response->status < 300, "a write of the workload failed: {} {}: {}", method, path,
          response ? response->BodyText() : "");
    network_.Changed();
  }

  bool Converged() {
    if (!listener_->HasSynced()) return false;
    size_t expected = 0;
    for (const auto& [key, stored] : server_.store().All(*fakeapi::FindByName("configmaps"))) {
      if (selects_ && !IsWeb(*stored)) continue;
      ++expected;
      const auto seen = view_.seen().find(key);
      if (seen == view_.seen().end() || seen->second->resource_version() != std::to_string(stored->revision)) return false;
    }
    return expected == view_.seen().size() && expected == informer_.indexer().size();
  }
  static bool IsWeb(const fakeapi::StoredObject& object) {
    const auto label = object.labels.find("app");
    return label != object.labels.end() && label->second == "web";
  }

  LifeResult Finish() {
    LifeResult result;
    result.converged = Converged();
    if (result.converged) Phase("converged");
    history_.Add(loop_.Now(), kActor, "dump").Set("items", std::to_string(informer_.indexer().size()));
    informer_.RecordStore(&history_, kActor, loop_.Now());
    Phase("end");
    result.length = loop_.Now() - start_;
    result.bytes = network_.bytes_delivered();
    result.faults = faults_.struck();
    scope_.Clear();
    result.history = std::move(history_);
    if (options_.hash) result.hash = result.history.Hash();
    for (Violation& violation : CheckAll(result.history)) {
      if (violation.excuse.empty()) result.violations.push_back(std::move(violation));
    }
    Count(&result);
    return result;
  }

  static void Count(LifeResult* result) {
    for (const HistoryEntry& entry : result->history.entries()) {
      if (entry.what() == "relist") ++result->relists;
      if (entry.what() == "callback") ++result->callbacks;
      if (entry.what() != "request" || entry.actor() != kActor) continue;
      ++(entry.Get("verb") == "WATCH" ? result->watches : result->lists);
    }
  }

  const LifeOptions& options_;
  Choices& workload_;
  Choices& fault_choices_;
  const bool streaming_, selects_;
  SeededChoices uids_;
  History history_;
  SimPort port_;
  Loop loop_;
  const TimePoint start_;
  fakeapi::ApiServer server_;
  RandomFaults faults_;
  SimNetwork network_;
  std::shared_ptr<Recorder> recorder_;
  RestClient rest_;
  RestListerWatcher lister_;
  LifeView view_;
  SharedInformer informer_;
  std::shared_ptr<Listener> listener_;
  Signal stop_;
  int writes_ = 0;
  TaskScope scope_;
};

}  // namespace

LifeResult RunLife(const LifeOptions& options, Choices& schedule, Choices& latency, Choices& faults,
                   Choices& workload) {
  Life life(options, schedule, latency, faults, workload);
  return life.Run();
}

}  // namespace relist
