#include "core/wire/label_selector.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "core/wire/names.h"
#include "core/wire/quote.h"

namespace relist {
namespace {

enum class Token {
  kEnd,
  kIdentifier,
  kOpen,
  kClose,
  kComma,
  kNot,
  kEquals,
  kDoubleEquals,
  kNotEquals,
  kGreater,
  kLess,
  kIn,
  kNotIn,
  kError
};

struct LexedToken {
  Token token = Token::kEnd;
  std::string text;
};

bool IsSelectorSpace(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool IsSelectorSymbol(char c) {
  return std::string_view("=!(),><").find(c) != std::string_view::npos;
}

Token SymbolToken(std::string_view text) {
  if (text == "=") return Token::kEquals;
  if (text == "==") return Token::kDoubleEquals;
  if (text == "!=") return Token::kNotEquals;
  if (text == "!") return Token::kNot;
  if (text == "(") return Token::kOpen;
  if (text == ")") return Token::kClose;
  if (text == ",") return Token::kComma;
  if (text == ">") return Token::kGreater;
  if (text == "<") return Token::kLess;
  return Token::kError;
}

std::vector<LexedToken> LexSelector(std::string_view text) {
  std::vector<LexedToken> tokens;
  size_t at = 0;
  while (at < text.size()) {
    if (IsSelectorSpace(text[at])) {
      ++at;
    } else if (IsSelectorSymbol(text[at])) {
      const size_t length = SymbolToken(text.substr(at, 2)) != Token::kError ? 2 : 1;
      const std::string_view symbol = text.substr(at, std::min(length, text.size() - at));
      tokens.push_back({SymbolToken(symbol), std::string(symbol)});
      at += symbol.size();
    } else {
      const size_t start = at;
      while (at < text.size() && !IsSelectorSpace(text[at]) && !IsSelectorSymbol(text[at])) ++at;
      const std::string word(text.substr(start, at - start));
      const Token token = word == "in"      ? Token::kIn
                          : word == "notin" ? Token::kNotIn
                                            : Token::kIdentifier;
      tokens.push_back({token, word});
    }
  }
  tokens.push_back({Token::kEnd, ""});
  return tokens;
}

Error BadSelector(std::string message) {
  return Error::Api(400, "BadRequest", std::move(message));
}

std::string Joined(const NameErrors& errors) {
  std::string text;
  for (const std::string& error : errors) text += (text.empty() ? "" : "; ") + error;
  return text;
}

std::optional<int64_t> SelectorInteger(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace

// Recursive descent over the grammar of the real server's labels.Parse; texts are its own.
class LabelSelectorParser {
 public:
  explicit LabelSelectorParser(std::string_view text) : tokens_(LexSelector(text)) {}

  Result<LabelSelector> Parse() {
    LabelSelector selector;
    while (true) {
      const LexedToken first = Peek();
      if (first.token == Token::kEnd) return selector;
      if (first.token != Token::kIdentifier && first.token != Token::kNot) {
        return Fail("found '{}', expected: !, identifier, or 'end of string'", first.text);
      }
      Result<LabelSelector::Requirement> requirement = ParseRequirement();
      if (!requirement.ok()) {
        return BadSelector("unable to parse requirement: " + requirement.error().message());
      }
      selector.requirements_.push_back(std::move(*requirement));
      const LexedToken after = Take();
      if (after.token == Token::kEnd) return selector;
      if (after.token != Token::kComma) {
        return Fail("found '{}', expected: ',' or 'end of string'", after.text);
      }
      const LexedToken next = Peek();
      if (next.token != Token::kIdentifier && next.token != Token::kNot) {
        return Fail("found '{}', expected: identifier after ','", next.text);
      }
    }
  }

 private:
  using Requirement = LabelSelector::Requirement;
  using Operator = LabelSelector::Operator;

  static Error Fail(fmt::format_string<const std::string&> text, const std::string& found) {
    return BadSelector(fmt::format(text, found));
  }

  // "in" and "notin" are words like others wherever no operator is expected.
  static LexedToken AsValue(LexedToken token) {
    if (token.token == Token::kIn || token.token == Token::kNotIn) token.token = Token::kIdentifier;
    return token;
  }
  LexedToken Peek() const { return AsValue(tokens_[at_]); }
  LexedToken Take() { return AsValue(TakeOperator()); }
  LexedToken TakeOperator() {
    const LexedToken token = tokens_[at_];
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }

  Result<Requirement> ParseRequirement() {
    Requirement requirement;
    LexedToken key = Take();
    const bool negated = key.token == Token::kNot;
    if (negated) key = Take();
    if (key.token != Token::kIdentifier) {
      return Fail("found '{}', expected: identifier", key.text);
    }
    if (const NameErrors errors = QualifiedNameErrors(key.text); !errors.empty()) {
      return BadSelector(fmt::format("<nil>: Invalid value: {}: {}",
                                     QuoteText(key.text, HexCase::kLower), Joined(errors)));
    }
    requirement.key = key.text;
    requirement.op = negated ? Operator::kNotExists : Operator::kExists;
    const Token next = Peek().token;
    if (negated || next == Token::kEnd || next == Token::kComma) return requirement;
    if (Result<void> done = ParseComparison(&requirement); !done.ok()) return done.error();
    if (Result<void> valid = Validate(requirement); !valid.ok()) return valid.error();
    return requirement;
  }

  Result<void> ParseComparison(Requirement* requirement) {
    const LexedToken op = TakeOperator();
    switch (op.token) {
      case Token::kIn:
        requirement->op = Operator::kIn;
        return ParseSet(requirement);
      case Token::kNotIn:
        requirement->op = Operator::kNotIn;
        return ParseSet(requirement);
      case Token::kEquals:
      case Token::kDoubleEquals:
        requirement->op = Operator::kIn;
        break;
      case Token::kNotEquals:
        requirement->op = Operator::kNotIn;
        break;
      case Token::kGreater:
        requirement->op = Operator::kGreater;
        break;
      case Token::kLess:
        requirement->op = Operator::kLess;
        break;
      default:
        return Fail("found '{}', expected: in, notin, =, ==, !=, gt, lt", op.text);
    }
    const Token next = Peek().token;
    if (next == Token::kEnd || next == Token::kComma) {
      requirement->values = {""};
      return {};
    }
    const LexedToken value = Take();
    if (value.token != Token::kIdentifier) {
      return Fail("found '{}', expected: identifier", value.text);
    }
    requirement->values = {value.text};
    return {};
  }

  // "(a,b)"; an empty place between commas is the empty value.
  Result<void> ParseSet(Requirement* requirement) {
    if (const LexedToken open = Take(); open.token != Token::kOpen) {
      return Fail("found '{}' expected: '('", open.text);
    }
    std::set<std::string> values;
    bool value_expected = true;
    while (true) {
      const LexedToken token = Take();
      if (token.token == Token::kIdentifier && value_expected) {
        values.insert(token.text);
        value_expected = false;
      } else if (token.token == Token::kComma) {
        if (value_expected) values.insert("");
        value_expected = true;
      } else if (token.token == Token::kClose) {
        if (value_expected) values.insert("");
        requirement->values.assign(values.begin(), values.end());
        return {};
      } else if (!value_expected) {
        return Fail("found '{}', expected: ',' or ')'", token.text);
      } else if (values.empty()) {
        return Fail("found '{}', expected: ',', ')' or identifier", token.text);
      } else {
        return Fail("found '{}', expected: ',', or identifier", token.text);
      }
    }
  }

  static Result<void> Validate(const Requirement& requirement) {
    const bool number = requirement.op == Operator::kGreater || requirement.op == Operator::kLess;
    for (size_t i = 0; i < requirement.values.size(); ++i) {
      const std::string& value = requirement.values[i];
      if (number && !SelectorInteger(value)) {
        return BadSelector(
            fmt::format("values[{}]: Invalid value: {}: for 'Gt', 'Lt' operators, "
                        "the value must be an integer",
                        i, QuoteText(value, HexCase::kLower)));
      }
      if (const NameErrors errors = LabelValueErrors(value); !errors.empty()) {
        return BadSelector(fmt::format("values[{}][{}]: Invalid value: {}: {}", i, requirement.key,
                                       QuoteText(value, HexCase::kLower), Joined(errors)));
      }
    }
    return {};
  }

  std::vector<LexedToken> tokens_;
  size_t at_ = 0;
};

Result<LabelSelector> LabelSelector::Parse(std::string_view text) {
  return LabelSelectorParser(text).Parse();
}

bool LabelSelector::Requirement::Matches(const StringMap& labels) const {
  const auto found = labels.find(key);
  const bool present = found != labels.end();
  switch (op) {
    case Operator::kExists:
      return present;
    case Operator::kNotExists:
      return !present;
    case Operator::kIn:
      return present && std::binary_search(values.begin(), values.end(), found->second);
    case Operator::kNotIn:
      return !present || !std::binary_search(values.begin(), values.end(), found->second);
    case Operator::kGreater:
    case Operator::kLess: {
      if (!present) return false;
      const std::optional<int64_t> have = SelectorInteger(found->second);
      if (!have) return false;
      const int64_t want = *SelectorInteger(values.front());
      return op == Operator::kGreater ? *have > want : *have < want;
    }
  }
  return false;
}

LabelSelector LabelSelector::Nothing() {
  LabelSelector selector;
  selector.nothing_ = true;
  return selector;
}

LabelSelector LabelSelector::FromSet(const StringMap& labels) {
  LabelSelector selector;
  for (const auto& [key, value] : labels) {
    selector.requirements_.push_back({key, Operator::kIn, {value}});
  }
  return selector;
}

bool LabelSelector::Matches(const StringMap& labels) const {
  if (nothing_) return false;
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&](const Requirement& r) { return r.Matches(labels); });
}

}  // namespace relist
