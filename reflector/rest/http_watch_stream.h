// A watch over HTTP: events decoded as their bytes come, and a deadline of the client's own.
#pragma once

#include <memory>
#include <string>

#include "core/runtime/loop.h"
#include "reflector/decoding/watch_decoder.h"
#include "reflector/lister_watcher.h"
#include "reflector/rest/http_exchange.h"
#include "reflector/rest/rest_connections.h"

namespace relist {

class HttpWatchStream : public WatchStream {
 public:
  // `exchange` has its head; its connection goes back to `connections`.
  HttpWatchStream(Loop& loop, std::unique_ptr<HttpExchange> exchange, TimePoint deadline,
                  std::shared_ptr<RestConnections> connections, PlantedBugs bugs);

  std::optional<WatchEvent> TryNext() override;
  bool ended() const override { return ended_; }
  Source& source() override { return exchange_->source(); }
  TimePoint deadline() const override { return deadline_; }
  void Stop() override;

 private:
  bool Refill();
  void HearEnd();

  Loop& loop_;
  std::unique_ptr<HttpExchange> exchange_;
  TimePoint deadline_;
  std::shared_ptr<RestConnections> connections_;
  WatchDecoder decoder_;
  std::string body_;
  bool ended_ = false;
};

// The stream of a watch that could not be opened (NET-05): ended from the start.
class EmptyWatchStream : public WatchStream {
 public:
  EmptyWatchStream() { over_.Set(); }
  std::optional<WatchEvent> TryNext() override { return std::nullopt; }
  bool ended() const override { return true; }
  Source& source() override { return over_; }
  void Stop() override {}

 private:
  Signal over_;
};

}  // namespace relist
