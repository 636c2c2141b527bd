#include "fakeapi/http/server_connection.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "fakeapi/http/server_connection_impl.h"

namespace relist::fakeapi {
namespace {

// Bytes of further requests that are read while one is being answered.
constexpr size_t kPipelineMax = 65536;

}  // namespace

ServerConnection::ServerConnection(RequestHandler& handler, FaultHook* faults, History* history,
                                   ServerCounters& counters, TimePoint now,
                                   ServerConnectionOptions options)
    : impl_(std::make_unique<Impl>(handler, faults, history, counters, options)) {
  impl_->id = ++counters.connections;
  impl_->deadline = now + options.head_time;
  const Verdict verdict = impl_->Ask(now, FaultPoint::kConnectionAccepted);
  CHECK(verdict.after_bytes == 0, "no byte is sent before a request was read");
  switch (verdict.kind) {
    case Verdict::Kind::kPass:
      break;
    case Verdict::Kind::kCut:
      impl_->CutNow(now, verdict.how);
      break;
    case Verdict::Kind::kStall:
    case Verdict::Kind::kDelay:
      impl_->phase = Impl::Phase::kAccepting;
      impl_->deadline = verdict.kind == Verdict::Kind::kStall ? kNever : now + verdict.delay;
      break;
    default:
      CHECK(false, "a connection can't be accepted with \"{}\"", Describe(verdict));
  }
}

ServerConnection::~ServerConnection() = default;

void ServerConnection::Receive(TimePoint now, std::string_view bytes) {
  if (impl_->phase == Impl::Phase::kSilent || impl_->phase == Impl::Phase::kClosed) return;
  if (impl_->codec == nullptr) {
    const HttpLimits limits{impl_->options.head_max, impl_->options.body_max};
    impl_->codec = std::make_unique<HttpCodec>(limits, impl_->after_post);
  }
  impl_->codec->Feed(bytes);
  impl_->Pump(now);
}

void ServerConnection::PeerClosed(TimePoint now) {
  if (impl_->phase == Impl::Phase::kClosed) return;
  // A client may close its side and still read the answer; of a watch it wants nothing more.
  const bool still_reads = impl_->phase == Impl::Phase::kAnswering && impl_->queue.HasOutput() &&
                           impl_->queue.NextRelease() == kNever;
  if (impl_->exchange != nullptr && !still_reads) impl_->NoteEnd(now, "client");
  if (impl_->exchange != nullptr) impl_->LogEnd(now);
  if (!still_reads) impl_->queue.Drop();
  impl_->Close(Fate::kCloseWhenSent);
}

void ServerConnection::Pump(TimePoint now) {
  impl_->Pump(now);
}
bool ServerConnection::WantsPump() const {
  return impl_->WantsPump();
}
void ServerConnection::OnReady(std::function<void()> wake) {
  impl_->wake = std::move(wake);
}

int ServerConnection::Gather(iovec* pieces, int max) const {
  return impl_->queue.Gather(pieces, max);
}

void ServerConnection::Sent(TimePoint now, size_t bytes) {
  impl_->queue.Consume(bytes);
  if (impl_->WantsPump()) impl_->Pump(now);
}

bool ServerConnection::HasOutput() const {
  return impl_->queue.HasOutput();
}
uint64_t ServerConnection::queued() const {
  return impl_->queue.size();
}

bool ServerConnection::WantsRead() const {
  switch (impl_->phase) {
    case Impl::Phase::kAccepting:
    case Impl::Phase::kClosed:
      return false;
    case Impl::Phase::kReading:
    case Impl::Phase::kSilent:
      return true;
    default:
      return impl_->codec == nullptr || impl_->codec->buffered() < kPipelineMax;
  }
}

ServerConnection::Fate ServerConnection::fate() const {
  return impl_->fate;
}
TimePoint ServerConnection::NextDeadline() const {
  return impl_->NextDeadline();
}
bool ServerConnection::is_watching() const {
  return impl_->phase == Impl::Phase::kWatching;
}
bool ServerConnection::is_waiting() const {
  return impl_->phase == Impl::Phase::kWaiting;
}
int ServerConnection::id() const {
  return impl_->id;
}

void ServerConnection::Shutdown(TimePoint now) {
  impl_->shutting_down = true;
  switch (impl_->phase) {
    case Impl::Phase::kClosed:
      return;
    case Impl::Phase::kWatching:
      impl_->exchange->close = true;
      impl_->EndWatch(now, "last chunk");
      break;
    case Impl::Phase::kSilent:
      impl_->queue.Drop();
      [[fallthrough]];
    case Impl::Phase::kAccepting:
    case Impl::Phase::kReading:
      return impl_->Close(Fate::kCloseWhenSent);
    default:
      impl_->exchange->close = true;
  }
  impl_->Pump(now);
}

void ServerConnection::Impl::Pump(TimePoint now) {
  while (Advance(now)) {
  }
  TellBytesReached(now);
}

bool ServerConnection::Impl::Advance(TimePoint now) {
  queue.Release(now);
  switch (phase) {
    case Phase::kAccepting:
      if (now < deadline) return false;
      phase = Phase::kReading;
      deadline = now + options.head_time;
      return true;
    case Phase::kReading:
      if (!outlived()) return Read(now);
      Close(Fate::kCloseWhenSent);
      return true;
    case Phase::kDelayed:
      if (now < exchange->resume) return false;
      Dispatch(now);
      return true;
    case Phase::kWaiting:
      if (now < exchange->resume && handler.change_count() == exchange->change_count) return false;
      Dispatch(now);
      return true;
    case Phase::kAnswerDelayed:
      if (now < exchange->resume) return false;
      QueueAnswer(now, std::move(exchange->answer));
      return true;
    case Phase::kAnswering:
      if (!queue.empty()) return false;
      FinishExchange(now);
      return true;
    case Phase::kWatching:
      PullWatch(now);
      return phase != Phase::kWatching;
    case Phase::kSilent:
    case Phase::kClosed:
      return false;
  }
  return false;
}

bool ServerConnection::Impl::Read(TimePoint now) {
  if (codec == nullptr) return CheckReadDeadline(now);
  HttpMessage message;
  HttpRefusal refusal;
  switch (codec->Next(&message, &refusal)) {
    case HttpCodec::Step::kRequest:
      if (cut_next) {
        NoteFault(now, FaultPoint::kNextRequest, *cut_next);
        if (cut_next->tag != 0) faults->Struck(cut_next->tag, now);
        CutNow(now, cut_next->how);
        return true;
      }
      BeginExchange(now, std::move(message));
      return true;
    case HttpCodec::Step::kRefused:
      Refuse(now, refusal);
      return true;
    case HttpCodec::Step::kContinue:
      queue.Push({nullptr, "HTTP/1.1 100 Continue\r\n\r\n"}, now);
      return true;
    case HttpCodec::Step::kNeedMore:
      break;
  }
  if (codec->in_body() && reading != Reading::kBody) {
    reading = Reading::kBody;
    deadline = now + options.body_time;
  } else if (codec->empty() && reading != Reading::kBody) {
    codec.reset();
  } else if (reading == Reading::kIdle) {
    reading = Reading::kHead;
    deadline = now + options.head_time;
  }
  return CheckReadDeadline(now);
}

// A client that sent nothing is left without a word, as net/http does; one that was slow is told.
bool ServerConnection::Impl::CheckReadDeadline(TimePoint now) {
  if (now < deadline) return false;
  if (codec == nullptr) {
    Close(Fate::kCloseWhenSent);
  } else {
    Refuse(now, {408, "the request took too long to arrive", "", ""});
  }
  return true;
}

void ServerConnection::Impl::FinishExchange(TimePoint now) {
  const bool close = exchange->close || shutting_down;
  TellBytesReached(now);
  LogEnd(now);
  exchange.reset();
  queue.ClearFaults();
  if (close) return Close(Fate::kCloseWhenSent);
  phase = Phase::kReading;
  reading = Reading::kIdle;
  deadline = now + options.idle_time;
  if (codec != nullptr && codec->empty()) codec.reset();
}

void ServerConnection::Impl::Close(Fate how) {
  fate = how;
  phase = Phase::kClosed;
  codec.reset();
  exchange.reset();
}

TimePoint ServerConnection::Impl::NextDeadline() const {
  const TimePoint release = queue.NextRelease();
  switch (phase) {
    case Phase::kAccepting:
    case Phase::kReading:
      return std::min(release, deadline);
    case Phase::kDelayed:
    case Phase::kWaiting:
    case Phase::kAnswerDelayed:
      return std::min(release, exchange->resume);
    case Phase::kWatching:
      if (exchange->pull_after != TimePoint::min()) return std::min(release, exchange->pull_after);
      if (queue.size() >= options.output_max) return release;
      return std::min(release, exchange->session->NextDeadline());
    default:
      return release;
  }
}

bool ServerConnection::Impl::WantsPump() const {
  if (phase == Phase::kReading) return outlived();
  if (phase == Phase::kAnswering) return queue.empty();
  if (phase != Phase::kWatching) return false;
  return exchange->ready && exchange->pull_after == TimePoint::min() &&
         queue.size() < options.output_max;
}

}  // namespace relist::fakeapi
