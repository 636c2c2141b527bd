#include "fakeapi/read/read_options.h"

#include <fmt/format.h>

#include <vector>

#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/go_number.h"
#include "fakeapi/api/negotiation.h"

namespace relist::fakeapi {
namespace {

constexpr std::string_view kMatch = "resourceVersionMatch";
constexpr std::string_view kExact = "Exact";
constexpr std::string_view kNotOlderThan = "NotOlderThan";

// Anything but "0" and "false" is true, the empty text included (SRV-5).
bool ParseBool(std::string_view text) {
  if (text == "0") return false;
  if (text.size() != 5) return true;
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  return lower != "false";
}

Result<int64_t> ParseInt(std::string_view text) {
  int64_t value = 0;
  const GoNumber verdict = ParseGoInt(text, &value);
  if (verdict != GoNumber::kGood) return BadRequest(GoNumberText("ParseInt", text, verdict));
  return value;
}

void CheckListMatch(const ReadOptions& options, std::vector<FieldError>* errors) {
  const std::string field(kMatch);
  const std::string& match = options.resource_version_match;
  if (!match.empty()) {
    if (options.resource_version.empty()) {
      errors->push_back(FieldError::Forbidden(
          field, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (!options.continue_token.empty()) {
      errors->push_back(FieldError::Forbidden(
          field, "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (match != kExact && match != kNotOlderThan) {
      errors->push_back(
          FieldError::NotSupported(field, GoQuote(match), R"("Exact", "NotOlderThan", "")"));
    }
    if (match == kExact && options.resource_version == "0") {
      errors->push_back(FieldError::Forbidden(
          field, R"(resourceVersionMatch "exact" is forbidden for resourceVersion "0")"));
    }
  }
  if (options.send_initial_events) {
    errors->push_back(
        FieldError::Forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
}

void CheckWatchMatch(const ReadOptions& options, std::vector<FieldError>* errors) {
  const std::string field(kMatch);
  const std::string& match = options.resource_version_match;
  if (options.send_initial_events && match != kNotOlderThan) {
    errors->push_back(FieldError::Forbidden(
        field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (match.empty()) return;
  if (!options.send_initial_events) {
    errors->push_back(FieldError::Forbidden(
        field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (match != kNotOlderThan) {
    errors->push_back(FieldError::NotSupported(field, GoQuote(match), R"("NotOlderThan")"));
  }
  if (!options.continue_token.empty()) {
    errors->push_back(FieldError::Forbidden(
        field, "resourceVersionMatch is forbidden when continue is provided"));
  }
}

// A watch that says neither where to start nor how gets the initial events (SRV-6).
void SetDefaults(ReadOptions* options) {
  if (!options->watch || options->send_initial_events || !options->resource_version_match.empty()) {
    return;
  }
  if (!options->resource_version.empty() && options->resource_version != "0") return;
  options->send_initial_events = true;
  options->resource_version_match = kNotOlderThan;
}

// Names may repeat: only the first counts.
Result<void> ReadNumbers(const HeaderList& query, ReadOptions* options) {
  if (HasQuery(query, "timeoutSeconds")) {
    const Result<int64_t> seconds = ParseInt(QueryValue(query, "timeoutSeconds"));
    if (!seconds.ok()) return seconds.error();
    options->timeout_seconds = *seconds;
  }
  if (HasQuery(query, "limit")) {
    const Result<int64_t> limit = ParseInt(QueryValue(query, "limit"));
    if (!limit.ok()) return limit.error();
    options->limit = *limit;
  }
  return {};
}

void ReadWords(const HeaderList& query, ReadOptions* options) {
  options->watch = WantsWatch(query);
  if (HasQuery(query, "allowWatchBookmarks")) {
    options->allow_watch_bookmarks = ParseBool(QueryValue(query, "allowWatchBookmarks"));
  }
  if (HasQuery(query, "sendInitialEvents")) {
    options->send_initial_events = ParseBool(QueryValue(query, "sendInitialEvents"));
  }
  options->resource_version = QueryValue(query, "resourceVersion");
  options->resource_version_match = QueryValue(query, kMatch);
  options->continue_token = QueryValue(query, "continue");
}

}  // namespace

bool WantsWatch(const HeaderList& query) {
  return HasQuery(query, "watch") && ParseBool(QueryValue(query, "watch"));
}

Result<ReadOptions> ParseReadOptions(const ResourceType& resource, const HeaderList& query,
                                     bool is_legacy_watch) {
  ReadOptions options;
  if (query.empty() && !is_legacy_watch) return options;
  ReadWords(query, &options);
  if (const Result<void> read = ReadNumbers(query, &options); !read.ok()) return read.error();
  Result<LabelSelector> labels = LabelSelector::Parse(QueryValue(query, "labelSelector"));
  if (!labels.ok()) return labels.error();
  options.labels = std::move(*labels);
  Result<FieldSelector> fields = FieldSelector::ParseText(QueryValue(query, "fieldSelector"));
  if (!fields.ok()) return fields.error();
  options.fields = std::move(*fields);
  SetDefaults(&options);
  std::vector<FieldError> errors;
  options.watch ? CheckWatchMatch(options, &errors) : CheckListMatch(options, &errors);
  if (!errors.empty()) return Invalid("ListOptions", "meta.k8s.io", "", errors);
  // A selector's text is judged before these rules, its fields after them.
  if (Result<void> known = options.fields.CheckFields(resource); !known.ok()) return known.error();
  if (is_legacy_watch) options.watch = true;
  return options;
}

Result<uint64_t> ParseRevision(const std::string& text) {
  uint64_t value = 0;
  if (text.empty()) return value;
  const GoNumber verdict = ParseGoUint(text, &value);
  if (verdict == GoNumber::kGood) return value;
  return Error::Api(500, "",
                    fmt::format("resourceVersion: Invalid value: {}: {}", GoQuote(text),
                                GoNumberText("ParseUint", text, verdict)));
}

}  // namespace relist::fakeapi
