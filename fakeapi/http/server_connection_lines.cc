// What faults do to the lines of a watch.
#include <algorithm>
#include <utility>

#include "fakeapi/http/http_encoder.h"
#include "fakeapi/http/server_connection_impl.h"
#include "fakeapi/http/wire_notes.h"

namespace relist::fakeapi {
namespace {

std::string PayloadText(const WatchLine& line) {
  std::string text;
  ForPayload(line.chunk, [&text](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace

void ServerConnection::Impl::TakeLine(TimePoint now, WatchLine line) {
  const int before = exchange->made++;
  if (faults == nullptr || !faults->MayStrike()) return QueueLine(now, std::move(line));
  exchange->place.nth_event = before;
  const Verdict verdict = Ask(now, FaultPoint::kBeforeEvent, &line);
  if (verdict.kind != Verdict::Kind::kPass) FlushGzip(now);  // it strikes behind what came before
  switch (verdict.kind) {
    case Verdict::Kind::kPass:
      break;
    case Verdict::Kind::kDelay:
      exchange->pull_after = now + verdict.delay;
      exchange->pending = std::make_unique<WatchLine>(std::move(line));
      return;
    case Verdict::Kind::kDuplicate:
      QueueLine(now, line);
      break;
    case Verdict::Kind::kReplace:
      KeepLine(now, line);
      QueueFaultLines(now, verdict.lines);
      return AfterLine(now);
    case Verdict::Kind::kReorder:
      KeepLine(now, line);
      exchange->late.push_back({PayloadText(line), exchange->made + verdict.behind, verdict.tag});
      return AfterLine(now);
    default:
      StrikeBetween(now, verdict);
  }
  if (phase != Phase::kWatching) return;
  QueueLine(now, std::move(line));
  AfterLine(now);
}

void ServerConnection::Impl::AfterLine(TimePoint now) {
  if (phase != Phase::kWatching) return;
  QueueLateLines(now, /*all=*/false);
  if (phase != Phase::kWatching) return;
  exchange->place.nth_event = exchange->made;
  StrikeBetween(now, Ask(now, FaultPoint::kAfterEvent));
  // An end as it should be has no byte to wait for.
  if (phase == Phase::kWatching && exchange->clean_cut <= queue.end()) EndWatch(now, "last chunk");
}

void ServerConnection::Impl::StrikeBetween(TimePoint now, const Verdict& verdict) {
  switch (verdict.kind) {
    case Verdict::Kind::kPass:
      return;
    case Verdict::Kind::kDelay:
      exchange->pull_after = now + verdict.delay;
      return;
    case Verdict::Kind::kError:
      return QueueErrorLine(now, verdict.error_line);
    case Verdict::Kind::kInsert:
      return QueueFaultLines(now, verdict.lines);
    case Verdict::Kind::kFraming:
      if (exchange->framer != nullptr) QueueFramed(now, exchange->framer->Flush());
      exchange->framer = std::make_unique<LineFramer>(verdict.framing, !exchange->http10);
      return;
    default:
      ApplyByteFault(verdict);
      StruckByByteFault(now);  // cut before its first byte: the line was never sent
  }
}

void ServerConnection::Impl::KeepLine(TimePoint now, const WatchLine& line) {
  NoteLine(history, now, exchange->id, line, LineFate::kKept);
}

void ServerConnection::Impl::QueueFaultLines(TimePoint now, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    if (phase == Phase::kWatching) QueueFaultLine(now, line);
  }
}

void ServerConnection::Impl::QueueFaultLine(TimePoint now, const std::string& line) {
  NoteFaultLine(history, now, exchange->id, line);
  ++exchange->lines;
  if (exchange->gzip) {
    exchange->plain += line;
  } else if (exchange->framer != nullptr) {
    QueueFramed(now, exchange->framer->Add(line));
  } else {
    QueueFramed(now, exchange->http10 ? line : std::string(FrameChunk(line).bytes));
  }
}

void ServerConnection::Impl::QueueFramed(TimePoint now, const std::string& bytes) {
  if (bytes.empty()) return;
  queue.Push(Slice::Own(bytes), now);
  StruckByByteFault(now);
}

// A line that was put behind others than came (`all`) is not out of order: nobody was struck.
void ServerConnection::Impl::QueueLateLines(TimePoint now, bool all) {
  while (phase == Phase::kWatching) {
    const auto due = std::find_if(
        exchange->late.begin(), exchange->late.end(),
        [&](const Exchange::LateLine& late) { return all || late.turn <= exchange->made; });
    if (due == exchange->late.end()) return;
    const Exchange::LateLine late = std::move(*due);
    exchange->late.erase(due);
    if (late.turn <= exchange->made && late.tag != 0) faults->Struck(late.tag, now);
    QueueFaultLine(now, late.text);
  }
}

// All that waits for other lines goes out.
void ServerConnection::Impl::FlushLines(TimePoint now) {
  QueueLateLines(now, /*all=*/true);
  if (phase != Phase::kWatching) return;
  FlushGzip(now);
  if (exchange->framer != nullptr) QueueFramed(now, exchange->framer->Flush());
}

// Where in the line's bytes the verdict's byte lies; false where the line has none of that sort.
bool ServerConnection::Impl::LocateByte(const WatchLine& line, Verdict* verdict) const {
  using enum Verdict::ByteAt;
  if (verdict->byte_at != kInChunkHeader && verdict->byte_at != kInCharacter) return true;
  if (exchange->gzip || exchange->framer != nullptr) return false;  // nobody knows its chunks
  std::string bytes;
  for (const Slice& slice : line.chunk) bytes += slice.bytes;
  size_t at = 1;  // of the header's one digit, at least, and its end
  if (verdict->byte_at == kInCharacter) {
    const auto is_long = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    at = static_cast<size_t>(std::find_if(bytes.begin(), bytes.end(), is_long) - bytes.begin()) + 1;
    if (at > bytes.size()) return false;
    if (exchange->http10) at -= bytes.find("\r\n") + 2;
  } else if (exchange->http10) {
    return false;
  }
  verdict->byte_at = kCounted;
  verdict->after_bytes = at;
  return true;
}

}  // namespace relist::fakeapi
