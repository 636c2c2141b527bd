#include "scenarios/random_faults.h"

#include <array>

#include "core/wire/status.h"

namespace relist {
namespace {

using fakeapi::CutHow;
using fakeapi::FaultPlace;
using fakeapi::FaultPoint;
using fakeapi::Verdict;

const std::string& Expired() {
  static const std::string json = Error::Api(410, "Expired", "too old resource version: 1 (2)").status.ToJson();
  return json;
}

const std::string& Internal() {
  static const std::string json = Error::Api(500, "InternalError", "Internal error occurred").status.ToJson();
  return json;
}

const std::string& NoStreaming() {
  static const std::string json = Error::Api(422, "Invalid", "sendInitialEvents is forbidden for watch").status.ToJson();
  return json;
}

std::string TooLarge() {
  Error error = Error::Api(504, "Timeout", "Timeout: Too large resource version: 2, current: 1");
  error.status.details.emplace().causes.push_back(
      {"ResourceVersionTooLarge", "Too large resource version", ""});
  return error.status.ToJson();
}

Verdict Json(int status, const std::string& body, const char* retry_after = nullptr) {
  fakeapi::HeaderList headers = {{"Content-Type", "application/json"}};
  if (retry_after) headers.emplace_back("Retry-After", retry_after);
  return Verdict::Answer(status, std::move(headers), body + "\n");
}

Verdict Busy(const char* retry_after) {
  fakeapi::HeaderList headers = {{"Content-Type", "text/plain; charset=utf-8"}};
  if (retry_after) headers.emplace_back("Retry-After", retry_after);
  return Verdict::Answer(429, std::move(headers), "Too many requests, please try again later.\n");
}

// How far into an answer, or a line, a fault on bytes strikes: heads are some 130 bytes, lines some 300.
constexpr uint64_t kBytesMax = 400;
constexpr std::array<int, 4> kSeconds = {1, 3, 8, 20};

}  // namespace

Verdict RandomFaults::At(const FaultPlace& place) {
  if (place.now >= until_) return Verdict::Pass();
  Verdict verdict;
  switch (place.point) {
    case FaultPoint::kRequestRead: verdict = OfRequest(place); break;
    case FaultPoint::kWatchOpened: verdict = OfOpenWatch(); break;
    case FaultPoint::kBeforeEvent: verdict = OfEvent(); break;
    case FaultPoint::kConnectionAccepted:
    case FaultPoint::kBeforeAnswer: break;
  }
  if (verdict.kind != Verdict::Kind::kPass) ++struck_;
  return verdict;
}

Verdict RandomFaults::OfRequest(const FaultPlace& place) {
  if (!place.is_list && !place.is_watch) return Verdict::Pass();
  switch (choices_.Below(24, "fault of a request")) {
    case 1: return Busy("1");
    case 2: return Busy(nullptr);
    case 3: return Json(500, Internal());
    case 4: return Json(503, Internal(), "1");
    case 5: return Json(410, Expired());
    case 6: return place.is_list ? Json(504, TooLarge()) : OfBytes();
    case 7: return place.is_streaming_list ? Json(422, NoStreaming()) : OfBytes();
    case 8: return OfBytes();
    default: return Verdict::Pass();
  }
}

Verdict RandomFaults::OfOpenWatch() {
  switch (choices_.Below(24, "fault of an open watch")) {
    case 1:
    case 2: return Verdict::Cut(CutHow::kClean);
    case 3:
    case 4: return Verdict::ErrorLine(Expired());
    case 5: return Verdict::ErrorLine(Internal());
    case 6: return OfBytes();
    default: return Verdict::Pass();
  }
}

Verdict RandomFaults::OfEvent() {
  switch (choices_.Below(40, "fault of an event")) {
    case 1:
    case 2:
    case 3: return OfBytes();
    case 4:
    case 5: return Verdict::Cut(CutHow::kClean);
    case 6: return Verdict::ErrorLine(Expired());
    case 7: return Verdict::Delay(Millis(700));
    default: return Verdict::Pass();
  }
}

Verdict RandomFaults::OfBytes() {
  const uint64_t kind = choices_.Below(16, "fault of bytes");
  const uint64_t at = choices_.Below(kBytesMax, "at byte");
  if (kind < 6) return Verdict::Cut(CutHow::kFin, at);
  if (kind < 10) return Verdict::Cut(CutHow::kReset, at);
  if (kind < 12) return Verdict::Split(at, 1 + choices_.Below(20, "pieces of"));
  if (kind < 15) return Verdict::Hold(at, Seconds(kSeconds[choices_.Below(kSeconds.size(), "held for")]));
  stalled_ = true;
  return Verdict::Stall(at);
}

}  // namespace relist
