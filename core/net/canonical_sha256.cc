#include "core/net/canonical_sha256.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <nlohmann/json.hpp>

namespace relist {

std::string CanonicalSha256(const Object& object) {
  nlohmann::json value = object.json();  // keys are sorted in it
  value.erase("kind");
  value.erase("apiVersion");
  const std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr);
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) hex += fmt::format("{:02x}", digest[i]);
  return hex;
}

}  // namespace relist
