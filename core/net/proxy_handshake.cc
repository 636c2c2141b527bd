#include "core/net/proxy_handshake.h"

#include <arpa/inet.h>
#include <fmt/core.h>

#include <array>

#include "core/wire/base64.h"

namespace relist {
namespace {

constexpr char kVersion5 = 5, kPasswordVersion = 1;
constexpr char kNoAuthentication = 0, kUsernamePassword = 2;
constexpr char kAddressV4 = 1, kAddressName = 3, kAddressV6 = 4;
constexpr size_t kNameMax = 255;

std::string HostPort(const std::string& host, int port) {
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", v6 ? "[" : "", host, v6 ? "]" : "", port);
}

// RFC 1928, section 6.
std::string_view SocksReason(unsigned char code) {
  static constexpr std::array<std::string_view, 9> kReasons = {"succeeded",
                                                               "general SOCKS server failure",
                                                               "connection not allowed by ruleset",
                                                               "network unreachable",
                                                               "host unreachable",
                                                               "connection refused",
                                                               "TTL expired",
                                                               "command not supported",
                                                               "address type not supported"};
  return code < kReasons.size() ? kReasons[code] : "unknown code";
}

}  // namespace

std::string BasicAuthorization(const std::string& username, const std::string& password) {
  return "Basic " + EncodeBase64(username + ":" + password);
}

ProxyHandshake::ProxyHandshake(const ProxyHop& hop, const std::string& host, int port)
    : hop_(hop), host_(host), port_(port) {
  const bool knows_us = !hop_.username.empty() || !hop_.password.empty();
  if (hop_.kind == ProxyHop::Kind::kHttp) {
    step_ = Step::kConnect;
    const std::string target = HostPort(host_, port_);
    to_send_ = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\nUser-Agent: relist\r\n", target);
    if (knows_us) {
      to_send_ += fmt::format("Proxy-Authorization: {}\r\n",
                              BasicAuthorization(hop_.username, hop_.password));
    }
    to_send_ += "\r\n";
    return;
  }
  step_ = Step::kMethod;
  to_send_ = {kVersion5, static_cast<char>(knows_us ? 2 : 1), kNoAuthentication};
  if (knows_us) to_send_ += kUsernamePassword;
}

void ProxyHandshake::Fail(Transport how, const std::string& why) {
  state_ = Error::Net(how, "proxyconnect tcp: " + why);
}

void ProxyHandshake::Feed(std::string_view bytes) {
  if (!state_.ok()) return;
  if (step_ == Step::kConnect) return FeedHttp(bytes);
  heard_ += bytes;
  while (step_ != Step::kDone && state_.ok() && StepSocks()) {
  }
}

// An answer of 200 has no body, whatever its headers say; TLS servers do not speak first, so what
// may stand behind it is nobody's.
void ProxyHandshake::FeedHttp(std::string_view bytes) {
  decoder_.Feed(bytes);
  const HttpResponseHead* head = decoder_.head();
  if (head && head->status == 200) {
    step_ = Step::kDone;
  } else if (head) {
    Fail(Transport::kOther, fmt::format("the proxy says {} {}", head->status, head->reason));
  } else if (decoder_.state() == HttpResponseDecoder::State::kFailed) {
    Fail(Transport::kProtocol, decoder_.error().message());
  }
}

// False: more bytes are needed.
bool ProxyHandshake::StepSocks() {
  switch (step_) {
    case Step::kMethod:
      return TakeMethod();
    case Step::kPassword:
      return TakePasswordVerdict();
    default:
      return TakeReply();
  }
}

bool ProxyHandshake::TakeMethod() {
  if (heard_.size() < 2) return false;
  const char version = heard_[0], method = heard_[1];
  heard_.erase(0, 2);
  if (version != kVersion5) {
    Fail(Transport::kProtocol, "the proxy does not speak SOCKS5");
  } else if (method == kNoAuthentication) {
    AskForTarget();
  } else if (method != kUsernamePassword || (hop_.username.empty() && hop_.password.empty())) {
    Fail(Transport::kOther, "socks: no acceptable authentication methods");
  } else if (hop_.username.empty() || hop_.username.size() > kNameMax ||
             hop_.password.size() > kNameMax) {
    Fail(Transport::kOther, "socks: invalid username/password");
  } else {
    to_send_ += kPasswordVersion;
    to_send_ += static_cast<char>(hop_.username.size());
    to_send_ += hop_.username;
    to_send_ += static_cast<char>(hop_.password.size());
    to_send_ += hop_.password;
    step_ = Step::kPassword;
  }
  return true;
}

bool ProxyHandshake::TakePasswordVerdict() {
  if (heard_.size() < 2) return false;
  const bool good = heard_[0] == kPasswordVersion && heard_[1] == 0;
  heard_.erase(0, 2);
  if (good) {
    AskForTarget();
  } else {
    Fail(Transport::kOther, "socks: username/password authentication failed");
  }
  return true;
}

// Names are left to the proxy to look up.
void ProxyHandshake::AskForTarget() {
  to_send_ += {kVersion5, /*connect*/ 1, /*reserved*/ 0};
  char address[sizeof(in6_addr)];
  if (inet_pton(AF_INET, host_.c_str(), address) == 1) {
    to_send_ += kAddressV4;
    to_send_.append(address, sizeof(in_addr));
  } else if (inet_pton(AF_INET6, host_.c_str(), address) == 1) {
    to_send_ += kAddressV6;
    to_send_.append(address, sizeof(in6_addr));
  } else if (host_.size() > kNameMax) {
    return Fail(Transport::kOther, "socks: FQDN too long");
  } else {
    to_send_ += kAddressName;
    to_send_ += static_cast<char>(host_.size());
    to_send_ += host_;
  }
  to_send_ += static_cast<char>(port_ >> 8 & 0xff);
  to_send_ += static_cast<char>(port_ & 0xff);
  step_ = Step::kReply;
}

bool ProxyHandshake::TakeReply() {
  if (heard_.size() < 5) return false;
  const auto code = static_cast<unsigned char>(heard_[1]);
  if (heard_[0] != kVersion5) {
    Fail(Transport::kProtocol, "the proxy does not speak SOCKS5");
    return true;
  }
  if (code != 0) {
    Fail(Transport::kOther,
         fmt::format("socks connect {}: {}", HostPort(host_, port_), SocksReason(code)));
    return true;
  }
  size_t address = 0;
  if (heard_[3] == kAddressV4) {
    address = sizeof(in_addr);
  } else if (heard_[3] == kAddressV6) {
    address = sizeof(in6_addr);
  } else if (heard_[3] == kAddressName) {
    address = 1 + static_cast<unsigned char>(heard_[4]);
  } else {
    Fail(Transport::kProtocol, "socks: unknown address type");
    return true;
  }
  const size_t size = 4 + address + 2;
  if (heard_.size() < size) return false;
  heard_.erase(0, size);
  step_ = Step::kDone;
  return true;
}

}  // namespace relist
