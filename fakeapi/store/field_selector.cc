#include <fmt/core.h>

#include <algorithm>

#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/store/selectors.h"

namespace relist::fakeapi {
namespace {

// Splits at commas that no backslash takes the meaning from. Backslashes stay.
std::vector<std::string> SplitFieldTerms(std::string_view text) {
  std::vector<std::string> terms(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      terms.back() += text[i++];
      terms.back() += text[i];
    } else if (text[i] == ',') {
      terms.emplace_back();
    } else {
      terms.back() += text[i];
    }
  }
  return terms;
}

Result<std::string> UnescapeFieldValue(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      const std::string_view sequence = text.substr(i, 2);
      if (sequence != "\\\\" && sequence != "\\," && sequence != "\\=") {
        return BadRequest(
            fmt::format("invalid field selector: invalid escape sequence: {}", sequence));
      }
      out += text[++i];
    } else if (text[i] == ',' || text[i] == '=') {
      return BadRequest(fmt::format("invalid field selector: unescaped character in value: {}",
                                    static_cast<int>(text[i])));
    } else {
      out += text[i];
    }
  }
  return out;
}

bool KnowsField(const ResourceType& resource, const std::string& field) {
  const auto& known = resource.field_selectors;
  return field == "metadata.name" || field == "metadata.namespace" ||
         std::find(known.begin(), known.end(), field) != known.end();
}

Error UnknownField(const ResourceType& resource, const std::string& field) {
  // Kinds with fields of their own have another text than those with the default two.
  if (!resource.field_selectors.empty()) {
    return BadRequest("field label not supported: " + field);
  }
  return BadRequest(
      fmt::format("{} is not a known field selector: only \"metadata.name\", "
                  "\"metadata.namespace\"",
                  GoQuote(field)));
}

std::string_view ValueOf(const StringMap& fields, const std::string& field) {
  const auto found = fields.find(field);
  return found == fields.end() ? std::string_view() : found->second;
}

}  // namespace

Result<FieldSelector> FieldSelector::Parse(const ResourceType& resource, std::string_view text) {
  Result<FieldSelector> selector = ParseText(text);
  if (!selector.ok()) return selector;
  if (Result<void> known = selector->CheckFields(resource); !known.ok()) return known.error();
  return selector;
}

Result<FieldSelector> FieldSelector::ParseText(std::string_view text) {
  FieldSelector selector;
  for (const std::string& part : SplitFieldTerms(text)) {
    if (part.empty()) continue;
    const size_t at = part.find('=');
    if (at == std::string::npos) {
      return BadRequest(fmt::format("invalid selector: '{}'; can't understand '{}'", text, part));
    }
    const bool negated = at > 0 && part[at - 1] == '!';
    const bool doubled = !negated && part.compare(at, 2, "==") == 0;
    Result<std::string> value =
        UnescapeFieldValue(std::string_view(part).substr(at + (doubled ? 2 : 1)));
    if (!value.ok()) return value.error();
    selector.terms_.push_back({part.substr(0, negated ? at - 1 : at), std::move(*value), !negated});
  }
  return selector;
}

Result<void> FieldSelector::CheckFields(const ResourceType& resource) {
  for (Term& term : terms_) {
    if (!KnowsField(resource, term.field)) return UnknownField(resource, term.field);
    // A namespace's old name for its name.
    if (term.field == "name") term.field = "metadata.name";
  }
  return {};
}

bool FieldSelector::Matches(const StringMap& fields) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    return (ValueOf(fields, term.field) == term.value) == term.equal;
  });
}

bool FieldSelector::Matches(const ObjectKey& key, const StringMap& fields) const {
  return std::all_of(terms_.begin(), terms_.end(), [&](const Term& term) {
    const std::string_view have = term.field == "metadata.name" ? key.name
                                  : term.field == "metadata.namespace"
                                      ? key.ns
                                      : ValueOf(fields, term.field);
    return (have == term.value) == term.equal;
  });
}

std::optional<std::string> FieldSelector::Exactly(std::string_view field) const {
  for (const Term& term : terms_) {
    if (term.equal && term.field == field) return term.value;
  }
  return std::nullopt;
}

}  // namespace relist::fakeapi
