// The list decoder under bytes of any kind: what it takes, another parser takes for an object, too.
// Its corpus is in reflector/testdata/fuzz/list_decoder.
#include "reflector/decoding/list_decoder.h"

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 1 << 16) return 0;
  const std::string body(reinterpret_cast<const char*>(data), size);
  const relist::Result<relist::ListPage> page = relist::DecodeList(body);
  if (!page.ok()) return 0;
  std::string mended = body;
  nlohmann::json value;
  if (!relist::ParseJson(&mended, &value) || !value.is_object()) std::abort();
  const auto items = value.find("items");
  const size_t most = items != value.end() && items->is_array() ? items->size() : 0;
  if (page->items.size() > most) std::abort();
  return 0;
}
