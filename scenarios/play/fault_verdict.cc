#include "scenarios/play/fault_verdict.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/wire/status.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/encoding/json_writer.h"
#include "fakeapi/http/http_encoder.h"

namespace relist {
namespace {

using fakeapi::CutHow;
using fakeapi::FaultPlace;
using fakeapi::Verdict;
using nlohmann::ordered_json;

constexpr char kTooLargeWords[] = "Too large resource version";

// The reason and message that the real server gives with a code, where the script names none.
struct Words {
  const char* reason;
  const char* message;
};

Words WordsOf(int code) {
  switch (code) {
    case 410:
      return {"Expired", "too old resource version: 1 (2)"};
    case 409:
      return {"Conflict",
              "Operation cannot be fulfilled: the object has been modified; please apply your "
              "changes to the latest version and try again"};
    case 429:
      return {"TooManyRequests", "Too many requests, please try again later."};
    case 500:
      return {"InternalError", "Internal error occurred: a scenario said so"};
    case 503:
      return {"ServiceUnavailable", "the server is currently unable to handle the request"};
    case 504:
      return {"Timeout", "Timeout: Too large resource version: 2, current: 1"};
    case 403:
      return {"Forbidden", "forbidden: a scenario said so"};
    case 422:
      return {
          "Invalid",
          "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: "
          "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"};
    default:
      return {"", "a scenario said so"};
  }
}

Status StatusOf(const FaultSpec& fault) {
  const Words words = WordsOf(fault.code);
  Status status;
  status.code = fault.code;
  status.reason = fault.reason.empty() ? words.reason : fault.reason;
  status.message = fault.message.empty() ? words.message : fault.message;
  if (fault.code != FaultSpec::kTooLargeCode) return status;
  StatusDetails details;
  details.retry_after_seconds = 1;
  using enum FaultSpec::TooLarge;
  if (fault.too_large == kTyped)
    details.causes.push_back({"ResourceVersionTooLarge", kTooLargeWords, ""});
  if (fault.too_large == kCause) details.causes.push_back({"", kTooLargeWords, ""});
  status.details = std::move(details);
  return status;
}

Verdict AnswerOf(const FaultSpec& fault) {
  fakeapi::HeaderList headers = fault.headers;
  if (fault.body) return Verdict::Answer(fault.code, std::move(headers), *fault.body);
  const Status status = StatusOf(fault);
  headers.emplace_back("Content-Type",
                       fault.plain ? "text/plain; charset=utf-8" : "application/json");
  return Verdict::Answer(fault.code, std::move(headers),
                         (fault.plain ? status.message : status.ToJson()) + "\n");
}

// The line as it would be, and what the script has otherwise.
std::string AlteredLine(const FaultSpec& fault, const fakeapi::WatchLine& line) {
  if (fault.text) return *fault.text + "\n";
  std::string text;
  fakeapi::ForPayload(line.chunk, [&text](std::string_view piece) { text += piece; });
  ordered_json json = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return text;
  if (!fault.type.empty()) json["type"] = fault.type;
  if (!fault.object.empty()) json["object"].merge_patch(ordered_json::parse(fault.object));
  return fakeapi::WriteJson(json) + "\n";
}

// A bookmark is of the kind that is watched, unless the script says another.
std::string InsertedLine(const FaultSpec& fault, const FaultPlace& place) {
  if (fault.text) return *fault.text + "\n";
  const std::string type = fault.type.empty() ? "BOOKMARK" : fault.type;
  auto object = ordered_json::object();
  const fakeapi::ResourceType* kind = fakeapi::FindByName(place.resource);
  if (type == "BOOKMARK" && kind) {
    object["kind"] = kind->kind();
    object["apiVersion"] = kind->resource.GroupVersion();
  }
  if (!fault.object.empty()) object.merge_patch(ordered_json::parse(fault.object));
  return fakeapi::WriteJson({{"type", type}, {"object", std::move(object)}}) + "\n";
}

// What strikes at a byte.
Verdict AtByte(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultSpec::Kind::kCutFin:
      return Verdict::Cut(CutHow::kFin, fault.bytes);
    case FaultSpec::Kind::kCutReset:
      return Verdict::Cut(CutHow::kReset, fault.bytes);
    case FaultSpec::Kind::kStall:
      return Verdict::Stall(fault.bytes);
    case FaultSpec::Kind::kSplit:
      return Verdict::Split(fault.bytes, fault.every);
    case FaultSpec::Kind::kHold:
      return Verdict::Hold(fault.bytes, fault.length);
    case FaultSpec::Kind::kSlow:
      return Verdict::Slow(fault.per_second);
    default:
      return Verdict::Pass();
  }
}

}  // namespace

Verdict VerdictOf(const FaultSpec& fault, const FaultPlace& place) {
  switch (fault.kind) {
    case FaultSpec::Kind::kStatus:
      return AnswerOf(fault);
    case FaultSpec::Kind::kError:
      return Verdict::ErrorLine(fault.body ? *fault.body : StatusOf(fault).ToJson());
    case FaultSpec::Kind::kClose:
      return Verdict::Cut(CutHow::kClean);
    case FaultSpec::Kind::kDelay:
      return Verdict::Delay(fault.length);
    case FaultSpec::Kind::kDuplicate:
      return Verdict::Duplicate();
    case FaultSpec::Kind::kDrop:
      return Verdict::Replace({});
    case FaultSpec::Kind::kReorder:
      return Verdict::Reorder(fault.behind);
    case FaultSpec::Kind::kAlter:
      return Verdict::Replace({AlteredLine(fault, *place.line)});
    case FaultSpec::Kind::kInsert:
      return Verdict::Insert({InsertedLine(fault, place)});
    case FaultSpec::Kind::kChunks:
    case FaultSpec::Kind::kLineEnds:
      return Verdict::Framing(fault.framing);
    case FaultSpec::Kind::kHttp10:
      return Verdict::Http10();
    case FaultSpec::Kind::kLost:
      return Verdict::Cut(fault.how);
    case FaultSpec::Kind::kCutNext:
      return Verdict::CutNext(fault.how);
    case FaultSpec::Kind::kGzip:
      return Verdict::Gzip(fault.corrupt);
    default:
      return AtByte(fault).At(fault.byte_at);
  }
}

}  // namespace relist
