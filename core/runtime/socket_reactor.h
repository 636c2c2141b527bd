// What the connections of a SocketPort share: the clock, epoll, deadlines, and lookups of names.
//
//   reactor.Watch(fd, EPOLLIN, this);      // -> OnEvents, from Wait only
//   reactor.SetDeadline(this, when);       // -> OnDeadline, once
//   reactor.LookUp("api.example.com", 443, this);   // -> OnAddresses
//
// Handlers are called from Wait and nowhere else, and no code of a user's runs in them: so a
// handler never goes away while a batch of events is handed out. Wake() may be called from any
// thread, all else from one.
#pragma once

#include <sys/epoll.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/runtime/resolver.h"
#include "core/runtime/socket_port.h"
#include "core/time.h"

namespace relist {

class SocketReactor {
 public:
  class Handler {
   public:
    virtual void OnEvents(uint32_t events) = 0;
    virtual void OnDeadline() = 0;
    virtual void OnAddresses(Result<std::vector<SocketAddress>> addresses) = 0;

   protected:
    virtual ~Handler() = default;

   private:
    friend class SocketReactor;
    TimePoint deadline_ = kNever;
    uint64_t lookup_ = 0;  // 0: none is under way
  };

  explicit SocketReactor(SocketPortOptions options);
  ~SocketReactor();
  SocketReactor(const SocketReactor&) = delete;
  SocketReactor& operator=(const SocketReactor&) = delete;

  TimePoint Now() const;
  const SocketPortOptions& options() const { return options_; }
  void Wait(TimePoint deadline);
  void Wake();

  void Watch(int fd, uint32_t events, Handler* handler);
  void ChangeWatch(int fd, uint32_t events, Handler* handler);
  void Unwatch(int fd);
  void SetDeadline(Handler* handler, TimePoint when);  // kNever: none
  void LookUp(const std::string& host, int port, Handler* handler);
  // Scratch for one read.
  std::vector<char>& buffer() { return buffer_; }
  // Nothing is called after this; file descriptors are the handler's own.
  void Forget(Handler* handler);

 private:
  struct Mailbox;  // shared with the threads that look up names, which may outlive us
  void TakeLookups();
  void FireDeadlines();
  int TimeoutUntil(TimePoint when);

  const SocketPortOptions options_;
  const Duration start_wall_, start_steady_;
  const int epoll_;
  const std::shared_ptr<Mailbox> mailbox_;
  std::set<std::pair<TimePoint, Handler*>> deadlines_;
  std::set<std::pair<uint64_t, Handler*>> lookups_;
  uint64_t last_lookup_ = 0;
  std::vector<char> buffer_ = std::vector<char>(256 * 1024);
};

}  // namespace relist
