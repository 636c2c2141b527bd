// A controller: writes into the status of every deployment how many replicas were asked for.
//
//   build/dev/reflector/examples/status_controller --kubeconfig FILE
//   build/dev/reflector/examples/status_controller --server http://127.0.0.1:8001   # kubectl proxy
//
// It is a condition of a type of its own, "RelistExample", which leaves the others alone. The usual
// shape of a controller: handlers only put keys into a queue; workers look at what the cache holds
// for a key, and do what is to be done about it; what failed is tried again, later each time. A
// line for each: "wrote default/web: replicas wanted: 3", "failed default/web: ...", "gone
// default/web". Until SIGTERM or Ctrl-C.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "core/time.h"
#include "reflector/examples/example_program.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "reflector/rest/rest_request.h"
#include "reflector/work_queues/work_queue.h"

namespace relist::examples {
namespace {

using nlohmann::json;

constexpr int kWorkers = 2;
constexpr char kCondition[] = "RelistExample";

const Resource& Deployments() {
  static const Resource kDeployments{"apps", "v1", "deployments", "Deployment"};
  return kDeployments;
}

class EnqueueKeys : public ResourceEventHandler {
 public:
  explicit EnqueueKeys(WorkQueue<>& queue) : queue_(queue) {}
  void OnAdd(const ObjectRef& object, bool) override { queue_.Add(object->key()); }
  void OnUpdate(const ObjectRef&, const ObjectRef& object) override { queue_.Add(object->key()); }
  void OnDelete(const Deleted& deleted) override { queue_.Add(deleted.key); }

 private:
  WorkQueue<>& queue_;
};

// What a worker needs.
struct Controller {
  ExampleProgram& program;
  SharedInformer& informer;
  WorkQueue<>& queue;
  TaskScope& scope;
};

std::string WantedText(const json& deployment) {
  return fmt::format("replicas wanted: {}", deployment["spec"].value("replicas", 1));
}

// The deployment with its condition as it should be; nothing where it is so already.
std::optional<json> WithCondition(json deployment, TimePoint now) {
  const std::string text = WantedText(deployment);
  json& conditions = deployment["status"]["conditions"];
  if (!conditions.is_array()) conditions = json::array();
  json condition = {{"type", kCondition},        {"status", "True"},
                    {"reason", "Counted"},       {"message", text},
                    {"lastUpdateTime", nullptr}, {"lastTransitionTime", nullptr}};
  condition["lastUpdateTime"] = condition["lastTransitionTime"] = FormatRfc3339(now);
  for (json& there : conditions) {
    if (there.value("type", "") != kCondition) continue;
    if (there.value("message", "") == text) return std::nullopt;
    there = std::move(condition);
    return deployment;
  }
  conditions.push_back(std::move(condition));
  return deployment;
}

// An error means: later again. A conflict is the usual one: the cache was behind.
Task<Result<void>> Reconcile(Controller controller, ObjectKey key) {
  const ObjectRef deployment = controller.informer.indexer().Get(key);
  if (!deployment) {
    fmt::print("gone {}\n", key.ToString());
    co_return Result<void>();
  }
  std::optional<json> changed = WithCondition(deployment->json(), controller.program.loop.Now());
  if (!changed) co_return Result<void>();
  (*changed)["apiVersion"] = Deployments().GroupVersion();  // items of lists lack both
  (*changed)["kind"] = Deployments().kind;
  RestRequest put;
  put.method = "PUT";
  put.target = Deployments().Path(key.ns, key.name) + "/status";
  put.body = changed->dump();
  Task<Result<HttpAnswer>> send = controller.program.rest.Do(put, controller.program.stop);
  const Result<HttpAnswer> answer = co_await send;
  if (!answer.ok()) co_return answer.error();
  fmt::print("wrote {}: {}\n", key.ToString(), WantedText(*changed));
  co_return Result<void>();
}

Task<void> Work(Controller controller) {
  for (;;) {
    Task<std::optional<ObjectKey>> get = controller.queue.Get(controller.program.stop);
    const std::optional<ObjectKey> key = co_await get;
    if (!key) co_return;
    Task<Result<void>> reconcile = Reconcile(controller, *key);
    const Result<void> done = co_await reconcile;
    if (done.ok()) {
      controller.queue.Forget(*key);
    } else {
      fmt::print("failed {}: {}\n", key->ToString(), done.error().message());
      controller.queue.AddRateLimited(*key);
    }
    controller.queue.Done(*key);
  }
}

// Workers start when the cache holds what there was at first.
Task<void> RunWorkers(Controller controller) {
  Select which(controller.program.loop, controller.informer.synced(), controller.program.stop);
  co_await which;
  for (int i = 0; i < kWorkers; ++i) controller.scope.Spawn(Work(controller));
}

int Control(const ExampleOptions& options) {
  ExampleProgram program(options);
  RestListerWatcher lister(program.rest, Deployments(), "", {}, nullptr);
  InformerOptions informer_options;
  informer_options.reflector.choices = &program.choices;
  informer_options.reflector.watch_error_handler = [](const Error& error) { Complain(error); };
  SharedInformer informer(program.loop, lister, std::move(informer_options));
  WorkQueue<> queue(program.loop);
  EnqueueKeys handler(queue);
  const auto listener = informer.AddEventHandler(handler);
  TaskScope scope(program.loop);
  scope.Spawn(informer.Run(program.stop));
  scope.Spawn(RunWorkers({program, informer, queue, scope}));
  program.RunUntilStopped(scope);
  return 0;
}

}  // namespace
}  // namespace relist::examples

int main(int argc, char** argv) {
  const auto options = relist::examples::ReadExampleOptions(argc, argv);
  if (!options.ok()) return relist::examples::Complain(options.error());
  return relist::examples::Control(*options);
}
