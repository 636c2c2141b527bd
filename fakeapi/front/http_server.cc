#include "fakeapi/front/http_server.h"

#include <signal.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "core/check.h"
#include "fakeapi/front/http_server_clock.h"
#include "fakeapi/front/http_server_loop.h"

namespace relist::fakeapi {
namespace {

// The loop's thread takes no signals: SIGTERM is main's, and a broken pipe under OpenSSL is
// nobody's.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

struct HttpServer::Impl {
  Impl(RequestHandler& h, HttpServerOptions o)
      : handler(h), options(std::move(o)), clock(options.rate, options.clock) {}

  RequestHandler& handler;
  const HttpServerOptions options;
  const ServerClock clock;
  std::vector<int> ports;
  std::unique_ptr<ServerLoop> loop;
  std::thread thread;
  std::mutex stop_mutex;
};

HttpServer::HttpServer(RequestHandler& handler, HttpServerOptions options)
    : impl_(std::make_unique<Impl>(handler, std::move(options))) {}

HttpServer::~HttpServer() {
  Stop();
}

Result<int> HttpServer::Start() {
  CHECK(impl_->loop == nullptr, "a server starts once");
  const HttpServerOptions& options = impl_->options;
  TlsServerContext tls;
  if (!options.cert_pem.empty() || !options.key_pem.empty()) {
    Result<TlsServerContext> made =
        MakeTlsServerContext(options.cert_pem, options.key_pem, options.ca_pem);
    if (!made.ok()) return made.error();
    tls = *made;
  }
  RaiseDescriptorLimit();
  std::vector<Listener> listeners;
  const size_t doors = options.balance.empty() ? options.replicas.size() + 1 : 1;
  for (size_t i = 0; i < doors; ++i) {
    const int port = options.port == 0 ? 0 : options.port + static_cast<int>(i);
    Result<Listener> listener = Listener::Bind(options.address, port);
    if (!listener.ok()) return listener.error();
    impl_->ports.push_back(listener->port());
    listeners.push_back(std::move(*listener));
  }
  auto loop = std::make_unique<ServerLoop>(impl_->handler, options, impl_->clock,
                                           std::move(listeners), std::move(tls));
  if (const Result<void> ready = loop->Prepare(); !ready.ok()) return ready.error();
  impl_->loop = std::move(loop);
  const AllSignalsBlocked blocked;
  impl_->thread = std::thread([this] { impl_->loop->Run(); });
  return impl_->ports.front();
}

int HttpServer::port() const {
  return impl_->ports.empty() ? 0 : impl_->ports.front();
}
std::vector<int> HttpServer::ports() const {
  return impl_->ports;
}
TimePoint HttpServer::Now() const {
  return impl_->clock.Now();
}

void HttpServer::Run(std::function<void()> action) {
  if (impl_->loop == nullptr || impl_->loop->IsLoopThread()) return action();
  std::mutex mutex;
  std::condition_variable done;
  bool ran = false;
  const bool posted = impl_->loop->Post([&] {
    action();
    const std::lock_guard lock(mutex);
    ran = true;
    done.notify_one();
  });
  if (!posted) return action();  // the loop's thread is gone: nobody else touches the server
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return ran; });
}

void HttpServer::Post(std::function<void()> action) {
  CHECK(impl_->loop != nullptr, "Post before Start");
  impl_->loop->Post(std::move(action));
}

void HttpServer::Stop() {
  const std::lock_guard lock(impl_->stop_mutex);
  if (!impl_->thread.joinable()) return;
  impl_->loop->Post([this] { impl_->loop->BeginShutdown(); });
  impl_->thread.join();
}

void HttpServer::EndGrace() {
  CHECK(impl_->loop != nullptr, "EndGrace before Start");
  impl_->loop->Post([this] { impl_->loop->EndGrace(); });
}

}  // namespace relist::fakeapi
