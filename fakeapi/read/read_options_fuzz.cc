// Resource versions and the other numbers of a query, against parsers that are written down as Go's
// strconv is described: digit by digit, the first thing that is wrong decides. The first byte of
// the input chooses the parameter, the rest is its value. Its corpus, replayed by the ordinary
// tests, is in fakeapi/testdata/fuzz/read_options.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_options.h"

namespace read_options_fuzz {
namespace {

using namespace relist::fakeapi;
using relist::Result;

void Require(bool condition) {
  if (!condition) std::abort();
}

struct Parsed {
  enum { kGood, kNoNumber, kTooLarge } verdict = kGood;
  uint64_t value = 0;
};

Parsed ParseDigits(const std::string& text) {
  if (text.empty()) return {Parsed::kNoNumber};
  uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {Parsed::kNoNumber};
    uint64_t more = 0;
    if (__builtin_mul_overflow(value, 10, &more) ||
        __builtin_add_overflow(more, static_cast<unsigned>(c - '0'), &value)) {
      return {Parsed::kTooLarge};
    }
  }
  return {Parsed::kGood, value};
}

void CheckText(const std::string& message, const Parsed& parsed) {
  Require(message.ends_with(parsed.verdict == Parsed::kTooLarge ? "value out of range"
                                                                : "invalid syntax"));
}

void CheckRevision(const std::string& text) {
  const Result<uint64_t> revision = ParseRevision(text);
  if (text.empty()) return Require(revision.ok() && *revision == 0);
  const Parsed parsed = ParseDigits(text);
  Require(revision.ok() == (parsed.verdict == Parsed::kGood));
  if (revision.ok()) return Require(*revision == parsed.value);
  CheckText(revision.error().message(), parsed);
}

Result<ReadOptions> Parse(const std::string& name, const std::string& value) {
  static const ResourceType& configmaps = *FindResource("", "v1", "configmaps");
  return ParseReadOptions(configmaps, {{name, value}}, false);
}

void CheckNumber(const std::string& name, const std::string& text) {
  const bool has_sign = text.starts_with('+') || text.starts_with('-');
  const bool negative = text.starts_with('-');
  Parsed parsed = ParseDigits(has_sign ? text.substr(1) : text);
  const uint64_t limit = uint64_t{1} << 63;
  if (parsed.verdict == Parsed::kGood && parsed.value > limit - (negative ? 0 : 1)) {
    parsed.verdict = Parsed::kTooLarge;
  }
  const Result<ReadOptions> options = Parse(name, text);
  Require(options.ok() == (parsed.verdict == Parsed::kGood));
  if (!options.ok()) return CheckText(options.error().message(), parsed);
  const uint64_t magnitude = negative ? 0 - parsed.value : parsed.value;
  const int64_t got = name == "limit" ? options->limit : options->timeout_seconds.value();
  Require(static_cast<uint64_t>(got) == magnitude);
}

void CheckFlag(const std::string& text) {
  std::string lower = text;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  Require(WantsWatch({{"watch", text}}) == (lower != "false" && text != "0"));
}

}  // namespace
}  // namespace read_options_fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace read_options_fuzz;
  if (size == 0 || size > 1 << 10) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 4 == 0) CheckRevision(text);
  if (data[0] % 4 == 1) CheckNumber("limit", text);
  if (data[0] % 4 == 2) CheckNumber("timeoutSeconds", text);
  if (data[0] % 4 == 3) CheckFlag(text);
  return 0;
}
