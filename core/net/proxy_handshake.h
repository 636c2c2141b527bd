// How a connection gets through a proxy to somebody behind it: CONNECT of HTTP/1.1, or SOCKS5 with
// a user name and password or without (RFC 1928, 1929). Sans-IO.
//
//   ProxyHandshake handshake(hop, "10.0.0.1", 6443);
//   Send(handshake.TakeBytes());           // after everything that may have made some
//   handshake.Feed(bytes);                 // from the proxy
//   if (handshake.done()) Use(handshake.TakeExcess());
//
// Facts are those of Go's net/http and its SOCKS client. Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/net/http_response_decoder.h"
#include "core/result.h"

namespace relist {

class TlsClientContext;

// One proxy on the way.
struct ProxyHop {
  enum class Kind { kHttp, kSocks5 };
  Kind kind = Kind::kHttp;
  std::string host;
  int port = 0;
  std::shared_ptr<TlsClientContext> tls;  // of an https:// proxy; null: plain TCP to it
  std::string username, password;         // both empty: none are offered
};

// "Basic dXNlcjpwYXNz": what a Proxy-Authorization or Authorization header carries.
std::string BasicAuthorization(const std::string& username, const std::string& password);

// Errors: kOther where the proxy refuses ("proxyconnect tcp: the proxy says 407 Proxy
// Authentication Required"), kProtocol where it speaks something else.
class ProxyHandshake {
 public:
  ProxyHandshake(const ProxyHop& hop, const std::string& host, int port);

  std::string TakeBytes() { return std::exchange(to_send_, {}); }
  void Feed(std::string_view bytes);
  bool done() const { return step_ == Step::kDone; }
  const Result<void>& state() const { return state_; }
  // What came behind the proxy's answer: the other end's first bytes.
  std::string TakeExcess() { return std::exchange(heard_, {}); }

 private:
  enum class Step { kConnect, kMethod, kPassword, kReply, kDone };
  void Fail(Transport how, const std::string& why);
  void FeedHttp(std::string_view bytes);
  bool StepSocks();
  bool TakeMethod();
  bool TakePasswordVerdict();
  bool TakeReply();
  void AskForTarget();

  const ProxyHop hop_;
  const std::string host_;
  const int port_;
  Step step_;
  Result<void> state_;
  std::string to_send_;
  std::string heard_;  // of SOCKS: not yet understood
  HttpResponseDecoder decoder_;
};

}  // namespace relist
