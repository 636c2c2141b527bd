#include "reflector/rest/rest_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "reflector/rest/http_exchange.h"
#include "reflector/rest/http_watch_stream.h"
#include "reflector/rest/rest_retry.h"

namespace relist {
namespace {

constexpr size_t kIdleMax = 25;  // client-go's idle connections per host
constexpr Duration kTokenFileRead = Seconds(60);

Error Stopped() {
  return Error::Net(Transport::kStopped, "stopped");
}

Error NotUnderstood(const HttpResponseHead& head) {
  return Error::Net(
      Transport::kProtocol,
      fmt::format("the server returned an unknown content type: {}", head.Header("Content-Type")));
}

}  // namespace

RestClient::RestClient(Loop& loop, RestClientOptions options)
    : loop_(loop),
      options_(std::move(options)),
      limiter_(options_.qps, options_.burst),
      self_(std::make_shared<RestClient*>(this)) {}

RestClient::~RestClient() {
  *self_ = nullptr;
}

const std::string& RestClient::Token() {
  if (options_.token_file.empty()) return options_.bearer_token;
  if (file_token_.empty() || loop_.Now() - file_token_read_ >= kTokenFileRead) {
    file_token_read_ = loop_.Now();
    std::ifstream file(options_.token_file);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
      text.pop_back();
    }
    // A file that cannot be read leaves the token that was read last.
    if (!text.empty()) file_token_ = std::move(text);
  }
  return file_token_.empty() ? options_.bearer_token : file_token_;
}

std::string RestClient::RequestBytes(const RestRequest& request) {
  const Endpoint& endpoint = options_.endpoint;
  const bool v6 = endpoint.host.find(':') != std::string::npos;
  std::string out = request.method + ' ';
  out += options_.path_prefix;
  out += request.target;
  out += " HTTP/1.1\r\nHost: ";
  out += v6 ? "[" + endpoint.host + "]" : endpoint.host;
  out += ':';
  out += std::to_string(endpoint.port);
  out += "\r\nUser-Agent: ";
  out += options_.user_agent;
  out += "\r\nAccept: " + request.accept + "\r\n";
  if (options_.accept_gzip) out += "Accept-Encoding: gzip\r\n";
  if (!options_.keep_alive) out += "Connection: close\r\n";
  if (const std::string& token = Token(); !token.empty()) {
    out += "Authorization: Bearer " + token + "\r\n";
  }
  AppendBody(request, &out);
  return out;
}

// The connection that was used last, if one is still good: nothing may have come on it.
std::unique_ptr<Connection> RestClient::TakeIdle() {
  while (!idle_.empty()) {
    Idle idle = std::move(idle_.back());
    idle_.pop_back();
    std::string unexpected;
    if (loop_.Now() - idle.since < options_.idle_timeout &&
        idle.connection->Receive(&unexpected) == 0 &&
        idle.connection->state() == Connection::State::kOpen) {
      return std::move(idle.connection);
    }
  }
  return nullptr;
}

void RestClient::GiveBack(std::unique_ptr<Connection> connection) {
  if (!connection || !options_.keep_alive) return;
  if (idle_.size() == kIdleMax) idle_.pop_front();
  idle_.push_back({std::move(connection), loop_.Now()});
}

void RestClient::FinishWith(HttpExchange& exchange) {
  GiveBack(exchange.TakeReusable());
  exchange.Close();
}

Task<Result<std::unique_ptr<HttpExchange>>> RestClient::Attempt(RestRequest request,
                                                                TimePoint deadline, Signal& stop) {
  for (;;) {
    std::unique_ptr<Connection> connection = TakeIdle();
    const bool reused = connection != nullptr;
    if (!reused) connection = loop_.port().Connect(options_.endpoint);
    auto exchange =
        std::make_unique<HttpExchange>(std::move(connection), RequestBytes(request), reused);
    const TimePoint open_by = loop_.Now() + options_.connect_timeout;
    Timer timer(loop_, std::min(deadline, open_by));
    for (;;) {
      while (!exchange->head() && exchange->Pump()) {
      }
      if (exchange->head() && !exchange->failed()) co_return std::move(exchange);
      if (exchange->done()) break;
      if (stop.Ready()) co_return Stopped();
      if (!exchange->opening() && timer.when() != deadline) timer.Reset(deadline);
      if (timer.Ready()) {
        co_return Error::Net(Transport::kTimeout, exchange->opening()
                                                      ? "timeout while connecting"
                                                      : "timeout while awaiting headers");
      }
      Select which(loop_, stop, exchange->source(), timer);
      co_await which;
    }
    // Whether a write was done before the connection died is not ours to guess.
    if (!exchange->stale() || request.method != "GET") co_return exchange->error();
  }
}

Task<Result<std::string>> RestClient::ReadBody(HttpExchange& exchange, TimePoint deadline,
                                               Signal& stop) {
  std::string body = exchange.TakeBody();
  Timer timer(loop_, deadline);
  for (;;) {
    while (exchange.Pump()) {
      if (body.empty()) {
        body = exchange.TakeBody();
      } else {
        body += exchange.TakeBody();
      }
    }
    if (exchange.failed()) {
      co_return Error::Net(exchange.error().transport,
                           "unexpected error when reading response body. Please retry. Original "
                           "error: " +
                               exchange.error().message());
    }
    if (exchange.done()) break;
    if (stop.Ready()) co_return Stopped();
    if (timer.Ready()) {
      co_return Error::Net(Transport::kTimeout, "timeout while reading response body");
    }
    Select which(loop_, stop, exchange.source(), timer);
    co_await which;
  }
  FinishWith(exchange);
  co_return body;
}

