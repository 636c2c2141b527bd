#include <fmt/core.h>

#include <utility>

#include "core/check.h"
#include "core/wire/status.h"
#include "fakeapi/http/http_encoder.h"
#include "fakeapi/http/server_connection_impl.h"
#include "fakeapi/http/wire_notes.h"

namespace relist::fakeapi {
void ServerConnection::Impl::OpenWatch(TimePoint now, std::unique_ptr<WatchSession> session) {
  if (exchange->http10) {
    session.reset();
    Response response;
    response.status = 505;
    response.headers = {{"Content-Type", "text/plain; charset=utf-8"}};
    response.body.push_back(Slice::Own("a watch is chunked: HTTP/1.1 is needed\n"));
    return QueueAnswer(now, std::move(response));
  }
  NoteOpen(history, now, exchange->id);
  exchange->session = std::move(session);
  exchange->place.status = 200;
  phase = Phase::kWatching;
  const Verdict verdict = Ask(now, FaultPoint::kWatchOpened);
  const bool error = verdict.kind == Verdict::Kind::kError;
  if (verdict.kind == Verdict::Kind::kDelay) {
    exchange->pull_after = now + verdict.delay;
  } else if (verdict.kind != Verdict::Kind::kPass && !error) {
    ApplyByteFault(verdict);
  }
  const HeaderList headers = {{"Content-Type", exchange->session->content_type()}};
  queue.Push(Slice::Own(EncodeHead({200, &headers, true, 0, exchange->close, now})), now);
  if (StruckByByteFault(now)) return;
  if (error) return QueueErrorLine(now, verdict.error_line);
  if (exchange->clean_cut <= queue.end()) return EndWatch(now, "last chunk");
  exchange->session->OnReady([this] {
    exchange->ready = true;
    if (wake) wake();
  });
}

void ServerConnection::Impl::PullWatch(TimePoint now) {
  if (now < exchange->pull_after) return;
  exchange->pull_after = TimePoint::min();
  if (exchange->pending != nullptr) {
    const std::unique_ptr<WatchLine> line = std::move(exchange->pending);
    QueueLine(now, std::move(*line));
  }
  while (phase == Phase::kWatching && exchange->pull_after == TimePoint::min() &&
         queue.size() < options.output_max) {
    WatchLine line;
    switch (exchange->session->Next(now, &line)) {
      case WatchSession::Step::kIdle:
        exchange->ready = false;
        return;
      case WatchSession::Step::kEnd:
        return EndWatch(now, "last chunk");
      case WatchSession::Step::kLine:
        TakeLine(now, std::move(line));
    }
  }
}

void ServerConnection::Impl::TakeLine(TimePoint now, WatchLine line) {
  if (faults == nullptr) return QueueLine(now, std::move(line));
  exchange->place.event_type = line.type;
  exchange->place.event_key = line.key;
  exchange->place.nth_event = exchange->lines;
  const Verdict verdict = Ask(now, FaultPoint::kBeforeEvent);
  switch (verdict.kind) {
    case Verdict::Kind::kPass:
      break;
    case Verdict::Kind::kDelay:
      exchange->pull_after = now + verdict.delay;
      exchange->pending = std::make_unique<WatchLine>(std::move(line));
      return;
    case Verdict::Kind::kError:
      return QueueErrorLine(now, verdict.error_line);
    case Verdict::Kind::kDuplicate:
      QueueLine(now, line);
      break;
    default:
      ApplyByteFault(verdict);
      if (StruckByByteFault(now)) return;  // cut before its first byte: the line was never sent
  }
  if (phase == Phase::kWatching) QueueLine(now, std::move(line));
}

void ServerConnection::Impl::QueueLine(TimePoint now, WatchLine line) {
  const uint64_t begin = queue.end();
  const uint64_t clean_cut = exchange->clean_cut;
  const bool is_whole = clean_cut >= begin + SizeOf(line.chunk);
  if (!is_whole) {
    line.chunk = ShortenChunk(line.chunk, clean_cut > begin ? clean_cut - begin : 0);
  }
  if (!line.chunk.empty()) {
    NoteLine(history, now, exchange->id, line, is_whole);
    ++exchange->lines;
    queue.Push(std::move(line.chunk), now);
    if (StruckByByteFault(now)) return;
  }
  if (clean_cut != OutputQueue::kNowhere && (queue.end() >= clean_cut || line.chunk.empty())) {
    EndWatch(now, "last chunk");
  }
}

void ServerConnection::Impl::QueueErrorLine(TimePoint now, const std::string& status_json) {
  WatchLine line;
  line.type = EventType::kError;
  if (const auto status = Status::Parse(status_json)) line.error_code = status->code;
  line.chunk = {FrameChunk("{\"type\":\"ERROR\",\"object\":" + status_json + "}\n")};
  QueueLine(now, std::move(line));
  if (phase == Phase::kWatching) EndWatch(now, "last chunk");
}

void ServerConnection::Impl::EndWatch(TimePoint now, std::string how) {
  exchange->session.reset();
  exchange->pending.reset();
  phase = Phase::kAnswering;
  queue.Push(LastChunk(), now);
  StruckByByteFault(now);
  if (exchange != nullptr) NoteEnd(now, std::move(how));
}

}  // namespace relist::fakeapi
