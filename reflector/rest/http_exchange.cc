#include "reflector/rest/http_exchange.h"

#include <fmt/core.h>

namespace relist {
namespace {

constexpr size_t kReceiveMax = 256 << 10;

}  // namespace

HttpExchange::HttpExchange(std::unique_ptr<Connection> connection, std::string request, bool reused,
                           ConnectionLease lease)
    : connection_(std::move(connection)), lease_(std::move(lease)), reused_(reused) {
  connection_->Send(std::move(request));
}

bool HttpExchange::opening() const {
  return !over_ && connection_->state() == Connection::State::kOpening;
}

bool HttpExchange::Pump() {
  if (over_) return false;
  buffer_.clear();
  const size_t received = connection_->Receive(&buffer_, kReceiveMax);
  if (received > 0) {
    heard_ = true;
    decoder_.Feed(buffer_);
  } else if (connection_->state() == Connection::State::kPeerDone) {
    decoder_.FeedEnd();
  } else if (connection_->state() == Connection::State::kFailed) {
    Fail(connection_->error());
    return true;
  } else {
    return false;
  }
  if (decoder_.state() == HttpResponseDecoder::State::kDone) {
    over_ = whole_ = true;
  } else if (decoder_.state() == HttpResponseDecoder::State::kFailed) {
    Fail(decoder_.error());
  }
  return true;
}

void HttpExchange::Fail(Error error) {
  over_ = true;
  error_ = std::move(error);
  connection_->Close();
}

Source& HttpExchange::source() {
  CHECK(connection_, "the connection was given back");
  return *connection_;
}

std::unique_ptr<Connection> HttpExchange::TakeReusable() {
  if (!whole_ || !decoder_.keep_alive() || !decoder_.Excess().empty() || !connection_ ||
      connection_->state() != Connection::State::kOpen) {
    return nullptr;
  }
  return std::move(connection_);
}

void HttpExchange::Close() {
  over_ = true;
  if (connection_) connection_->Close();
}

}  // namespace relist
