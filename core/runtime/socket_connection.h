// A client's TCP or TLS connection on a SocketReactor. Made by SocketPort::Connect; see Connection
// for how it behaves.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/net/client_layers.h"
#include "core/runtime/port.h"
#include "core/runtime/received.h"
#include "core/runtime/socket_reactor.h"

namespace relist {

class SocketConnection final : public Connection, private SocketReactor::Handler {
 public:
  SocketConnection(SocketReactor& reactor, const Endpoint& endpoint);
  ~SocketConnection() override { Close(); }

  State state() const override { return state_; }
  const Error& error() const override { return error_; }
  bool Ready() const override { return received_.ready(); }
  void Send(std::string bytes) override;
  size_t Receive(std::string* into, size_t max) override;
  void Close() override;
  void Abort(Error error) override;

 private:
  void OnEvents(uint32_t events) override;
  void OnDeadline() override;
  void OnAddresses(Result<std::vector<SocketAddress>> addresses) override;

  void FailToDial(const Error& error);
  void TryAddresses();
  bool TryAddress(const SocketAddress& address);
  bool AddressFailed(int error_number);
  void ConnectEnded();
  void Connected();
  void LimitStage();
  void ReadSome();
  void FeedLayers(std::string_view bytes);
  void PeerFinished();
  void Flush();
  void WatchWhatMatters();
  void DropSocket();
  void Change(State state);
  void Fail(Error error);

  SocketReactor& reactor_;
  const Endpoint endpoint_;
  std::optional<ClientLayers> layers_;  // from when TCP is connected, where there are any
  ClientLayers::Stage stage_ = ClientLayers::Stage::kOpen;  // whose deadline is set
  TimePoint give_up_;                                       // on all addresses together
  std::vector<SocketAddress> addresses_;
  size_t next_address_ = 0;
  std::string where_;  // the address being tried, or connected to
  int fd_ = -1;
  bool connecting_ = false;  // TCP is
  uint32_t watched_ = 0;
  State state_ = State::kOpening;
  bool closed_ = false;
  Error error_;
  Received received_;
  std::string to_send_;  // plaintext until connected, then what the socket has not yet taken
};

}  // namespace relist
