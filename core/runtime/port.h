// The rim of the loop: time, and byte streams to servers. Two implementations: SimPort and
// SocketPort.
#pragma once

#include <memory>
#include <string>

#include "core/result.h"
#include "core/runtime/source.h"
#include "core/time.h"

namespace relist {

class TlsClientContext;  // core/net/tls.h
struct ProxyHop;         // core/net/proxy_handshake.h

struct Endpoint {
  std::string host;  // name or address
  int port = 0;
  std::shared_ptr<TlsClientContext> tls;  // null: plain TCP (the simulation has no TLS)
  // The way there; null: directly (as always in the simulation). Plain TCP by an HTTP proxy ends at
  // the proxy, which wants requests in absolute form; all else is a tunnel to the host.
  std::shared_ptr<const ProxyHop> proxy = nullptr;
};

// A byte stream to a server. Never blocks. As a Source it is ready whenever there is something to
// look at: it opened, bytes came, the peer finished, it failed. A Receive that gives 0 means that
// all was looked at, and makes it unready again; so look at state() after it.
class Connection : public Source {
 public:
  enum class State {
    kOpening,  // connecting, or shaking hands
    kOpen,
    kPeerDone,  // FIN (or TLS close_notify): what was received can still be read, nothing more
                // comes
    kFailed,    // refused, reset, timed out, bad certificate: see error()
  };
  virtual State state() const = 0;
  virtual const Error& error() const = 0;  // of kFailed; transport says which way
  // Queues bytes; also while opening. Lost, without a word, where the connection has failed.
  virtual void Send(std::string bytes) = 0;
  // Appends what has come to *into, at most `max` bytes; returns how many. A reset loses what was
  // not yet received.
  virtual size_t Receive(std::string* into, size_t max = 1 << 20) = 0;
  // At once, in any state, a hung handshake too; the state is kFailed then (kStopped), and nothing
  // is notified. The destructor does the same.
  virtual void Close() = 0;
  // As if the connection had failed with `error`: who waits for it is woken, and what was received
  // and not yet read is lost. Does nothing where it has failed, or was closed.
  virtual void Abort(Error error) = 0;
};

class Port {
 public:
  virtual ~Port() = default;
  virtual TimePoint Now() = 0;
  // Starts a connection; failures show in its state. Never null.
  virtual std::unique_ptr<Connection> Connect(const Endpoint& endpoint) = 0;
  // Lets the world move: returns when something happened, at `deadline` at the latest, or when Wake
  // was called. False if nothing can ever happen again (the simulation only, with deadline kNever).
  virtual bool Wait(TimePoint deadline) = 0;
  // Ends a Wait; any thread.
  virtual void Wake() = 0;
};

}  // namespace relist
