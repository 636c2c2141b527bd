// JSON bytes to an nlohmann value, read by simdjson: three times as fast as nlohmann's own parser,
// and the way from an object's bytes to somebody's from_json.
//
//   JsonTreeReader reader;
//   nlohmann::json value;
//   Result<void> read = reader.Read(object.bytes(), &value);
//
// Go's rules: the last of duplicate keys wins; integers over 64 bits are doubles; invalid UTF-8 is
// U+FFFD. Error(kProtocol): not JSON, or more than 1,024 levels deep (what user code may recurse
// over without harm; Go would take 10,000). One parser, reused: not thread-safe.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string_view>

#include "core/result.h"

namespace relist {

class JsonTreeReader {
 public:
  JsonTreeReader();
  ~JsonTreeReader();
  // *into is untouched where it fails.
  Result<void> Read(std::string_view bytes, nlohmann::json* into);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist
