#include "reflector/rest/media_type.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace relist {
namespace {

char LowerLetter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string_view TrimmedSpace(std::string_view text) {
  static constexpr std::string_view kSpace = " \t\r\n\v\f";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// The token at the front of *text, cut off, in lower case; "" where there is none.
std::string TakeToken(std::string_view* text) {
  static constexpr std::string_view kOther = "()<>@,;:\\\"/[]?=";
  std::string token;
  while (!text->empty() && text->front() > ' ' && text->front() < 0x7f &&
         kOther.find(text->front()) == std::string_view::npos) {
    token += LowerLetter(text->front());
    text->remove_prefix(1);
  }
  return token;
}

// The value of a parameter, quoted or not, cut off.
std::optional<std::string> TakeParameterValue(std::string_view* text) {
  std::string value;
  if (text->empty() || text->front() != '"') {
    while (!text->empty()) {
      const char first = text->front();
      std::string_view rest = *text;
      if (TakeToken(&rest).empty()) break;
      value += first;
      text->remove_prefix(1);
    }
    if (value.empty()) return std::nullopt;
    return value;
  }
  for (size_t at = 1; at < text->size(); ++at) {
    const char c = (*text)[at];
    if (c == '"') {
      text->remove_prefix(at + 1);
      return value;
    }
    if (c == '\r' || c == '\n') return std::nullopt;
    const bool escaped = c == '\\' && at + 1 < text->size();
    value += escaped ? (*text)[++at] : c;
  }
  return std::nullopt;
}

// "; name=value" at the front of *text, cut off.
std::optional<std::pair<std::string, std::string>> TakeParameter(std::string_view* text) {
  std::string_view rest = TrimmedSpace(*text);
  if (rest.empty() || rest.front() != ';') return std::nullopt;
  rest = TrimmedSpace(rest.substr(1));
  std::string name = TakeToken(&rest);
  rest = TrimmedSpace(rest);
  if (name.empty() || rest.empty() || rest.front() != '=') return std::nullopt;
  rest = TrimmedSpace(rest.substr(1));
  std::optional<std::string> value = TakeParameterValue(&rest);
  if (!value) return std::nullopt;
  *text = rest;
  return std::pair(std::move(name), std::move(*value));
}

std::string WhatIsWrongWithType(std::string_view type) {
  if (TakeToken(&type).empty()) return "mime: no media type";
  if (type.empty()) return "";
  if (type.front() != '/') return "mime: expected slash after first token";
  type.remove_prefix(1);
  if (TakeToken(&type).empty()) return "mime: expected token after slash";
  return type.empty() ? "" : "mime: unexpected content after media subtype";
}

}  // namespace

MediaType ParseMediaType(std::string_view text) {
  MediaType out;
  const std::string_view base = TrimmedSpace(text.substr(0, text.find(';')));
  out.why = WhatIsWrongWithType(base);
  if (!out.why.empty()) return out;
  for (const char c : base) out.type += LowerLetter(c);
  text.remove_prefix(std::min(text.find(';'), text.size()));
  std::map<std::string, std::string> parameters;
  while (!TrimmedSpace(text).empty()) {
    std::optional<std::pair<std::string, std::string>> parameter = TakeParameter(&text);
    if (!parameter) {
      if (TrimmedSpace(text) != ";") out.why = "mime: invalid media parameter";
      break;
    }
    const auto& [name, value] = *parameter;
    const auto known = parameters.insert({name, value}).first;
    if (known->second != value) return {"", "mime: duplicate parameter name"};
  }
  return out;
}

}  // namespace relist