Task<Result<RestClient::Answered>> RestClient::DoCall(Call call, Signal& stop) {
  for (int attempt = 0;; ++attempt) {
    // A watch's first attempt is free (NET-06).
    if (!call.watch || attempt > 0) {
      const Duration wait = limiter_.Reserve(loop_.Now());
      if (wait > Duration{}) {
        Task<bool> pause = SleepUnless(loop_, wait, stop);
        if (co_await pause) co_return Stopped();
      }
    }
    if (stop.Ready()) co_return Stopped();
    const bool more = attempt < options_.max_retries;
    Answered answered;
    answered.deadline = call.timeout ? loop_.Now() + *call.timeout : kNever;
    if (call.recorder) answered.request = call.recorder->Request(call.verb, call.request.target);
    Task<Result<std::unique_ptr<HttpExchange>>> send =
        Attempt(call.request, answered.deadline, stop);
    Result<std::unique_ptr<HttpExchange>> sent = co_await send;
    Duration pause_for = kTransportRetryDelay;
    if (sent.ok()) {
      answered.exchange = std::move(*sent);
      const HttpResponseHead& head = *answered.exchange->head();
      const std::optional<Duration> delay =
          RetryDelayOfAnswer(head.status, head.Header("Retry-After"));
      if (!delay || !more) co_return std::move(answered);
      pause_for = *delay;
      if (call.recorder) call.recorder->Answer(answered.request, head.status);
      Task<Result<std::string>> drain = ReadBody(*answered.exchange, answered.deadline, stop);
      Result<std::string> drained = co_await drain;
    } else {
      if (call.recorder) call.recorder->AnswerError(answered.request, sent.error());
      const bool repeats =
          call.request.method == "GET" && RetriesTransport(sent.error(), call.watch);
      if (!more || !repeats) co_return sent.error();
    }
    Task<bool> pause = SleepUnless(loop_, pause_for, stop);
    if (co_await pause) co_return Stopped();
  }
}

Task<Error> RestClient::ReadError(Answered& answered, std::shared_ptr<Recorder> recorder,
                                  Signal& stop) {
  const HttpResponseHead head = *answered.exchange->head();
  if (recorder) recorder->Answer(answered.request, head.status);
  Task<Result<std::string>> read = ReadBody(*answered.exchange, answered.deadline, stop);
  Result<std::string> body = co_await read;
  if (!body.ok() && body.error().transport == Transport::kStopped) co_return body.error();
  co_return ErrorOfAnswer(head.status, body.ok() ? *body : std::string(),
                          head.Header("Retry-After"));
}

Task<Result<HttpAnswer>> RestClient::Get(std::string target, std::string verb,
                                         std::shared_ptr<Recorder> recorder, Signal& stop,
                                         std::string accept) {
  Call call{{.target = target}, verb, /*watch=*/false, options_.list_deadline, recorder};
  if (!accept.empty()) call.request.accept = accept;
  Task<Result<HttpAnswer>> finish = Finish(std::move(call), stop);
  co_return co_await finish;
}

Task<Result<HttpAnswer>> RestClient::Finish(Call call, Signal& stop) {
  const std::shared_ptr<Recorder> recorder = call.recorder;
  Task<Result<Answered>> request = DoCall(std::move(call), stop);
  Result<Answered> answered = co_await request;
  if (!answered.ok()) co_return answered.error();
  const HttpResponseHead& head = *answered->exchange->head();
  HttpAnswer answer{head.status, {}, answered->request};
  if (head.status < 200 || head.status > 206) {
    Task<Error> read = ReadError(*answered, recorder, stop);
    co_return co_await read;
  }
  const bool json = SaysJson(head);
  const Error not_understood = json ? Error{} : NotUnderstood(head);
  Task<Result<std::string>> read = ReadBody(*answered->exchange, answered->deadline, stop);
  Result<std::string> body = co_await read;
  if (body.ok() && json) {
    answer.body = std::move(*body);
    co_return answer;
  }
  const Error& error = body.ok() ? not_understood : body.error();
  if (recorder) recorder->AnswerError(answered->request, error);
  co_return error;
}

Task<Result<std::unique_ptr<WatchStream>>> RestClient::Watch(std::string target,
                                                             std::optional<Duration> timeout,
                                                             std::shared_ptr<Recorder> recorder,
                                                             Signal& stop, std::string accept) {
  std::optional<Duration> deadline;
  if (timeout && options_.watch_deadline_margin) {
    deadline = *timeout + *options_.watch_deadline_margin;
  }
  Call call{{.target = target}, "WATCH", /*watch=*/true, deadline, recorder};
  if (!accept.empty()) call.request.accept = accept;
  Task<Result<Answered>> request = DoCall(std::move(call), stop);
  Result<Answered> answered = co_await request;
  if (!answered.ok()) {
    if (!IsEmptyWatch(answered.error())) co_return answered.error();
    co_return std::unique_ptr<WatchStream>(std::make_unique<EmptyWatchStream>());
  }
  const HttpResponseHead& head = *answered->exchange->head();
  if (head.status != 200) {
    Task<Error> read = ReadError(*answered, recorder, stop);
    co_return co_await read;
  }
  if (!SaysJson(head)) co_return NotUnderstood(head);
  if (recorder) recorder->Answer(answered->request, head.status);
  co_return std::unique_ptr<WatchStream>(std::make_unique<HttpWatchStream>(
      loop_, std::move(answered->exchange), answered->deadline, self_, options_.bugs));
}

}  // namespace relist
