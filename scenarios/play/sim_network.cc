#include "scenarios/play/sim_network.h"

#include <algorithm>
#include <array>
#include <utility>

namespace relist {
namespace {

constexpr Duration kBoring = Millis(1);
// A reset overtakes bytes that the client has not read: it comes a little behind what was sent
// before it.
constexpr Duration kResetBehind = Millis(1);
constexpr std::array<int, 6> kLatenciesMs = {1, 2, 5, 10, 40, 150};

}  // namespace

SimNetwork::SimNetwork(SimPort& port, fakeapi::RequestHandler& handler, fakeapi::FaultHook* faults,
                       History* history, Choices* choices)
    : port_(port),
      handler_(handler),
      handlers_(handler, {}, {}),
      faults_(faults),
      history_(history),
      choices_(choices) {}

SimNetwork::~SimNetwork() {
  while (!links_.empty()) Drop(links_.begin()->first);
  port_.Cancel(tick_);
}

Duration SimNetwork::Latency() {
  if (!choices_) return kBoring;
  return Millis(kLatenciesMs[choices_->Below(kLatenciesMs.size(), "latency")]);
}

void SimNetwork::Balance(std::vector<fakeapi::RequestHandler*> replicas,
                         std::vector<size_t> balance) {
  handlers_ = {handler_, std::move(replicas), std::move(balance)};
}

std::unique_ptr<Connection> SimNetwork::Dial() {
  auto [client, pipe] = SimPipe::Make(port_, kBoring);
  if (faults_ && !faults_->AcceptsConnections(port_.Now())) {
    pipe->Refuse(kBoring);
    return std::move(client);
  }
  const int id = ++next_id_;
  auto link = std::make_unique<Link>();
  link->pipe = std::move(pipe);
  link->pipe->Open(kBoring);
  fakeapi::ServerConnectionOptions options;
  options.replica = handlers_.Next(/*door=*/0);
  link->server = std::make_unique<fakeapi::ServerConnection>(
      handlers_.Of(options.replica), faults_, history_, counters_, port_.Now(), options);
  link->pipe->on_bytes = [this, id](std::string_view bytes) {
    const auto found = links_.find(id);
    if (found == links_.end()) return;
    found->second->server->Receive(port_.Now(), bytes);
    Service(id);
  };
  link->pipe->on_client_gone = [this, id] {
    const auto found = links_.find(id);
    if (found == links_.end()) return;
    found->second->server->PeerClosed(port_.Now());
    Drop(id);
  };
  link->server->OnReady([this, id] {
    const auto found = links_.find(id);
    if (found != links_.end()) Soon(id, *found->second);
  });
  links_.emplace(id, std::move(link));
  Service(id);
  return std::move(client);
}

void SimNetwork::Changed() {
  for (auto& [id, link] : links_) {
    if (link->server->is_waiting() || link->server->WantsPump()) Soon(id, *link);
  }
  UpdateTick();
}

void SimNetwork::UpdateTick() {
  const TimePoint due = handler_.NextDeadline();
  if (due == tick_due_) return;
  port_.Cancel(tick_);
  tick_due_ = due;
  if (due == kNever) return;
  tick_ = port_.At(std::max(due, port_.Now()), [this] {
    tick_due_ = kNever;
    handler_.Tick(port_.Now());
    Changed();
  });
}

void SimNetwork::Soon(int id, Link& link) {
  if (std::exchange(link.service_due, true)) return;
  port_.At(port_.Now(), [this, id] { Service(id); });
}

void SimNetwork::Service(int id) {
  const auto found = links_.find(id);
  if (found == links_.end()) return;
  Link& link = *found->second;
  link.service_due = false;
  link.server->Pump(port_.Now());
  UpdateTick();
  Send(link);
  const auto fate = link.server->fate();
  if (fate != fakeapi::ServerConnection::Fate::kOpen && link.server->queued() == 0) {
    if (fate == fakeapi::ServerConnection::Fate::kReset)
      link.pipe->Reset(kBoring + kResetBehind);
    else
      link.pipe->Finish(Latency());
    return Drop(id);
  }
  const TimePoint due = link.server->NextDeadline();
  if (due == link.timer_due) return;
  port_.Cancel(link.timer);
  link.timer_due = due;
  if (due == kNever) return;
  link.timer = port_.At(due, [this, id] {
    const auto again = links_.find(id);
    if (again == links_.end()) return;
    again->second->timer_due = kNever;
    Service(id);
  });
}

// One gather is one write: a Split verdict ends a gather early, and so makes its own delivery.
void SimNetwork::Send(Link& link) {
  std::array<iovec, 32> pieces;
  while (link.server->HasOutput()) {
    const int count = link.server->Gather(pieces.data(), static_cast<int>(pieces.size()));
    if (count == 0) return;
    std::string bytes;
    for (int i = 0; i < count; ++i) {
      bytes.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
    }
    const size_t size = bytes.size();
    Deliver(link, std::move(bytes));
    link.server->Sent(port_.Now(), size);
  }
}

void SimNetwork::Deliver(Link& link, std::string bytes) {
  bytes_delivered_ += bytes.size();
  constexpr uint64_t kOneInSplits = 6;
  if (choices_ && bytes.size() > 1 && choices_->OneIn(kOneInSplits, "split")) {
    const size_t at = 1 + choices_->Below(bytes.size() - 1, "split at");
    link.pipe->Deliver(bytes.substr(0, at), Latency());
    bytes.erase(0, at);
  }
  link.pipe->Deliver(std::move(bytes), Latency());
}

void SimNetwork::Drop(int id) {
  const auto found = links_.find(id);
  if (found == links_.end()) return;
  std::unique_ptr<Link> link = std::move(found->second);
  links_.erase(found);
  port_.Cancel(link->timer);
}

}  // namespace relist
