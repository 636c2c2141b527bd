#include "fakeapi/encoding/protobuf_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>

#include "core/wire/object.h"
#include "fakeapi/encoding/deep_stack.h"
#include "fakeapi/encoding/json_reader.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kGoZeroTime = -62135596800;  // 0001-01-01T00:00:00Z
constexpr int64_t kYear10000 = 253402300800;
constexpr int64_t kNanosASecond = 1'000'000'000;

Error Wrong(std::string text) {
  return Error::Net(Transport::kProtocol, std::move(text));
}

// A metav1.Time has whole seconds, a MicroTime six digits more.
Result<ordered_json> TimeValue(int64_t seconds, int64_t nanos, bool micro) {
  nanos = micro ? nanos / 1000 * 1000 : 0;
  const int64_t carry =
      nanos < 0 ? (nanos - kNanosASecond + 1) / kNanosASecond : nanos / kNanosASecond;
  nanos -= carry * kNanosASecond;
  if (seconds < kGoZeroTime - carry || seconds >= kYear10000 - carry) {
    return Wrong("Time.MarshalJSON: year outside of range [0,9999]");
  }
  seconds += carry;
  if (seconds == kGoZeroTime && nanos == 0) return ordered_json(nullptr);
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  const std::string fraction = micro ? fmt::format(".{:06}", nanos / 1000) : "";
  return ordered_json(fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", int(date.year()),
                                  unsigned(date.month()), unsigned(date.day()),
                                  clock.hours().count(), clock.minutes().count(),
                                  clock.seconds().count(), fraction));
}

Result<ordered_json> IntOrStringValue(const ordered_json& fields) {
  const int64_t type = fields["type"].get<int64_t>();
  if (type == 0) return fields["intVal"];
  if (type == 1) return fields["strVal"];
  return Wrong("impossible IntOrString.Type");
}

// Who owns which fields: JSON within protobuf. The real server lets it pass whatever it is, and
// drops it later where it is none.
ordered_json FieldsV1Value(const std::string& raw) {
  if (raw.empty() || JsonDepth(raw) > kPlainStackDepth) return nullptr;
  Result<JsonDocument> document = ReadJson(raw);
  return document.ok() ? std::move(*document->value) : ordered_json(nullptr);
}

bool IsSuffix(std::string_view suffix) {
  constexpr std::array<std::string_view, 17> kSuffixes = {
      "", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  if (std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end()) return true;
  if (suffix.size() < 2 || (suffix[0] != 'e' && suffix[0] != 'E')) return false;
  suffix.remove_prefix(suffix[1] == '+' ? 2 : 1);
  int64_t exponent = 0;
  const char* const start = suffix.data();
  const char* const end = start + suffix.size();
  const auto [stop, error] = std::from_chars(start, end, exponent);
  return error == std::errc() && stop == end;
}

}  // namespace

Result<ordered_json> ProtobufValue(ProtobufType type, const ordered_json& fields) {
  switch (type) {
    case ProtobufType::kTime:
    case ProtobufType::kMicroTime:
      return TimeValue(fields["seconds"].get<int64_t>(), fields["nanos"].get<int64_t>(),
                       type == ProtobufType::kMicroTime);
    case ProtobufType::kIntOrString:
      return IntOrStringValue(fields);
    case ProtobufType::kQuantity:
      return fields["string"] == "" ? ordered_json("0") : fields["string"];
    default:
      return FieldsV1Value(fields["raw"].get_ref<const std::string&>());
  }
}

Result<void> CheckQuantity(std::string_view text) {
  constexpr const char* kDigits = "0123456789";
  const Error malformed = Wrong(
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  if (text.empty()) return malformed;
  const auto skip = [&text](const char* set) {
    text.remove_prefix(std::min(text.find_first_not_of(set), text.size()));
  };
  const auto skip_one = [&text](std::string_view set) {
    if (!text.empty() && set.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  };
  skip_one("+-");
  skip(kDigits);
  skip_one(".");
  skip(kDigits);
  const std::string_view suffix = text;
  skip("eEinumkKMGTP");
  skip_one("+-");
  skip(kDigits);
  if (!text.empty()) return malformed;
  if (!IsSuffix(suffix)) return Wrong("unable to parse quantity's suffix");
  return {};
}

}  // namespace relist::fakeapi
