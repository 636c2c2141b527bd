#include "reflector/informers/typed_reader.h"

#include <fmt/core.h>

#include <exception>
#include <nlohmann/json.hpp>

#include "core/wire/digest.h"
#include "reflector/parity_switch.h"

namespace relist {

bool TypedReader::Read(const Object& object) {
  if (object.has_attached(type_)) return IsReadable(object);
  const void* made = nullptr;
  std::string why;
  nlohmann::json value;
  const Result<void> read = reader_.Read(object.bytes(), &value);
  if (!read.ok()) {
    why = read.error().message();
  } else {
    try {
      if (Behaves("INF-14")) made = make_(value);
    } catch (const std::exception& error) {
      why = error.what();
    }
  }
  object.Attach(made, type_);
  if (made) return true;
  ++unreadable_;
  Say(log_, LogLevel::kWarning,
      fmt::format("{}: {} at version {} cannot be read, and is left out: {}", what_,
                  object.key().ToString(), object.resource_version(), why));
  return false;
}

uint64_t DigestOfJson(const std::function<void(nlohmann::json&)>& write) {
  nlohmann::json value;
  write(value);
  return Digest().Add(value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)).value();
}

}  // namespace relist
