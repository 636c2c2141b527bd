#include <fmt/core.h>

#include <utility>

#include "core/check.h"
#include "core/wire/status.h"
#include "fakeapi/encoding/gzip.h"
#include "fakeapi/http/http_encoder.h"
#include "fakeapi/http/server_connection_impl.h"
#include "fakeapi/http/wire_notes.h"

namespace relist::fakeapi {

void ServerConnection::Impl::OpenWatch(TimePoint now, std::unique_ptr<WatchSession> session) {
  NoteOpen(history, now, exchange->id);
  exchange->session = std::move(session);
  exchange->status = 200;
  exchange->is_watch = true;
  if (options.log != nullptr) options.log->OnOpen(Record(now));
  phase = Phase::kWatching;
  const Verdict verdict = Ask(now, FaultPoint::kWatchOpened);
  const bool error = verdict.kind == Verdict::Kind::kError;
  const bool gzip = verdict.kind == Verdict::Kind::kGzip;
  if (verdict.kind == Verdict::Kind::kDelay) {
    exchange->pull_after = now + verdict.delay;
  } else if (verdict.kind == Verdict::Kind::kFraming) {
    exchange->framer = std::make_unique<LineFramer>(verdict.framing, !exchange->http10);
  } else if (verdict.kind != Verdict::Kind::kPass && !error && !gzip) {
    ApplyByteFault(verdict);
  }
  HeaderList headers = {{"Content-Type", exchange->session->content_type()}};
  exchange->gzip = gzip || MayGzip();
  exchange->corrupt = gzip && verdict.corrupt;
  if (exchange->gzip) {
    headers.emplace_back("Content-Encoding", "gzip");
    headers.emplace_back("Vary", "Accept-Encoding");
  }
  // Its end is the connection's.
  exchange->close = exchange->close || exchange->http10 || outlived();
  const AnswerHead head{200, &headers, true, 0, exchange->close, now, exchange->http10};
  queue.Push(Slice::Own(EncodeHead(head)), now);
  StrikeBehindHead();
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
    AfterLine(now);
  }
  PullLines(now);
  if (phase == Phase::kWatching) FlushGzip(now);
}

void ServerConnection::Impl::PullLines(TimePoint now) {
  while (phase == Phase::kWatching && exchange->pull_after == TimePoint::min() &&
         queue.size() + exchange->plain.size() < options.output_max) {
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

void ServerConnection::Impl::QueueLine(TimePoint now, WatchLine line) {
  if (exchange->gzip) {
    NoteLine(history, now, exchange->id, line);
    ++exchange->lines;
    std::string& plain = exchange->plain;
    return ForPayload(line.chunk, [&plain](std::string_view piece) { plain += piece; });
  }
  if (exchange->framer != nullptr) {
    if (exchange->clean_cut <= queue.end()) return EndWatch(now, "last chunk");
    NoteLine(history, now, exchange->id, line);
    ++exchange->lines;
    std::string text;
    ForPayload(line.chunk, [&text](std::string_view piece) { text += piece; });
    return QueueFramed(now, exchange->framer->Add(text));
  }
  const uint64_t begin = queue.end();
  const uint64_t clean_cut = exchange->clean_cut;
  // What is noted is the line in its chunk, whatever carries it.
  Slices unframed = exchange->http10 ? UnframeChunk(line.chunk) : Slices();
  Slices& bytes = exchange->http10 ? unframed : line.chunk;
  const bool is_whole = clean_cut >= begin + SizeOf(bytes);
  if (!is_whole) {
    const uint64_t left = clean_cut > begin ? clean_cut - begin : 0;
    bytes = exchange->http10 ? Prefix(bytes, left) : ShortenChunk(bytes, left);
  }
  const bool is_empty = bytes.empty();
  if (!is_empty) {
    NoteLine(history, now, exchange->id, line, is_whole ? LineFate::kWhole : LineFate::kCutShort);
    ++exchange->lines;
    queue.Push(std::move(bytes), now);
    if (StruckByByteFault(now)) return;
  }
  if (clean_cut != OutputQueue::kNowhere && (queue.end() >= clean_cut || is_empty)) {
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

// Faults count bytes and lines on the wire: where a script may strike they go out plain.
bool ServerConnection::Impl::MayGzip() const {
  const bool plain = faults != nullptr && faults->MayStrike();
  return !plain && exchange->session->may_be_gzipped() &&
         AllowsGzip(exchange->request.Header("Accept-Encoding"));
}

// A member for each flush, as the real server has it: what is ready together is one.
void ServerConnection::Impl::FlushGzip(TimePoint now) {
  if (exchange->plain.empty()) return;
  std::string zipped = Zipped(exchange->plain, exchange->corrupt);
  queue.Push(exchange->http10 ? Slice::Own(std::move(zipped)) : FrameChunk(zipped), now);
  exchange->plain.clear();
}

void ServerConnection::Impl::EndWatch(TimePoint now, std::string how) {
  FlushLines(now);
  if (phase != Phase::kWatching) return;  // a byte of those was where a cut waited
  exchange->session.reset();
  exchange->pending.reset();
  phase = Phase::kAnswering;
  if (!exchange->http10) queue.Push(LastChunk(), now);
  StruckByByteFault(now);
  if (exchange != nullptr) NoteEnd(now, std::move(how));
}

}  // namespace relist::fakeapi
