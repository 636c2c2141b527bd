#include "core/wire/names.h"

#include <fmt/core.h>

#include <algorithm>

namespace relist {
namespace {

constexpr size_t kLabelMax = 63;
constexpr size_t kSubdomainMax = 253;
constexpr std::string_view kCharacters = "characters", kBytes = "bytes";

constexpr std::string_view kLabelText =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kSubdomainText =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kServiceText =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kNamePartText =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kQualifiedText =
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex "
    "used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS "
    "subdomain prefix and '/' (e.g. 'example.com/MyName')";
constexpr std::string_view kLabelValueText =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view kConfigKeyText =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
    "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

bool IsLowerAlnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
bool IsAlnum(char c) {
  return IsLowerAlnum(c) || (c >= 'A' && c <= 'Z');
}
bool IsNameChar(char c) {
  return IsAlnum(c) || c == '-' || c == '_' || c == '.';
}

bool All(std::string_view text, bool (*good)(char)) {
  return std::all_of(text.begin(), text.end(), good);
}

// [a-z0-9]([-a-z0-9]*[a-z0-9])?
bool IsDnsLabel(std::string_view text) {
  return !text.empty() && IsLowerAlnum(text.front()) && IsLowerAlnum(text.back()) &&
         All(text, [](char c) { return IsLowerAlnum(c) || c == '-'; });
}

bool IsSubdomain(std::string_view text) {
  while (true) {
    const size_t dot = text.find('.');
    if (!IsDnsLabel(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

// ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]
bool IsNamePart(std::string_view text) {
  return !text.empty() && IsAlnum(text.front()) && IsAlnum(text.back()) && All(text, IsNameChar);
}

// Labels are measured in bytes, names in characters: two packages of the real server's.
NameErrors Check(std::string_view text, size_t max, std::string_view unit, bool good,
                 std::string_view why) {
  NameErrors errors;
  if (text.size() > max) errors.push_back(fmt::format("must be no more than {} {}", max, unit));
  if (!good) errors.emplace_back(why);
  return errors;
}

}  // namespace

NameErrors Dns1123LabelErrors(std::string_view text) {
  return Check(text, kLabelMax, kCharacters, IsDnsLabel(text), kLabelText);
}

NameErrors Dns1123SubdomainErrors(std::string_view text) {
  return Check(text, kSubdomainMax, kCharacters, IsSubdomain(text), kSubdomainText);
}

NameErrors Dns1035LabelErrors(std::string_view text) {
  const bool good = IsDnsLabel(text) && !(text.front() >= '0' && text.front() <= '9');
  return Check(text, kLabelMax, kCharacters, good, kServiceText);
}

NameErrors QualifiedNameErrors(std::string_view text) {
  NameErrors errors;
  std::string_view name = text;
  const size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {std::string(kQualifiedText)};
    }
    if (prefix.empty()) {
      errors.push_back("prefix part must be non-empty");
    } else {
      for (const std::string& why :
           Check(prefix, kSubdomainMax, kBytes, IsSubdomain(prefix), kSubdomainText)) {
        errors.push_back("prefix part " + why);
      }
    }
  }
  if (name.empty()) {
    errors.push_back("name part must be non-empty");
  } else if (name.size() > kLabelMax) {
    errors.push_back(fmt::format("name part must be no more than {} bytes", kLabelMax));
  }
  if (!IsNamePart(name)) errors.push_back(fmt::format("name part {}", kNamePartText));
  return errors;
}

NameErrors LabelValueErrors(std::string_view text) {
  return Check(text, kLabelMax, kBytes, text.empty() || IsNamePart(text), kLabelValueText);
}

NameErrors ConfigKeyErrors(std::string_view text) {
  NameErrors errors = Check(text, kSubdomainMax, kCharacters,
                            !text.empty() && All(text, IsNameChar), kConfigKeyText);
  if (text == ".") {
    errors.push_back("must not be '.'");
  } else if (text == "..") {
    errors.push_back("must not be '..'");
  } else if (text.starts_with("..")) {
    errors.push_back("must not start with '..'");
  }
  return errors;
}

}  // namespace relist
