// Which objects somebody wants, by their labels: parsed once, with the real server's error texts,
// then matched against many.
//
//   Result<LabelSelector> selector = LabelSelector::Parse("app in (odd,none),tier!=db");
//   selector->Matches({{"app", "odd"}});                       // true: no tier is not tier db
//   LabelSelector web = LabelSelector::FromSet({{"app", "web"}});
//
// The server's side and the informer's listers have the same one (client-go: labels.Selector).
// Errors are 400 BadRequest (recordings: chapter list). Values: copy freely.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace relist {

// Labels, annotations, fields: text by name, in order.
using StringMap = std::map<std::string, std::string>;

class LabelSelector {
 public:
  // Everything, as Parse("") gives.
  LabelSelector() = default;
  // "" selects everything. Keys and values are validated as the real server does.
  static Result<LabelSelector> Parse(std::string_view text);
  static LabelSelector Everything() { return {}; }
  static LabelSelector Nothing();
  // Whoever has all of these; an empty set is everything. Nothing is validated (client-go:
  // SelectorFromSet).
  static LabelSelector FromSet(const StringMap& labels);

  bool Matches(const StringMap& labels) const;
  // Selects whatever there is: no labels need to be looked at.
  bool everything() const { return requirements_.empty() && !nothing_; }
  // Selects nothing ever: no objects need to be looked at.
  bool nothing() const { return nothing_; }

 private:
  friend class LabelSelectorParser;
  enum class Operator { kIn, kNotIn, kExists, kNotExists, kGreater, kLess };
  struct Requirement {
    std::string key;
    Operator op = Operator::kExists;
    std::vector<std::string> values;
    bool Matches(const StringMap& labels) const;
  };
  std::vector<Requirement> requirements_;
  bool nothing_ = false;
};

}  // namespace relist
