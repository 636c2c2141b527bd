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
  }
  return "?";
}

std::string Describe(const Verdict& verdict) {
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
      return fmt::format("cut {} after {}", Name(verdict.how), verdict.after_bytes);
    case Verdict::Kind::kStall:
      return fmt::format("stall after {}", verdict.after_bytes);
    case Verdict::Kind::kSplit:
      return verdict.split_every == 0
                 ? fmt::format("split at {}", verdict.after_bytes)
                 : fmt::format("split at {} every {}", verdict.after_bytes, verdict.split_every);
    case Verdict::Kind::kDuplicate:
      return "duplicate";
    case Verdict::Kind::kHold:
      return verdict.delay == Duration::zero()
                 ? fmt::format("hold after {}", verdict.after_bytes)
                 : fmt::format("hold after {} for {}", verdict.after_bytes,
                               FormatSeconds(verdict.delay));
  }
  return "?";
}

FaultPlace PlaceOf(const Request& request) {
  FaultPlace place;
  place.request = &request;
  if (request.method != "GET") return place;
  const RequestTarget target = ParseTarget(request.target);
  const ResourcePath path = ParseResourcePath(target.path);
  if (path.kind != PathKind::kResource) return place;
  place.resource = path.resource->resource.GroupResource();
  place.resource_version = Parameter(target, "resourceVersion");
  // A name in the path makes `watch` a plain read (SRV-7), but not on the legacy path.
  const bool collection = path.key.name.empty();
  place.is_watch = path.legacy_watch || (collection && IsTrue(target, "watch"));
  place.is_list = collection && !place.is_watch;
  place.is_continue = place.is_list && !Parameter(target, "continue").empty();
  place.is_streaming_list = place.is_watch && IsTrue(target, "sendInitialEvents");
  return place;
}

}  // namespace relist::fakeapi
