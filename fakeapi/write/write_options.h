// The parameters of a write: dryRun, fieldValidation, and all that a delete may say, checked with
// the real server's texts.
//
//   Result<WriteOptions> options = ParseWriteOptions("CreateOptions", query);
//   Result<DeleteOptions> how = ParseDeleteOptions(request, query);   // the body wins over the
//   query
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

enum class FieldValidation { kWarn, kStrict, kIgnore };

struct WriteOptions {
  bool dry_run = false;
  FieldValidation validation = FieldValidation::kWarn;
};

enum class Propagation { kDefault, kBackground, kForeground, kOrphan };

struct DeleteOptions {
  bool dry_run = false;
  std::optional<int64_t> grace_period_seconds;
  Propagation propagation = Propagation::kDefault;
  std::optional<std::string> uid;               // precondition
  std::optional<std::string> resource_version;  // precondition
  bool orphan_dependents_false = false;         // the old way to say Background: answers 202
};

// `kind`: "CreateOptions", "UpdateOptions", "PatchOptions", for texts.
Result<WriteOptions> ParseWriteOptions(std::string_view kind, const HeaderList& query);
Result<DeleteOptions> ParseDeleteOptions(const Request& request, const HeaderList& query);

}  // namespace relist::fakeapi
