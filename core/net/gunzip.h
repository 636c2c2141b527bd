// Undoes gzip as it comes: any split of the input, any number of members one behind the other. All
// that can be known from the bytes so far comes out at once, so a member that ends is a member that
// was delivered (SRV-36).
//
//   Gunzip gunzip;
//   std::string text;
//   if (!gunzip.Feed(bytes, &text)) Fail(gunzip.why());
//   ...
//   gunzip.AtEnd();   // may the input end here?
//
// Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace relist {

class Gunzip {
 public:
  Gunzip();
  ~Gunzip();
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  // Appends to *out. False if the bytes are not gzip, or a checksum is wrong; what was good before
  // that is in *out, and nothing more may be fed.
  bool Feed(std::string_view bytes, std::string* out);
  // Nothing was fed, or the last member is complete.
  bool AtEnd() const;
  const std::string& why() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist
