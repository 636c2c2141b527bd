#include "reflector/rest/rest_client.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "reflector/parity_switch.h"
#include "reflector/rest/http_exchange.h"
#include "reflector/rest/http_watch_stream.h"
#include "reflector/rest/rest_retry.h"

namespace relist {
namespace {

constexpr size_t kDrainMax = 2 << 10;  // client-go: maxBodySlurpSize

Error Stopped() {
  return Error::Net(Transport::kStopped, "stopped");
}

// What it says about the length of a body; 0 where it does not.
size_t SaidLength(const HttpResponseHead& head) {
  const std::string_view text = head.Header("Content-Length");
  size_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

// client-go: WrapPreviousError
Error WithPrevious(Error error, const std::optional<Error>& previous) {
  if (previous && previous->message() != error.message()) {
    error.status.message += " - error from a previous attempt: " + previous->message();
  }
  return error;
}

}  // namespace

RestClient::RestClient(Loop& loop, RestClientOptions options)
    : loop_(loop),
      options_(std::move(options)),
      warning_handler_(options_.warning_handler ? options_.warning_handler
                                                : LoggedWarnings(options_.log)),
      limiter_(options_.qps, options_.burst),
      log_(options_.log),
      transport_(loop, options_) {}

RestClient::~RestClient() = default;

Task<Result<std::string>> RestClient::ReadBody(HttpExchange& exchange, TimePoint deadline,
                                               Signal& stop) {
  std::string body = exchange.TakeBody(), slice;
  Timer timer(loop_, deadline);
  for (;;) {
    while (exchange.Pump()) {
      exchange.TakeBody(&slice);
      body += slice;
    }
    if (exchange.failed() && Behaves("NET-13")) {
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
  transport_.FinishWith(exchange);
  co_return body;
}

// client-go: readAndCloseResponseBody
Task<void> RestClient::Drain(HttpExchange& exchange, TimePoint deadline, Signal& stop) {
  size_t read = SaidLength(*exchange.head());
  Timer timer(loop_, deadline);
  if (read <= kDrainMax) read = 0;
  while (read <= kDrainMax) {
    while (exchange.Pump()) {
    }
    read += exchange.TakeBody().size();
    if (exchange.done() || read > kDrainMax || stop.Ready() || timer.Ready()) break;
    Select which(loop_, stop, exchange.source(), timer);
    co_await which;
  }
  transport_.FinishWith(exchange);
}

// A watch's first attempt is free (NET-06).
Task<bool> RestClient::Throttle(Call& call, std::string reason, Signal& stop) {
  if (call.watch && reason.empty() && Behaves("NET-06b")) co_return false;
  const Duration wait = Behaves("NET-06") ? limiter_.Reserve(loop_.Now()) : Duration{};
  if (wait <= Duration{}) co_return false;
  Task<bool> pause = SleepUnless(loop_, wait, stop);
  if (co_await pause) co_return true;
  log_.Waited(loop_.Now(), wait, reason, call.verb, transport_.UrlOf(call.request.target));
  co_return false;
}

std::optional<Duration> RestClient::PauseBeforeRetry(
    const Call& call, const Result<std::unique_ptr<HttpExchange>>& sent) {
  if (sent.ok()) {
    const HttpResponseHead& head = *(*sent)->head();
    return RetryDelayOfAnswer(head.status, head.Header("Retry-After"));
  }
  if (call.request.method != "GET" || !RetriesTransport(sent.error(), call.watch)) return {};
  return kTransportRetryDelay;
}

Task<Result<RestClient::Answered>> RestClient::DoCall(Call call, Signal& stop) {
  Answered answered;
  answered.url = transport_.UrlOf(call.request.target);
  TimePoint bound = kNever;
  std::string reason;  // for another attempt
  std::optional<Error> previous;
  for (int attempt = 0;; ++attempt) {
    Task<bool> throttle = Throttle(call, reason, stop);
    if (co_await throttle) co_return Stopped();
    if (stop.Ready()) co_return Stopped();
    if (attempt == 0 && call.bound) bound = loop_.Now() + *call.bound;
    answered.deadline = std::min(call.timeout ? loop_.Now() + *call.timeout : kNever, bound);
    if (call.recorder) answered.request = call.recorder->Request(call.verb, call.request.target);
    Task<Result<std::unique_ptr<HttpExchange>>> send =
        transport_.Send(call.request, answered.deadline, stop);
    Result<std::unique_ptr<HttpExchange>> sent = co_await send;
    const std::optional<Duration> pause_for =
        attempt < options_.max_retries ? PauseBeforeRetry(call, sent) : std::nullopt;
    const HttpResponseHead* head = sent.ok() ? (*sent)->head() : nullptr;
    if (call.recorder && !sent.ok()) call.recorder->AnswerError(answered.request, sent.error());
    if (!pause_for) {
      if (!sent.ok()) co_return WithPrevious(sent.error(), previous);
      answered.exchange = std::move(*sent);
      co_return std::move(answered);
    }
    if (call.recorder && head) call.recorder->Answer(answered.request, head->status);
    reason = RetryReason(attempt + 1, *pause_for, head, sent.ok() ? Error{} : sent.error());
    log_.Retry(call.verb, answered.url, reason);
    if (head && options_.on_retry) options_.on_retry(head->status, *pause_for);
    if (sent.ok()) {
      Task<void> drain = Drain(**sent, answered.deadline, stop);
      co_await drain;
    } else {
      previous = sent.error();
    }
    if (bound != kNever && loop_.Now() + *pause_for >= bound) {
      Error late = Error::Net(Transport::kTimeout, "context deadline exceeded");
      Task<bool> rest = SleepUnless(loop_, bound - loop_.Now(), stop);
      if (co_await rest) co_return Stopped();
      co_return WithPrevious(std::move(late), previous);
    }
    Task<bool> pause = SleepUnless(loop_, *pause_for, stop);
    if (co_await pause) co_return Stopped();
  }
}

// client-go: transformResponse
Task<Error> RestClient::ReadError(Answered& answered, std::shared_ptr<Recorder> recorder,
                                  Signal& stop) {
  const HttpResponseHead head = *answered.exchange->head();
  if (recorder) recorder->Answer(answered.request, head.status);
  Task<Result<std::string>> read = ReadBody(*answered.exchange, answered.deadline, stop);
  Result<std::string> body = co_await read;
  if (!body.ok()) {
    if (body.error().transport != Transport::kStopped) log_.BadBody(answered.url, body.error());
    co_return body.error();
  }
  const std::string_view type = head.Header("Content-Type");
  if (!WhyUnreadable(type)) TellWarnings(head);
  Error error = ErrorOfAnswer({head.status, type, head.Header("Retry-After")}, *body);
  if (SaysNoStatus(error)) log_.BadAnswer(answered.url, head, *body);
  co_return error;
}

void RestClient::TellWarnings(const HttpResponseHead& head) {
  if (!Behaves("NET-15")) return;
  for (const Warning& warning : WarningsOf(head)) warning_handler_(warning);
}

Task<Result<HttpAnswer>> RestClient::Get(std::string target, std::string verb,
                                         std::shared_ptr<Recorder> recorder, Signal& stop,
                                         std::string accept, std::optional<Duration> bound) {
  Call call{{.target = target}, verb, /*watch=*/false, options_.list_deadline, recorder, bound};
  if (!accept.empty()) call.request.accept = accept;
  Task<Result<HttpAnswer>> finish = Finish(std::move(call), stop);
  co_return co_await finish;
}

Task<Result<HttpAnswer>> RestClient::Finish(Call call, Signal& stop) {
  const std::shared_ptr<Recorder> recorder = call.recorder;
  Task<Result<Answered>> request = DoCall(std::move(call), stop);
  Result<Answered> answered = co_await request;
  if (!answered.ok()) co_return answered.error();
  const HttpResponseHead head = *answered->exchange->head();
  if (head.status < 200 || head.status > 206) {
    Task<Error> read = ReadError(*answered, recorder, stop);
    co_return co_await read;
  }
  Task<Result<std::string>> read = ReadBody(*answered->exchange, answered->deadline, stop);
  Result<std::string> body = co_await read;
  std::optional<Error> error;
  if (!body.ok()) {
    error = body.error();
    if (error->transport != Transport::kStopped) log_.BadBody(answered->url, *error);
  } else if (error = WhyUnreadable(head.Header("Content-Type")); error) {
    log_.BadAnswer(answered->url, head, *body);
  }
  if (body.ok()) TellWarnings(head);
  if (!error) co_return HttpAnswer{head.status, std::move(*body), answered->request};
  if (recorder) recorder->AnswerError(answered->request, *error);
  co_return *error;
}

Task<Result<std::unique_ptr<WatchStream>>> RestClient::Watch(std::string target,
                                                             std::optional<Duration> timeout,
                                                             std::shared_ptr<Recorder> recorder,
                                                             Signal& stop, std::string accept) {
  std::optional<Duration> deadline;
  if (timeout && options_.watch_deadline_margin && Behaves("NET-12")) {
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
  if (head.status > 200 && head.status <= 206) {
    if (recorder) recorder->Answer(answered->request, head.status);
    co_return Error::Net(Transport::kOther,
                         fmt::format("for request {}, got status: {}", answered->url, head.status));
  }
  if (head.status != 200) {
    Task<Error> read = ReadError(*answered, recorder, stop);
    co_return co_await read;
  }
  if (std::optional<Error> why = WhyUnreadableWatch(head.Header("Content-Type"))) {
    log_.BadAnswer(answered->url, head, answered->exchange->TakeBody());
    co_return *why;
  }
  TellWarnings(head);
  if (recorder) recorder->Answer(answered->request, head.status);
  co_return std::unique_ptr<WatchStream>(
      std::make_unique<HttpWatchStream>(loop_, std::move(answered->exchange), answered->deadline,
                                        transport_.connections(), options_.bugs));
}

}  // namespace relist
