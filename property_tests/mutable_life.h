// A good life whose history can be told with some lines altered, and what the W-checkers say then.
//
//   MutableLife life(/*seed=*/1);
//   const HistoryEntry* line = life.wire().requests[0].answer_entry;
//   life.Blamed({{life.IndexOf(line), {}}});   // {"W17"}: it was dropped
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "scenarios/checkers/history_view.h"
#include "scenarios/lives/life.h"

namespace relist {

// What became of one mutation over all lives.
struct Tally {
  int tried = 0, missed = 0;
  std::string first_miss;
  std::map<std::string, int> told;  // by property
};

using Tallies = std::map<std::string, Tally>;  // by the mutation's name
// "an event is dropped: 9 times, told as W4 8 W18 1".
std::string TextOf(const std::string& name, const Tally& tally);

inline constexpr int kLivesToMutate = 250;
inline constexpr int kMutationsAtLeast = 8;  // that each of them finds a place

class MutableLife {
 public:
  using Changes = std::map<size_t, std::vector<HistoryEntry>>;  // what stands instead of a line

  explicit MutableLife(uint64_t seed);

  const WireView& wire() const { return wire_; }
  size_t IndexOf(const HistoryEntry* entry) const { return index_.at(entry); }
  // The properties that are broken once these lines are altered; each keeps its time.
  std::set<std::string> Blamed(const Changes& changes) const;
  // The same, counted: one of `wanted` should be among them. `where` is for messages.
  void Count(const Changes& changes, const std::set<std::string>& wanted, const std::string& where,
             Tally* tally) const;

 private:
  uint64_t seed_;
  LifeResult life_;
  HistoryView view_;
  WireView wire_;
  std::unordered_map<const HistoryEntry*, size_t> index_;
};

// The same line with these fields; an empty one is taken away.
using Fields = std::map<std::string, std::string>;
HistoryEntry Altered(const HistoryEntry& entry, const Fields& to);
// The version so much later.
std::string Shifted(uint64_t rv, int more);

}  // namespace relist
