#include "core/runtime/sim_pipe.h"

#include <algorithm>

#include "core/check.h"
#include "core/runtime/received.h"
#include "core/runtime/sim_port.h"

namespace relist {

struct SimPipe::State {
  explicit State(SimPort& p, Duration u) : port(p), uplink(u), last_down(p.Now()) {}
  SimPort& port;
  const Duration uplink;
  std::weak_ptr<SimPipe> server;
  SimClientConnection* client = nullptr;  // null: gone
  TimePoint last_down;                    // nothing the server does arrives before this
  enum class Said { kNothing, kOpen, kFinished, kCut } said = Said::kNothing;

  // Schedules `arrive(client)`; it is skipped where the client has gone by then.
  template <class F>
  static void Down(const std::shared_ptr<State>& state, Duration delay, F arrive) {
    state->last_down = std::max(state->last_down, state->port.Now() + delay);
    state->port.At(state->last_down, [state, arrive = std::move(arrive)]() mutable {
      if (state->client) arrive(*state->client);
    });
  }
  // Schedules `arrive(server)`, `uplink` from now: equal delays keep the order.
  template <class F>
  static void Up(const std::shared_ptr<State>& state, F arrive) {
    state->port.At(state->port.Now() + state->uplink,
                   [state, arrive = std::move(arrive)]() mutable {
                     const std::shared_ptr<SimPipe> server = state->server.lock();
                     if (server && state->said != Said::kCut) arrive(*server);
                   });
  }
};

class SimClientConnection final : public Connection {
 public:
  explicit SimClientConnection(std::shared_ptr<SimPipe::State> pipe) : pipe_(std::move(pipe)) {
    pipe_->client = this;
  }
  ~SimClientConnection() override { Close(); }

  Connection::State state() const override { return state_; }
  const Error& error() const override { return error_; }
  bool Ready() const override { return received_.ready(); }

  void Send(std::string bytes) override {
    if (bytes.empty() || !pipe_->client || state_ == State::kFailed) return;
    if (state_ == State::kOpening) {
      unsent_ += bytes;
      return;
    }
    SimPipe::State::Up(pipe_, [bytes = std::move(bytes)](SimPipe& server) {
      if (server.on_bytes) server.on_bytes(bytes);
    });
  }

  size_t Receive(std::string* into, size_t max) override { return received_.Take(into, max); }

  void Close() override {
    if (!pipe_->client) return;
    pipe_->client = nullptr;
    received_.Clear();
    if (state_ == State::kFailed) return;
    state_ = State::kFailed;
    error_ = Error::Net(Transport::kStopped, "connection closed");
    SimPipe::State::Up(pipe_, [](SimPipe& server) {
      if (server.on_client_gone) server.on_client_gone();
    });
  }

  void Abort(Error error) override {
    if (!pipe_->client || state_ == State::kFailed) return;
    Close();
    error_ = std::move(error);
    received_.StateChanged();
    Notify();
  }

  // What arrives from the server.
  void Opened() {
    Change(State::kOpen);
    Send(std::exchange(unsent_, {}));
  }
  void Arrived(std::string bytes) {
    received_.Append(std::move(bytes));
    Notify();
  }
  void Finished() { Change(State::kPeerDone); }
  void Failed(Transport how, const char* why) {
    error_ = Error::Net(how, why);
    received_.DropBytes();
    unsent_.clear();
    Change(State::kFailed);
  }

 private:
  void Change(State state) {
    state_ = state;
    received_.StateChanged();
    Notify();
  }

  std::shared_ptr<SimPipe::State> pipe_;
  State state_ = State::kOpening;
  Error error_;
  Received received_;
  std::string unsent_;  // until it is open
};

SimPipe::SimPipe(std::shared_ptr<State> state) : state_(std::move(state)) {}
SimPipe::~SimPipe() = default;

std::pair<std::unique_ptr<Connection>, std::shared_ptr<SimPipe>> SimPipe::Make(SimPort& port,
                                                                               Duration uplink) {
  auto state = std::make_shared<State>(port, uplink);
  std::shared_ptr<SimPipe> server(new SimPipe(state));
  state->server = server;
  return {std::make_unique<SimClientConnection>(std::move(state)), std::move(server)};
}

void SimPipe::Open(Duration delay) {
  CHECK(state_->said == State::Said::kNothing, "Open comes first, and once");
  state_->said = State::Said::kOpen;
  State::Down(state_, delay, [](SimClientConnection& client) { client.Opened(); });
}

void SimPipe::Refuse(Duration delay) {
  CHECK(state_->said == State::Said::kNothing, "Refuse instead of Open");
  state_->said = State::Said::kCut;
  State::Down(state_, delay, [](SimClientConnection& client) {
    client.Failed(Transport::kRefused, "connection refused");
  });
}

void SimPipe::Deliver(std::string bytes, Duration delay) {
  CHECK(state_->said == State::Said::kOpen, "Deliver between Open and Finish or Reset");
  if (bytes.empty()) return;
  State::Down(state_, delay, [bytes = std::move(bytes)](SimClientConnection& client) mutable {
    client.Arrived(std::move(bytes));
  });
}

void SimPipe::Finish(Duration delay) {
  CHECK(state_->said == State::Said::kOpen, "Finish once, after Open");
  state_->said = State::Said::kFinished;
  State::Down(state_, delay, [](SimClientConnection& client) { client.Finished(); });
}

void SimPipe::Reset(Duration delay) {
  CHECK(state_->said != State::Said::kCut, "Reset once");
  state_->said = State::Said::kCut;
  State::Down(state_, delay, [](SimClientConnection& client) {
    client.Failed(Transport::kReset, "connection reset by peer");
  });
}

bool SimPipe::client_gone() const {
  return state_->client == nullptr;
}

}  // namespace relist
