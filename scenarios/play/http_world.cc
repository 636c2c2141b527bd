#include <atomic>

#include "core/runtime/socket_port.h"
#include "fakeapi/front/http_server.h"
#include "scenarios/play/world.h"

namespace relist {
namespace {

// How often both threads are looked at for being late.
constexpr Duration kBeat = Seconds(1);

class HttpWorld : public World {
 public:
  HttpWorld(const Scenario& scenario, uint64_t seed, const PlantedBugs& bugs)
      : scenario_(scenario),
        seed_(seed),
        bugs_(bugs),
        port_(PortOptions(scenario)),
        loop_(port_),
        server_history_(loop_.Now()),
        client_history_(loop_.Now()),
        stage_(scenario, seed, loop_.Now(), &server_history_),
        front_(stage_.server(), FrontOptions()),
        scope_(loop_) {}

  ~HttpWorld() override { Shut(); }

  Result<void> Start() {
    Result<int> number = front_.Start();
    if (!number.ok()) return number.error();
    const Endpoint endpoint{"127.0.0.1", *number, nullptr};
    cast_ = std::make_unique<Cast>(loop_, endpoint, scenario_, seed_, HandlerThreads::kOwnThread,
                                   &client_history_, bugs_);
    scope_.Spawn(Beat());
    return {};
  }

  Loop& loop() override { return loop_; }
  Stage& stage() override { return stage_; }
  Cast& cast() override { return *cast_; }
  History& history() override { return client_history_; }

  void OnServer(const std::function<void(Stage&, TimePoint)>& action) override {
    front_.Run([&] { action(stage_, front_.Now()); });
  }
  void PostToServer(std::function<void(Stage&, TimePoint)> action) override {
    front_.Post([this, action = std::move(action)] { action(stage_, front_.Now()); });
  }
  Duration Lateness() const override { return Duration(lateness_.load()); }
  History Finish() override {
    Shut();
    return Merge(server_history_, client_history_);
  }

 private:
  static SocketPortOptions PortOptions(const Scenario& scenario) {
    SocketPortOptions options;
    options.rate = scenario.rate;
    return options;
  }
  // One clock for both sides, so that their lines can be merged by time.
  fakeapi::HttpServerOptions FrontOptions() {
    fakeapi::HttpServerOptions options;
    options.rate = scenario_.rate;
    options.faults = &stage_.faults();
    options.history = &server_history_;
    options.replicas = stage_.Replicas();
    // One port, as behind a load balancer.
    options.balance = scenario_.balance.empty() ? std::vector<size_t>{0} : scenario_.balance;
    options.clock = [this] { return port_.Now(); };
    return options;
  }
  // A beat is due at a time on the clients' thread, then at once on the server's.
  Task<void> Beat() {
    for (;;) {
      const TimePoint due = loop_.Now() + kBeat;
      Task<void> wait = Sleep(loop_, kBeat);
      co_await wait;
      NoteLate(port_.Now() - due);
      front_.Post([this, sent = port_.Now()] { NoteLate(port_.Now() - sent); });
    }
  }
  void NoteLate(Duration late) {
    Duration::rep latest = lateness_.load();
    while (late.count() > latest && !lateness_.compare_exchange_weak(latest, late.count())) {
    }
  }
  void Shut() {
    scope_.Clear();
    if (cast_) cast_->Stop();
    front_.Stop();
  }

  const Scenario& scenario_;
  const uint64_t seed_;
  const PlantedBugs bugs_;
  SocketPort port_;
  Loop loop_;
  History server_history_, client_history_;
  Stage stage_;
  std::atomic<Duration::rep> lateness_ = 0;
  fakeapi::HttpServer front_;
  std::unique_ptr<Cast> cast_;
  TaskScope scope_;
};

}  // namespace

Result<std::unique_ptr<World>> MakeHttpWorld(const Scenario& scenario, uint64_t seed,
                                             const PlantedBugs& bugs) {
  auto world = std::make_unique<HttpWorld>(scenario, seed, bugs);
  Result<void> started = world->Start();
  if (!started.ok()) return started.error();
  return std::unique_ptr<World>(std::move(world));
}

}  // namespace relist
