// JSON bodies as Go reads them: the last of duplicate keys counts, invalid UTF-8 becomes U+FFFD,
// errors have Go's texts.
//
//   Result<JsonDocument> document = ReadJson(R"({"data":{"a":"1","a":"2"}})");
//   document->duplicates;   // {"data.a"}
//
// Depth is the caller's: look at JsonDepth first, and see deep_stack.h. A map of n keys costs O(n
// log n), not n².
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace relist::fakeapi {

struct JsonDocument {
  JsonDocument();
  ~JsonDocument();
  JsonDocument(JsonDocument&&) noexcept;
  JsonDocument& operator=(JsonDocument&&) noexcept;

  std::unique_ptr<nlohmann::ordered_json> value;  // never null
  std::vector<std::string>
      duplicates;  // paths, "data.a", "spec.containers[0].name", in the document's order
  std::vector<std::string> repeated_yaml;  // of YAML instead: lines (yaml_codec.h)
};

// The Error's message is Go's: "invalid character 'n' looking for beginning of object key string".
Result<JsonDocument> ReadJson(std::string_view bytes);

}  // namespace relist::fakeapi
