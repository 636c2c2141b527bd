#include "fakeapi/http/fault_hook.h"

#include <fmt/core.h>

#include <algorithm>

#include "fakeapi/api/request_target.h"
#include "fakeapi/api/resource_path.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace {

std::string Parameter(const RequestTarget& target, std::string_view name) {
  for (const auto& [key, value] : target.query) {
    if (key == name) return value;
  }
  return "";
}

// As apimachinery converts a parameter: only absence, "false" and "0" are false.
bool IsTrue(const RequestTarget& target, std::string_view name) {
  for (const auto& [key, value] : target.query) {
    if (key == name) return value != "0" && !SameHeaderName(value, "false");
  }
  return false;
}

std::string_view Name(CutHow how) {
  switch (how) {
    case CutHow::kClean:
      return "clean";
    case CutHow::kFin:
      return "FIN";
    case CutHow::kReset:
      return "RST";
  }
  return "?";
}

FaultPlace::Verb PlaceVerb(std::string_view method) {
  using enum FaultPlace::Verb;
  if (method == "GET") return kGet;
  if (method == "POST") return kCreate;
  if (method == "PUT") return kUpdate;
  if (method == "PATCH") return kPatch;
  return method == "DELETE" ? kDelete : kOther;
}

Verdict Make(Verdict::Kind kind) {
  Verdict verdict;
  verdict.kind = kind;
  return verdict;
}

}  // namespace

Verdict Verdict::Delay(Duration d) {
  Verdict verdict = Make(Kind::kDelay);
  verdict.delay = d;
  return verdict;
}

Verdict Verdict::Answer(int status, HeaderList headers, std::string body) {
  Verdict verdict = Make(Kind::kAnswer);
  verdict.answer.status = status;
  verdict.answer.headers = std::move(headers);
  const bool typed =
      std::any_of(verdict.answer.headers.begin(), verdict.answer.headers.end(),
                  [](const auto& header) { return SameHeaderName(header.first, "Content-Type"); });
  if (!typed && !body.empty() && body[0] != '{') {
    verdict.answer.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  }
  if (!body.empty()) verdict.answer.body.push_back(Slice::Own(std::move(body)));
  return verdict;
}

Verdict Verdict::ErrorLine(std::string status_json) {
  Verdict verdict = Make(Kind::kError);
  verdict.error_line = std::move(status_json);
  return verdict;
}

Verdict Verdict::Cut(CutHow how, uint64_t after_bytes) {
  Verdict verdict = Make(Kind::kCut);
  verdict.how = how;
  verdict.after_bytes = after_bytes;
  return verdict;
}

Verdict Verdict::Stall(uint64_t after_bytes) {
  Verdict verdict = Make(Kind::kStall);
  verdict.after_bytes = after_bytes;
  return verdict;
}

Verdict Verdict::Split(uint64_t at, uint64_t every) {
  Verdict verdict = Make(Kind::kSplit);
  verdict.after_bytes = at;
  verdict.split_every = every;
  return verdict;
}

Verdict Verdict::Duplicate() {
  return Make(Kind::kDuplicate);
}

Verdict Verdict::Hold(uint64_t after_bytes, Duration for_how_long) {
  Verdict verdict = Make(Kind::kHold);
  verdict.after_bytes = after_bytes;
  verdict.delay = for_how_long;
  return verdict;
}

Verdict Verdict::Replace(std::vector<std::string> lines) {
  Verdict verdict = Make(Kind::kReplace);
  verdict.lines = std::move(lines);
  return verdict;
}

Verdict Verdict::Insert(std::vector<std::string> lines) {
  Verdict verdict = Make(Kind::kInsert);
  verdict.lines = std::move(lines);
  return verdict;
}

Verdict Verdict::Reorder(int behind) {
  Verdict verdict = Make(Kind::kReorder);
  verdict.behind = behind;
  return verdict;
}

Verdict Verdict::Framing(const LineFraming& framing) {
  Verdict verdict = Make(Kind::kFraming);
  verdict.framing = framing;
  return verdict;
}

Verdict Verdict::Slow(uint64_t per_second, uint64_t after_bytes) {
  Verdict verdict = Make(Kind::kSlow);
  verdict.per_second = per_second;
  verdict.after_bytes = after_bytes;
  return verdict;
}

Verdict Verdict::Http10() {
  return Make(Kind::kHttp10);
}

Verdict Verdict::CutNext(CutHow how) {
  Verdict verdict = Make(Kind::kCutNext);
  verdict.how = how;
  return verdict;
}

Verdict Verdict::Gzip(bool corrupt) {
  Verdict verdict = Make(Kind::kGzip);
  verdict.corrupt = corrupt;
  return verdict;
}

Verdict Verdict::At(ByteAt where) && {
  byte_at = where;
  return std::move(*this);
}

std::string_view Name(FaultPoint point) {
  switch (point) {
    case FaultPoint::kConnectionAccepted:
      return "accepted";
    case FaultPoint::kRequestRead:
      return "request";
    case FaultPoint::kBeforeAnswer:
      return "answer";
    case FaultPoint::kWatchOpened:
      return "open";
    case FaultPoint::kBeforeEvent:
      return "event";
    case FaultPoint::kAfterEvent:
      return "sent";
    case FaultPoint::kNextRequest:
      return "next";
  }
  return "?";
}

std::string Describe(const Verdict& verdict) {
  const std::string after = verdict.byte_at == Verdict::ByteAt::kBehindHead
                                ? "the head"
                                : std::to_string(verdict.after_bytes);
  switch (verdict.kind) {
    case Verdict::Kind::kPass:
      return "pass";
    case Verdict::Kind::kDelay:
      return "delay " + FormatSeconds(verdict.delay);
    case Verdict::Kind::kAnswer:
      return fmt::format("answer {}", verdict.answer.status);
    case Verdict::Kind::kError:
      return "error line";
    case Verdict::Kind::kCut:
      return fmt::format("cut {} after {}", Name(verdict.how), after);
    case Verdict::Kind::kStall:
      return "stall after " + after;
    case Verdict::Kind::kSplit:
      return verdict.split_every == 0
                 ? "split at " + after
                 : fmt::format("split at {} every {}", after, verdict.split_every);
    case Verdict::Kind::kDuplicate:
      return "duplicate";
    case Verdict::Kind::kHold:
      return verdict.delay == Duration::zero()
                 ? "hold after " + after
                 : fmt::format("hold after {} for {}", after, FormatSeconds(verdict.delay));
    case Verdict::Kind::kReplace:
      return verdict.lines.empty() ? "drop" : "alter";
    case Verdict::Kind::kInsert:
      return "insert";
    case Verdict::Kind::kReorder:
      return fmt::format("reorder behind {}", verdict.behind);
    case Verdict::Kind::kFraming:
      return Describe(verdict.framing);
    case Verdict::Kind::kSlow:
      return fmt::format("slow {} after {}", verdict.per_second, after);
    case Verdict::Kind::kHttp10:
      return "http 1.0";
    case Verdict::Kind::kCutNext:
      return fmt::format("next {}", Name(verdict.how));
    case Verdict::Kind::kGzip:
      return verdict.corrupt ? "gzip, corrupt" : "gzip";
  }
  return "?";
}

FaultPlace PlaceOf(const Request& request) {
  FaultPlace place;
  place.request = &request;
  const FaultPlace::Verb verb = PlaceVerb(request.method);
  if (verb == FaultPlace::Verb::kOther) return place;
  const RequestTarget target = ParseTarget(request.target);
  const ResourcePath path = ParseResourcePath(target.path);
  if (path.kind != PathKind::kResource) return place;
  place.verb = verb;
  place.resource = path.resource->resource.GroupResource();
  if (verb != FaultPlace::Verb::kGet) return place;
  place.resource_version = Parameter(target, "resourceVersion");
  // A name in the path makes `watch` a plain read (SRV-7), but not on the legacy path.
  const bool collection = path.key.name.empty();
  place.is_watch = path.legacy_watch || (collection && IsTrue(target, "watch"));
  place.is_list = collection && !place.is_watch;
  if (place.is_watch) place.verb = FaultPlace::Verb::kWatch;
  if (place.is_list) place.verb = FaultPlace::Verb::kList;
  if (place.is_list) place.continue_token = Parameter(target, "continue");
  place.is_continue = !place.continue_token.empty();
  place.is_streaming_list = place.is_watch && IsTrue(target, "sendInitialEvents");
  return place;
}

}  // namespace relist::fakeapi
