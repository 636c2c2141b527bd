#include "reflector/rest/http_exchange.h"

#include <fmt/core.h>

#include <algorithm>

namespace relist {
namespace {

constexpr size_t kReceiveMax = 256 << 10;
// What is undone at a time stays in the processor's cache, and memory for it is used again. A
// kilobyte of gzip may be a megabyte of text, and often is a hundred.
constexpr size_t kSlice = 64 << 10;
constexpr size_t kCompressedSlice = 2 << 10;

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
  if (fed_ == buffer_.size()) {
    buffer_.clear();
    fed_ = 0;
    heard_ |= connection_->Receive(&buffer_, kReceiveMax) > 0;
  }
  if (fed_ < buffer_.size()) {
    FeedSlice();
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

void HttpExchange::FeedSlice() {
  const size_t slice = decoder_.inflates() ? kCompressedSlice : kSlice;
  const std::string_view rest = std::string_view(buffer_).substr(fed_);
  decoder_.Feed(rest.substr(0, slice));
  fed_ += std::min(slice, rest.size());
  if (decoder_.state() != HttpResponseDecoder::State::kDone) return;
  decoder_.Feed(std::string_view(buffer_).substr(fed_));  // what nobody asked for
  fed_ = buffer_.size();
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
