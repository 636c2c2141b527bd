#include "tools/command/option_values.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "core/duration.h"

namespace relist::command {
namespace {

Error WrongValue(std::string message) {
  return Error::Net(Transport::kOther, std::move(message));
}

// Whether `text` is this word, in small letters or large ones.
bool IsWord(const std::string& text, std::string_view word) {
  return std::equal(text.begin(), text.end(), word.begin(), word.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

}  // namespace

Result<Duration> ParseDurationFrom(const std::string& text, Duration least) {
  Result<Duration> parsed = ParseDurationUpToAWeek(text);
  if (!parsed.ok() || *parsed >= least) return parsed;
  return WrongValue(fmt::format("`{}` is too short: {} is the least", text, FormatDuration(least)));
}

Result<Duration> ParsePeriod(const std::string& text, Duration least) {
  Result<Duration> parsed = ParseDurationUpToAWeek(text);
  if (!parsed.ok() || *parsed == Duration(0) || *parsed >= least) return parsed;
  return WrongValue(fmt::format("`{}` is too short: {} is the least, or 0 for never", text,
                                FormatDuration(least)));
}

Result<std::string> ParseToken(const std::string& text) {
  for (const char c : text) {
    if (c > ' ' && c < 0x7f) continue;
    return Error::Net(
        Transport::kOther,
        "a token is of visible ASCII characters, without blanks: it goes into a header");
  }
  return text;
}

Result<std::string> ParseAddress(const std::string& text) {
  if (IsWord(text, "localhost")) return std::string("localhost");
  const bool in_brackets = text.size() > 2 && text.front() == '[' && text.back() == ']';
  const std::string address = in_brackets ? text.substr(1, text.size() - 2) : text;
  in_addr v4{};
  in6_addr v6{};
  if (!in_brackets && inet_pton(AF_INET, address.c_str(), &v4) == 1) return address;
  if (inet_pton(AF_INET6, address.c_str(), &v6) == 1) return address;
  return WrongValue(
      fmt::format("`{}` is no IP address, such as 127.0.0.1, 0.0.0.0 or ::1, nor localhost", text));
}

Result<std::string> ParseHistoryPath(const std::string& text) {
  if (text == "none" || !IsWord(text, "none")) return text;
  return WrongValue(fmt::format(
      "`{0}`: did you mean `none`, for no history? A file of this name is ./{0}", text));
}

Result<uint64_t> ParseWholeNumber(const std::string& text, uint64_t least, uint64_t most) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  if (problem == std::errc() && rest == end && number >= least && number <= most) return number;
  return WrongValue(fmt::format("`{}` is no whole number from {} to {}", text, least, most));
}

Result<double> ParseNumber(const std::string& text, double least, double most) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  // NaN is in no range: asked so that it fails.
  if (problem == std::errc() && rest == end && number >= least && number <= most) return number;
  return WrongValue(fmt::format("`{}` is no number from {} to {}", text, least, most));
}

}  // namespace relist::command
