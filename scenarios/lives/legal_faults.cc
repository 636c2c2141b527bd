#include "scenarios/lives/legal_faults.h"

#include <optional>
#include <string>

#include "core/wire/resource_version.h"

namespace relist {
namespace {

using fakeapi::CutHow;
using fakeapi::FaultPlace;
using fakeapi::FaultPoint;
using fakeapi::Verdict;

constexpr char kTooLarge[] =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"
    R"("Timeout: Too large resource version: 99, current: 9","reason":"Timeout","details":{"causes":)"
    R"([{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}],)"
    R"("retryAfterSeconds":1},"code":504})";

std::string Failure(int code, const std::string& reason) {
  Error error = Error::Api(code, reason, "drawn by chance");
  return error.status.ToJson();
}

Verdict Answer(int code, const std::string& reason, bool retry_after = false) {
  fakeapi::HeaderList headers = {{"Content-Type", "application/json"}};
  if (retry_after) headers.emplace_back("Retry-After", "1");
  return Verdict::Answer(code, std::move(headers), Failure(code, reason));
}

}  // namespace

bool LegalFaults::IsSilentlyExpired(const FaultPlace& place) const {
  if (place.point != FaultPoint::kWatchOpened || place.is_streaming_list) return false;
  const std::optional<uint64_t> from = ParseResourceVersion(place.resource_version);
  return from && *from != 0 && *from < silent_below_;
}

Verdict LegalFaults::At(const FaultPlace& place) {
  if (place.is_watch && IsSilentlyExpired(place)) return Verdict::Cut(CutHow::kClean);
  if (calm_ || !(place.is_list || place.is_watch)) return Verdict::Pass();
  if (place.point == FaultPoint::kRequestRead) {
    Verdict verdict = AtRequest(place);
    if (verdict.kind != Verdict::Kind::kPass) ++struck_;
    return verdict;
  }
  if (place.point == FaultPoint::kBeforeEvent && choices_.OneIn(64, "fault before an event")) {
    const uint64_t which = choices_.Below(3, "which fault");
    ++struck_;
    if (which == 0) return Verdict::Cut(CutHow::kClean);
    if (which == 1) return Verdict::ErrorLine(Failure(500, "InternalError"));
    server_.Evict(place.now);
    return Verdict::ErrorLine(Failure(410, "Expired"));
  }
  return Verdict::Pass();
}

Verdict LegalFaults::AtRequest(const FaultPlace& place) {
  const uint64_t kind = choices_.Below(16, "fault at a request");
  if (kind < 13) return Verdict::Pass();
  if (kind == 13) return OnBytes(place.is_watch ? 2000 : 4000);
  if (kind == 14) {
    switch (choices_.Below(4, "which refusal")) {
      case 0:
        return Answer(429, "TooManyRequests", /*retry_after=*/true);
      case 1:
        return Answer(429, "TooManyRequests");
      case 2:
        return Answer(503, "ServiceUnavailable");
      default:
        return Answer(500, "InternalError");
    }
  }
  return place.is_watch ? AtWatch(place) : AtList(place);
}

// What strikes somewhere in the bytes of the answer.
Verdict LegalFaults::OnBytes(uint64_t reach) {
  const uint64_t which = choices_.Below(6, "which fault on bytes");
  const uint64_t at = choices_.Below(reach, "fault at byte");
  switch (which) {
    case 0:
      return Verdict::Split(at);
    case 1:
      return Verdict::Split(at, 1 + choices_.Below(16, "pieces"));
    case 2:
      return Verdict::Cut(CutHow::kFin, at);
    case 3:
      return Verdict::Cut(CutHow::kReset, at);
    case 4:
      return Verdict::Hold(at, Seconds(1 + static_cast<int64_t>(choices_.Below(8, "hold"))));
    default:
      stalled_ = true;
      return Verdict::Stall(at);
  }
}

Verdict LegalFaults::AtList(const FaultPlace& place) {
  switch (choices_.Below(3, "which fault at a list")) {
    case 0:
      return Verdict::Delay(Millis(100 + 100 * static_cast<int64_t>(choices_.Below(30, "delay"))));
    case 1:
      return Verdict::Answer(504, {{"Content-Type", "application/json"}, {"Retry-After", "1"}},
                             kTooLarge);
    default:
      // Only what could have expired may be told to be: an exact read, or a page.
      if (!place.is_continue) return Answer(500, "InternalError");
      return Answer(410, "Expired");
  }
}

Verdict LegalFaults::AtWatch(const FaultPlace& place) {
  const uint64_t which = choices_.Below(6, "which fault at a watch");
  if (which == 0) return Verdict::Cut(CutHow::kClean);  // W19: at once, though the version is good
  if (which == 1) return Verdict::Delay(Millis(200));
  if (which == 2 && place.is_streaming_list) return Answer(422, "Invalid");
  if (which == 3) {
    refused_until_ = place.now + Seconds(1 + static_cast<int64_t>(choices_.Below(5, "refused")));
    return Verdict::Cut(CutHow::kReset);
  }
  if (place.is_streaming_list || place.resource_version.empty() || place.resource_version == "0") {
    return Verdict::Cut(CutHow::kFin);
  }
  server_.Evict(place.now);
  if (which == 4) return Answer(410, "Expired");
  silent_below_ = server_.revision();  // the version is gone, and nobody says so
  return Verdict::Pass();
}

bool LegalFaults::AcceptsConnections(TimePoint now) {
  return calm_ || now >= refused_until_;
}

void LegalFaults::Disturb(TimePoint now) {
  if (calm_) return;
  switch (choices_.Below(128, "disturb")) {
    case 124:
      server_.Evict(now);
      break;
    case 125:
      server_.Compact(now, 0, /*learned=*/true);
      break;
    case 126:
      server_.Restart(now);
      break;
    case 127:
      server_.Bookmark(now);
      break;
    default:
      return;
  }
  ++struck_;
}

}  // namespace relist
