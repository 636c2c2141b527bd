#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/wire/status.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/encoding/gzip.h"
#include "fakeapi/http/http_encoder.h"
#include "fakeapi/http/server_connection_impl.h"
#include "fakeapi/http/wire_notes.h"

namespace relist::fakeapi {
namespace {

bool AsksToClose(const Response& response) {
  for (const auto& [name, value] : response.headers) {
    if (SameHeaderName(name, "Connection") && SameHeaderName(value, "close")) return true;
  }
  return false;
}

Response TooLarge(size_t limit) {
  Status status;
  status.code = 413;
  status.reason = "RequestEntityTooLarge";
  status.message = fmt::format("Request entity too large: limit is {}", limit);
  Response response;
  response.status = 413;
  response.body.push_back(Slice::Own(status.ToJson() + "\n"));
  return response;
}

Response BrokenBody(const std::string& message) {
  Response response;
  response.status = 500;
  response.body.push_back(Slice::Own(RawInternalError(message).status.ToJson() + "\n"));
  return response;
}

void ChangeTheMiddle(std::string* bytes) {
  char& middle = (*bytes)[bytes->size() / 2];
  middle = static_cast<char>(~middle);
}

bool IsEncoded(const Response& response) {
  return std::any_of(response.headers.begin(), response.headers.end(), [](const auto& header) {
    return SameHeaderName(header.first, "Content-Encoding");
  });
}

// As a proxy might do it, unasked; and badly. What is compressed already stays so, once.
void GzipBody(bool corrupt, Response* response) {
  std::string body = response->BodyText();
  if (!IsEncoded(*response)) {
    response->headers.emplace_back("Content-Encoding", "gzip");
    body = Zipped(body, corrupt);
  } else if (corrupt && !body.empty()) {
    ChangeTheMiddle(&body);
  }
  response->body = {Slice::Own(std::move(body))};
}

// As net/http has it, but for the reasons: of most it tells none.
std::string TextOf(const HttpRefusal& refusal) {
  if (refusal.status == 417) return "";
  if (refusal.status == 501) return "Unsupported transfer encoding";
  const std::string text = fmt::format("{} {}", refusal.status, ReasonPhrase(refusal.status));
  return refusal.status == 431 ? text : text + ": " + refusal.message;
}

}  // namespace

std::string Zipped(std::string_view text, bool corrupt) {
  std::string zipped = Gzip(text);
  if (corrupt) ChangeTheMiddle(&zipped);
  return zipped;
}

void ServerConnection::Impl::BeginExchange(TimePoint now, HttpMessage message) {
  queue.ClearFaults();
  exchange = std::make_unique<Exchange>();
  exchange->request = std::move(message.request);
  after_post = exchange->request.method == "POST";
  exchange->id = ++counters.requests;
  exchange->received = now;
  exchange->close = message.close || shutting_down;
  exchange->http10 = message.http10;
  exchange->begin = queue.end();
  if (codec != nullptr && codec->empty()) codec.reset();
  NoteRequest(history, now, exchange->id, id, exchange->request, options.replica);
  StartHandling(now, Ask(now, FaultPoint::kRequestRead));
}

void ServerConnection::Impl::StartHandling(TimePoint now, const Verdict& verdict) {
  switch (verdict.kind) {
    case Verdict::Kind::kPass:
      return Dispatch(now);
    case Verdict::Kind::kDelay:
      phase = Phase::kDelayed;
      exchange->resume = now + verdict.delay;
      return;
    case Verdict::Kind::kAnswer:
      return QueueAnswer(now, verdict.answer);
    case Verdict::Kind::kCut:
      // Before the first byte: the request is lost, and nothing was done.
      if (verdict.how != CutHow::kClean && !verdict.ComesLater()) return CutNow(now, verdict.how);
      break;
    case Verdict::Kind::kStall:
      if (verdict.ComesLater()) break;
      phase = Phase::kSilent;
      return;
    case Verdict::Kind::kHttp10:
      exchange->http10 = exchange->close = true;
      return Dispatch(now);
    case Verdict::Kind::kCutNext:
      cut_next = verdict;
      return Dispatch(now);
    default:
      break;
  }
  ApplyByteFault(verdict);
  Dispatch(now);
}

void ServerConnection::Impl::Dispatch(TimePoint now) {
  exchange->change_count = handler.change_count();
  Reply reply = handler.Handle(exchange->request, exchange->received, now);
  if (auto* response = std::get_if<Response>(&reply)) {
    AnswerReady(now, std::move(*response));
  } else if (auto* session = std::get_if<std::unique_ptr<WatchSession>>(&reply)) {
    OpenWatch(now, std::move(*session));
  } else {
    phase = Phase::kWaiting;
    exchange->resume = std::get<Wait>(reply).until;
    CHECK(exchange->resume > now, "a wait that is over before it began");
  }
}

void ServerConnection::Impl::AnswerReady(TimePoint now, Response response) {
  exchange->status = response.status;
  if (exchange->place.request != nullptr) exchange->place.answer = &response;
  Verdict verdict = Ask(now, FaultPoint::kBeforeAnswer);
  exchange->place.answer = nullptr;
  switch (verdict.kind) {
    case Verdict::Kind::kPass:
      break;
    case Verdict::Kind::kDelay:
      phase = Phase::kAnswerDelayed;
      exchange->answer = std::move(response);
      exchange->resume = now + verdict.delay;
      return;
    case Verdict::Kind::kAnswer:
      response = std::move(verdict.answer);
      break;
    case Verdict::Kind::kFraming:
      exchange->chunk_size = verdict.framing.chunk_size;
      break;
    case Verdict::Kind::kGzip:
      GzipBody(verdict.corrupt, &response);
      break;
    default:
      ApplyByteFault(verdict);
  }
  QueueAnswer(now, std::move(response));
}

void ServerConnection::Impl::QueueAnswer(TimePoint now, Response response) {
  NoteAnswer(history, now, exchange->id, response);
  exchange->status = response.status;
  exchange->close = exchange->close || AsksToClose(response) || outlived();
  phase = Phase::kAnswering;
  response.chunked = response.chunked || exchange->chunk_size > 0;
  // Without chunks and without a length, its end is the connection's.
  const bool is_framed = response.chunked && !exchange->http10;
  exchange->close = exchange->close || (response.chunked && exchange->http10);
  AnswerHead head{response.status,     &response.headers, response.chunked,
                  response.BodySize(), exchange->close,   now,
                  exchange->http10};
  std::string text = EncodeHead(head);
  const uint64_t size_line = is_framed ? fmt::format("{:x}\r\n", head.body_size).size() : 0;
  const uint64_t body_begin = queue.end() + text.size() + size_line;
  const bool cut_clean = exchange->clean_cut < body_begin + head.body_size;
  if (cut_clean) {
    head.body_size = exchange->clean_cut - std::min(exchange->clean_cut, body_begin);
    response.body = Prefix(response.body, head.body_size);
    text = EncodeHead(head);
  }
  queue.Push(Slice::Own(std::move(text)), now);
  StrikeBehindHead();
  if (exchange->request.method != "HEAD") {
    if (is_framed) response.body = FrameBody(std::move(response.body), exchange->chunk_size);
    queue.Push(std::move(response.body), now);
  }
  StruckByByteFault(now);
  if (exchange != nullptr && cut_clean) NoteEnd(now, "clean");
}

void ServerConnection::Impl::Refuse(TimePoint now, const HttpRefusal& refusal) {
  queue.ClearFaults();
  exchange = std::make_unique<Exchange>();
  exchange->id = ++counters.requests;
  exchange->received = now;
  exchange->close = true;
  exchange->begin = queue.end();
  exchange->request = {refusal.method, refusal.target, {}, ""};
  NoteRequest(history, now, exchange->id, id, exchange->request, options.replica);
  if (refusal.status == 413) return QueueAnswer(now, TooLarge(options.body_max));
  // Of a body that is broken the real server's handlers learn, and so their clients.
  if (refusal.status == 500) return QueueAnswer(now, BrokenBody(refusal.message));
  Response response;
  response.status = refusal.status;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"}};
  response.body.push_back(Slice::Own(TextOf(refusal)));
  QueueAnswer(now, std::move(response));
}

Verdict ServerConnection::Impl::Ask(TimePoint now, FaultPoint point, const WatchLine* line) {
  if (faults == nullptr || !faults->MayStrike()) return Verdict::Pass();
  FaultPlace accepted;
  accepted.connection = id;
  if (exchange != nullptr && exchange->place.request == nullptr) {
    exchange->place = PlaceOf(exchange->request);
    exchange->place.connection = id;
    exchange->place.request_id = exchange->id;
  }
  FaultPlace& place = exchange != nullptr ? exchange->place : accepted;
  if (exchange != nullptr) place.status = exchange->status;
  place.point = point;
  place.now = now;
  place.line = line;
  Verdict verdict = faults->At(place);
  place.line = nullptr;
  if (verdict.kind == Verdict::Kind::kPass) return verdict;
  if (line != nullptr && !LocateByte(*line, &verdict)) return Verdict::Pass();
  NoteFault(now, point, verdict);
  return verdict;
}

void ServerConnection::Impl::NoteFault(TimePoint now, FaultPoint point, const Verdict& verdict) {
  if (history == nullptr) return;
  HistoryEntry& entry = history->Add(now, "server", "fault");
  if (exchange != nullptr) {
    entry.Set("id", std::to_string(exchange->id));
  } else {
    entry.Set("conn", std::to_string(id));
  }
  entry.Set("point", std::string(Name(point))).Set("verdict", Describe(verdict));
}

void ServerConnection::Impl::ApplyByteFault(const Verdict& verdict) {
  if (verdict.byte_at == Verdict::ByteAt::kBehindHead) {
    exchange->behind_head = verdict;
    return;
  }
  const uint64_t at = queue.end() + verdict.after_bytes;
  if (verdict.after_bytes > 0 && verdict.tag != 0) exchange->awaited.emplace_back(at, verdict.tag);
  switch (verdict.kind) {
    case Verdict::Kind::kCut:
      if (verdict.how == CutHow::kClean) {
        exchange->clean_cut = std::min(exchange->clean_cut, at);
      } else {
        queue.Seal(at);
        exchange->cut_how = verdict.how;
      }
      return;
    case Verdict::Kind::kStall:
      return queue.Stall(at);
    case Verdict::Kind::kSplit:
      return queue.Split(at, verdict.split_every);
    case Verdict::Kind::kHold:
      return queue.Hold(at, verdict.delay);
    case Verdict::Kind::kSlow:
      return queue.Pace(at, verdict.per_second);
    default:
      CHECK(false, "\"{}\" has no place here", Describe(verdict));
  }
}

// Bytes that were counted to where the head ends, now that it is known.
void ServerConnection::Impl::StrikeBehindHead() {
  if (!exchange->behind_head) return;
  Verdict verdict = *std::exchange(exchange->behind_head, std::nullopt);
  if (verdict.tag != 0) exchange->awaited.emplace_back(queue.end(), verdict.tag);
  verdict.byte_at = Verdict::ByteAt::kCounted;
  verdict.after_bytes = 0;
  ApplyByteFault(verdict);
}

void ServerConnection::Impl::TellBytesReached(TimePoint now) {
  if (exchange == nullptr || exchange->awaited.empty()) return;
  std::erase_if(exchange->awaited, [&](const std::pair<uint64_t, int>& awaited) {
    if (queue.pushed() < awaited.first) return false;
    faults->Struck(awaited.second, now);
    return true;
  });
}

bool ServerConnection::Impl::StruckByByteFault(TimePoint now) {
  if (queue.sealed()) {
    TellBytesReached(now);
    CutNow(now, exchange->cut_how);
    return true;
  }
  if (!queue.stalled() || exchange->session != nullptr) return false;
  phase = Phase::kSilent;
  return true;
}

void ServerConnection::Impl::CutNow(TimePoint now, CutHow how) {
  const bool reset = how == CutHow::kReset;
  if (exchange != nullptr) {
    NoteEnd(now, reset ? "RST" : "FIN");
    LogEnd(now);
  }
  Close(reset ? Fate::kReset : Fate::kCloseWhenSent);
}

void ServerConnection::Impl::NoteEnd(TimePoint now, std::string how) {
  if (exchange->ended) return;
  exchange->ended = true;
  exchange->how = how;
  fakeapi::NoteEnd(history, now, exchange->id, std::move(how));
}

RequestRecord ServerConnection::Impl::Record(TimePoint now) const {
  const Request& request = exchange->request;
  const uint64_t sent = queue.end() - queue.size();
  return {.connection = id,
          .replica = options.replica,
          .method = request.method,
          .target = request.target,
          .agent = std::string(request.Header("User-Agent")),
          .is_watch = exchange->is_watch,
          .received = exchange->received,
          .now = now,
          .status = exchange->status,
          .bytes = sent - std::min(sent, exchange->begin),
          .lines = exchange->lines,
          .how = exchange->how};
}

void ServerConnection::Impl::LogEnd(TimePoint now) {
  if (options.log == nullptr || std::exchange(exchange->logged, true)) return;
  options.log->OnEnd(Record(now));
}

}  // namespace relist::fakeapi
