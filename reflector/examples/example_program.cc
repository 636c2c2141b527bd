#include "reflector/examples/example_program.h"

#include <fmt/core.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>

#include "reflector/rest/kubeconfig.h"

namespace relist::examples {
namespace {

// From now on they are waited for, in this thread and in all that it starts.
int BlockSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return signalfd(-1, &set, SFD_CLOEXEC);
}

Error Wrong(std::string what) {
  return Error::Net(Transport::kOther, std::move(what));
}

Result<void> UseServer(const std::string& url, ExampleOptions* options) {
  const Result<ServerUrl> server = ParseServerUrl(url);
  if (!server.ok()) return server.error();
  if (server->tls) return Wrong("--server speaks plain HTTP; --kubeconfig has certificates");
  options->rest.endpoint = {server->host, server->port, nullptr};
  options->rest.path_prefix = server->path;
  return {};
}

Result<void> UseKubeconfig(const std::string& path, ExampleOptions* options) {
  const Result<Kubeconfig> config = LoadKubeconfig(path);
  if (!config.ok()) return config.error();
  options->rest = config->rest;
  if (!config->ns.empty()) options->ns = config->ns;
  return {};
}

}  // namespace

Result<ExampleOptions> ReadExampleOptions(int argc, char** argv,
                                          const std::vector<std::string>& more) {
  std::vector<std::string> known = {"kubeconfig", "server", "namespace"};
  known.insert(known.end(), more.begin(), more.end());
  ExampleOptions options;
  for (int i = 1; i < argc; i += 2) {
    const std::string word = argv[i];
    const bool is_known =
        word.starts_with("--") && std::count(known.begin(), known.end(), word.substr(2)) > 0;
    if (!is_known || i + 1 == argc) {
      return Wrong(fmt::format("`{}` is {}", word, is_known ? "without a value" : "no option"));
    }
    options.more[word.substr(2)] = argv[i + 1];
  }
  const auto server = options.more.find("server");
  const Result<void> found = server != options.more.end()
                                 ? UseServer(server->second, &options)
                                 : UseKubeconfig(options.more["kubeconfig"], &options);
  if (!found.ok()) return found.error();
  if (options.more.contains("namespace")) options.ns = options.more["namespace"];
  return options;
}

int Complain(const Error& error) {
  fmt::print(stderr, "{}\n", error.message());
  return 1;
}

ExampleProgram::ExampleProgram(const ExampleOptions& options,
                               std::function<void(const std::string&)> on_line)
    // Delays of many programs must not go in step.
    : choices(static_cast<uint64_t>(port.Now().time_since_epoch().count()) ^
              static_cast<uint64_t>(getpid())),
      loop(port, &choices),
      rest(loop, options.rest),
      signals_(BlockSignals()),
      wake_(eventfd(0, EFD_CLOEXEC)) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a line is out when it is printed
  waiter_ = std::thread([this, on_line = std::move(on_line)] { WaitForSignals(on_line); });
}

ExampleProgram::~ExampleProgram() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
  waiter_.join();
  close(wake_);
  close(signals_);
}

void ExampleProgram::RunUntilStopped(TaskScope& scope) {
  loop.RunUntil([this, &scope] { return stop.Ready() && scope.empty(); });
}

void ExampleProgram::WaitForSignals(const std::function<void(const std::string&)>& on_line) {
  std::array<pollfd, 3> places = {pollfd{wake_, POLLIN, 0}, pollfd{signals_, POLLIN, 0},
                                  pollfd{on_line ? STDIN_FILENO : -1, POLLIN, 0}};
  std::string pending;
  for (;;) {
    if (poll(places.data(), places.size(), -1) < 0) continue;
    if (places[0].revents != 0) return;
    if (places[1].revents != 0) {
      places[1].fd = -1;
      loop.PostFromThread([this] { stop.Set(); });
    }
    if (places[2].revents == 0) continue;
    std::array<char, 4096> buffer;
    const ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got <= 0) places[2].fd = -1;  // it goes on without
    pending.append(buffer.data(), static_cast<size_t>(std::max<ssize_t>(got, 0)));
    for (size_t end; (end = pending.find('\n')) != std::string::npos; pending.erase(0, end + 1)) {
      loop.PostFromThread([on_line, line = pending.substr(0, end)] { on_line(line); });
    }
  }
}

}  // namespace relist::examples
