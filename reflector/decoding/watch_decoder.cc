#include "reflector/decoding/watch_decoder.h"

#include <fmt/core.h>

#include "core/wire/quote.h"
#include "reflector/parity_switch.h"

namespace relist {

std::optional<WatchEvent> WatchDecoder::Next() {
  if (failed_) return std::nullopt;
  if (!framer_.Next()) {
    if (framer_.failed()) return Failure(framer_.why());
    if (!transport_failure_.empty()) return Failure(transport_failure_);
    if (at_end_ && bugs_.resume_from_partial_line) return FromPartialLine();
    return std::nullopt;
  }
  Result<WatchEvent> event = decoder_.DecodeEvent(framer_.frame(), framer_.object());
  if (event.ok()) return std::move(*event);
  if (Behaves("NET-08")) return Failure(event.error().message());
  failed_ = true;
  return std::nullopt;
}

// apimachinery: ErrorReporter.AsObject
WatchEvent WatchDecoder::Failure(const std::string& why) {
  failed_ = true;
  Status status;
  status.code = 500;
  status.reason = "InternalError";
  const std::string text = "unable to decode an event from the watch stream: " + why;
  status.message =
      fmt::format("an error on the server ({}) has prevented the request from succeeding",
                  QuoteText(text, HexCase::kLower));
  status.details = StatusDetails{};
  status.details->causes.push_back({"UnexpectedServerResponse", text, ""});
  status.details->causes.push_back({"ClientWatchDecoding", text, ""});
  Object::Head head;
  head.kind = "Status";
  head.api_version = "v1";
  return {EventType::kError, std::make_shared<Object>(status.ToJson(), std::move(head))};
}

// The planted bug: what there is of a line moves the position, as a bookmark would.
std::optional<WatchEvent> WatchDecoder::FromPartialLine() {
  static constexpr std::string_view kField = "\"resourceVersion\":\"";
  failed_ = true;
  const std::string_view line = framer_.Unfinished();
  const size_t field = line.find(kField);
  if (field == std::string_view::npos) return std::nullopt;
  const size_t begin = field + kField.size();
  Object::Head head;
  head.resource_version = line.substr(begin, line.find('"', begin) - begin);
  if (head.resource_version.empty()) return std::nullopt;
  return WatchEvent{EventType::kBookmark, std::make_shared<Object>("{}", std::move(head))};
}

}  // namespace relist
