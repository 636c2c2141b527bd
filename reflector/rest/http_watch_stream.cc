#include "reflector/rest/http_watch_stream.h"

#include "reflector/parity_switch.h"

namespace relist {

HttpWatchStream::HttpWatchStream(Loop& loop, std::unique_ptr<HttpExchange> exchange,
                                 TimePoint deadline, std::shared_ptr<RestConnections> connections,
                                 PlantedBugs bugs)
    : loop_(loop),
      exchange_(std::move(exchange)),
      deadline_(deadline),
      connections_(std::move(connections)),
      decoder_(bugs) {
  // What came together with the head.
  decoder_.Feed(exchange_->TakeBody());
  HearEnd();
}

// client-go: StreamWatcher.receive. Cuts, resets and time-outs are ends; corruption is not.
void HttpWatchStream::HearEnd() {
  if (!exchange_->done()) return;
  const bool corrupt =
      exchange_->failed() && (exchange_->error().transport == Transport::kProtocol ||
                              exchange_->error().transport == Transport::kTls);
  const bool is_error = corrupt ? Behaves("NET-09c") : exchange_->failed() && !Behaves("NET-09");
  if (is_error) {
    decoder_.FeedFailure(exchange_->error().message());
  } else {
    decoder_.FeedEnd();
  }
}

std::optional<WatchEvent> HttpWatchStream::TryNext() {
  if (ended_) return std::nullopt;
  for (;;) {
    if (std::optional<WatchEvent> event = decoder_.Next()) return event;
    if (!Refill()) return std::nullopt;
  }
}

// More bytes, if there are any; otherwise sees whether the stream is over.
bool HttpWatchStream::Refill() {
  if (!decoder_.failed() && exchange_->Pump()) {
    exchange_->TakeBody(&body_);
    decoder_.Feed(body_);
    HearEnd();
    return true;
  }
  if (decoder_.failed() || exchange_->done() || loop_.Now() >= deadline_) {
    ended_ = true;
    std::unique_ptr<Connection> connection = exchange_->TakeReusable();
    connections_->GiveBack(std::move(connection), exchange_->TakeLease());
    exchange_->Close();
  }
  return false;
}

void HttpWatchStream::Stop() {
  ended_ = true;
  exchange_->Close();
}

}  // namespace relist
