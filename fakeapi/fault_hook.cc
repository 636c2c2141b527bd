#include "fakeapi/fault_hook.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "fakeapi/http_head.h"

namespace relist::fakeapi {
namespace {

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string Unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? HexValue(text[i + 1]) : -1;
    const int low = high >= 0 ? HexValue(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

// The first value of a query parameter.
std::optional<std::string> Parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    const size_t equals = std::min(pair.find('='), pair.size());
    if (Unescape(pair.substr(0, equals)) == name) {
      return Unescape(pair.substr(std::min(equals + 1, pair.size())));
    }
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return std::nullopt;
}

// As apimachinery converts a parameter: only absence, "false" and "0" are false.
bool IsTrue(const std::optional<std::string>& value) {
  return value && *value != "0" && *value != "false" && *value != "False" && *value != "FALSE";
}

std::vector<std::string_view> SplitPath(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return parts;
}

struct ApiPath {
  std::string resource;  // with its group
  bool collection = false;
  bool legacy_watch = false;  // /api/v1/watch/...
};

std::optional<ApiPath> ParseApiPath(std::string_view path) {
  if (path.empty() || path[0] != '/') return std::nullopt;
  const std::vector<std::string_view> parts = SplitPath(path);
  if (parts.empty() || (parts[0] != "api" && parts[0] != "apis")) return std::nullopt;
  const bool grouped = parts[0] == "apis";
  size_t at = grouped ? 3 : 2;
  ApiPath out;
  if (at < parts.size() && parts[at] == "watch") {
    out.legacy_watch = true;
    ++at;
  }
  // "namespaces/a/configmaps" is about configmaps, "namespaces/a" and its status about namespaces.
  if (at + 2 < parts.size() && parts[at] == "namespaces" && parts[at + 2] != "status" &&
      parts[at + 2] != "finalize") {
    at += 2;
  }
  if (at >= parts.size()) return std::nullopt;
  out.resource = parts[at];
  if (grouped) out.resource.append(".").append(parts[1]);
  out.collection = at + 1 == parts.size();
  return out;
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
  const std::string_view target = request.target;
  const size_t question = std::min(target.find('?'), target.size());
  std::optional<ApiPath> path = ParseApiPath(target.substr(0, question));
  if (!path) return place;
  const std::string_view query = target.substr(std::min(question + 1, target.size()));
  place.resource = std::move(path->resource);
  place.resource_version = Parameter(query, "resourceVersion").value_or("");
  // A name in the path makes `watch` a plain read (SRV-7), but not on the legacy path.
  place.is_watch = path->legacy_watch || (path->collection && IsTrue(Parameter(query, "watch")));
  place.is_list = path->collection && !place.is_watch;
  place.is_continue = place.is_list && !Parameter(query, "continue").value_or("").empty();
  place.is_streaming_list = place.is_watch && IsTrue(Parameter(query, "sendInitialEvents"));
  return place;
}

}  // namespace relist::fakeapi
