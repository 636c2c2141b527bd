// The query of a list, a watch or a deletecollection, parsed and validated as the real server does.
//
//   Result<ReadOptions> options = ParseReadOptions(configmaps, target.query,
//   /*is_legacy_watch=*/false); if (!options.ok()) return RenderStatus(options.error().status,
//   form);   // 400 or 422 options->revision;         // of ?resourceVersion=7: 7
//
// Which values are malformed, forbidden, defaulted: SRV-3 to SRV-7 and chapters list and watch. A
// resourceVersion is not judged here, because lists (400) and watches (500) differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.h"
#include "fakeapi/api/http_types.h"
#include "fakeapi/store/selectors.h"

namespace relist::fakeapi {

struct ReadOptions {
  LabelSelector labels;
  FieldSelector fields;
  bool watch = false;
  bool allow_watch_bookmarks = false;
  std::string resource_version;        // as sent
  std::string resource_version_match;  // "", "Exact", "NotOlderThan"
  std::string continue_token;
  int64_t limit = 0;  // of no account if not positive
  std::optional<int64_t> timeout_seconds;
  std::optional<bool> send_initial_events;

  bool HasSelector() const { return !labels.everything() || !fields.everything(); }
};

// `is_legacy_watch`: the path begins with watch/. The real server validates such a query as a
// list's.
Result<ReadOptions> ParseReadOptions(const ResourceType& resource, const HeaderList& query,
                                     bool is_legacy_watch);

// ?watch= in any of its spellings, without judging the rest.
bool WantsWatch(const HeaderList& query);

// strconv.ParseUint's verdict on a resourceVersion; "" is 0. The Error's message is its text,
// without a verdict on the HTTP status.
Result<uint64_t> ParseRevision(const std::string& text);

}  // namespace relist::fakeapi
