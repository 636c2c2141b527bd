#include "core/net/client_layers.h"

namespace relist {

bool ClientLayers::Needed(const Endpoint& endpoint) {
  if (endpoint.tls) return true;
  const ProxyHop* proxy = endpoint.proxy.get();
  return proxy && (proxy->tls || proxy->kind == ProxyHop::Kind::kSocks5);
}

ClientLayers::ClientLayers(const Endpoint& endpoint)
    : host_(endpoint.host), tls_context_(endpoint.tls) {
  const ProxyHop* proxy = endpoint.proxy.get();
  if (proxy && proxy->tls) proxy_tls_.emplace(proxy->tls, proxy->host);
  if (proxy && (tls_context_ || proxy->kind == ProxyHop::Kind::kSocks5)) {
    proxy_.emplace(*proxy, endpoint.host, endpoint.port);
  } else if (tls_context_) {
    tls_.emplace(tls_context_, host_);
  }
  MoveOutwards();
}

ClientLayers::Stage ClientLayers::stage() const {
  if (proxy_tls_ && !proxy_tls_->handshake_done()) return Stage::kProxyTls;
  if (proxy_) return Stage::kProxy;
  return tls_ && !tls_->handshake_done() ? Stage::kTls : Stage::kOpen;
}

bool ClientLayers::peer_done() const {
  return (tls_ && tls_->peer_done()) || (proxy_tls_ && proxy_tls_->peer_done());
}

void ClientLayers::FeedWire(std::string_view bytes) {
  if (!state_.ok()) return;
  if (proxy_tls_) {
    std::string deciphered;
    proxy_tls_->FeedCipher(bytes);
    while (proxy_tls_->Read(&deciphered, SIZE_MAX) > 0) {
    }
    if (!proxy_tls_->state().ok()) {
      const Error& error = proxy_tls_->state().error();
      state_ = Error::Net(error.transport, "proxyconnect tcp: " + error.message());
    }
    FeedProxied(deciphered);
  } else {
    FeedProxied(bytes);
  }
  MoveOutwards();
}

void ClientLayers::FeedProxied(std::string_view bytes) {
  if (proxy_) {
    if (!bytes.empty()) proxy_->Feed(bytes);
    if (!proxy_->state().ok()) state_ = proxy_->state();
    if (proxy_->done()) PassProxy();
  } else if (tls_) {
    tls_->FeedCipher(bytes);
    if (!tls_->state().ok()) state_ = tls_->state();
  } else {
    plain_ += bytes;
  }
}

void ClientLayers::PassProxy() {
  const std::string excess = proxy_->TakeExcess();
  proxy_.reset();
  if (tls_context_) tls_.emplace(tls_context_, host_);
  Write(std::exchange(unsent_, {}));
  if (!excess.empty()) FeedProxied(excess);
}

// What each layer has for the next one out.
void ClientLayers::MoveOutwards() {
  std::string out;
  if (proxy_) {
    out = proxy_->TakeBytes();
  } else if (tls_) {
    out = tls_->TakeCipher();
  }
  if (!proxy_tls_) {
    wire_ += out;
  } else {
    proxy_tls_->Write(out);
    wire_ += proxy_tls_->TakeCipher();
  }
}

std::string ClientLayers::TakeWire() {
  return std::exchange(wire_, {});
}

void ClientLayers::Write(std::string_view plain) {
  if (proxy_) {
    unsent_ += plain;
    return;
  }
  if (tls_) {
    tls_->Write(plain);
    MoveOutwards();
  } else if (proxy_tls_) {
    proxy_tls_->Write(plain);
    MoveOutwards();
  } else {
    wire_ += plain;
  }
}

size_t ClientLayers::Read(std::string* into) {
  if (proxy_) return 0;
  const size_t before = into->size();
  if (tls_) {
    while (tls_->Read(into, SIZE_MAX) > 0) {
    }
    if (!tls_->state().ok()) state_ = tls_->state();
    MoveOutwards();
  } else {
    *into += std::exchange(plain_, {});
  }
  return into->size() - before;
}

void ClientLayers::Finish() {
  if (tls_) {
    tls_->Finish();
    MoveOutwards();
  }
  if (proxy_tls_) {
    proxy_tls_->Finish();
    wire_ += proxy_tls_->TakeCipher();
  }
}

}  // namespace relist
