#include "scenarios/report/folding.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace relist::report {
namespace {

constexpr size_t kLongestCycle = 4;  // in blocks
constexpr size_t kRounds = 5;  // that are folded; of them the first two and the last are shown
constexpr size_t kRoundsBefore = 2, kRoundsAfter = 1;

// Rows, or rows that are folded already; equal kinds may be rounds of one cycle.
struct FoldPart {
  LaneBlock block;
  std::string kind;  // what happened, without its numbers
  bool lit = false;
};

bool IsQuiet(const LaneRow& row) {
  if (row.across) return false;
  return std::all_of(row.entries.begin(), row.entries.end(), [](const LaneEntry& entry) {
    return entry.lines.empty() || entry.tone == LaneEntry::Tone::kBookmark ||
           entry.lines[0]->what() == "position";
  });
}

size_t BookmarksIn(const LaneRow& row) {
  return static_cast<size_t>(std::count_if(
      row.entries.begin(), row.entries.end(),
      [](const LaneEntry& entry) { return entry.tone == LaneEntry::Tone::kBookmark; }));
}

bool HoldsLit(const LaneRow& row, const IsLit& is_lit) {
  for (const LaneEntry& entry : row.entries) {
    for (const HistoryEntry* line : entry.lines) {
      if (is_lit(*line)) return true;
    }
  }
  return false;
}

std::string KindOf(const LaneRow& row) {
  std::string kind = row.across ? "=" : "";
  for (const LaneEntry& entry : row.entries) {
    kind += static_cast<char>('0' + static_cast<int>(entry.lane));
    for (const char c : entry.text) {
      if (!std::isdigit(static_cast<unsigned char>(c))) kind += c;
    }
    kind += '\n';
  }
  return kind;
}

std::string QuietText(const std::vector<LaneRow>& rows, size_t begin, size_t end) {
  size_t bookmarks = 0;
  for (size_t i = begin; i < end; ++i) bookmarks += BookmarksIn(rows[i]);
  const Duration length = rows[end - 1].when - rows[begin].when;
  return fmt::format("{} of quiet: {} bookmark{}, and nothing else", RoughLength(length), bookmarks,
                     bookmarks == 1 ? "" : "s");
}

std::vector<FoldPart> FoldQuiet(const std::vector<LaneRow>& rows, const IsLit& is_lit) {
  std::vector<FoldPart> parts;
  for (size_t i = 0; i < rows.size();) {
    size_t end = i;
    while (end < rows.size() && IsQuiet(rows[end]) && !HoldsLit(rows[end], is_lit)) ++end;
    if (end - i >= 2) {
      parts.push_back({{i, end, QuietText(rows, i, end)}, "quiet", false});
      i = end;
    } else {
      parts.push_back({{i, i + 1, ""}, KindOf(rows[i]), HoldsLit(rows[i], is_lit)});
      ++i;
    }
  }
  return parts;
}

// How often the `length` parts at `at` come, one after another.
size_t RoundsAt(const std::vector<FoldPart>& parts, size_t at, size_t length) {
  size_t same = 0;  // parts that equal the one a cycle before them
  for (size_t i = at; i < parts.size() && !parts[i].lit; ++i) {
    if (i < at + length) continue;
    if (parts[i].kind != parts[i - length].kind) break;
    ++same;
  }
  return 1 + same / length;
}

std::vector<FoldPart> FoldRounds(const std::vector<LaneRow>& rows, std::vector<FoldPart> parts) {
  std::vector<FoldPart> out;
  for (size_t i = 0; i < parts.size();) {
    size_t length = 1, rounds = RoundsAt(parts, i, 1);
    while (rounds < kRounds && length < kLongestCycle) rounds = RoundsAt(parts, i, ++length);
    if (rounds < kRounds) {
      out.push_back(std::move(parts[i++]));
      continue;
    }
    const size_t begin = i + kRoundsBefore * length;
    const size_t end = i + (rounds - kRoundsAfter) * length;
    for (; i < begin; ++i) out.push_back(std::move(parts[i]));
    const size_t first = parts[begin].block.begin, last = parts[end - 1].block.end;
    out.push_back(
        {{first, last,
          fmt::format("{} times more the same, in {}", rounds - kRoundsBefore - kRoundsAfter,
                      RoughLength(rows[last - 1].when - rows[first].when))},
         "rounds",
         false});
    for (i = end; i < end + kRoundsAfter * length; ++i) out.push_back(std::move(parts[i]));
  }
  return out;
}

// What lies between the first and the last of too many is folded, but for what is lit.
std::vector<LaneBlock> FoldMiddle(const std::vector<FoldPart>& parts, size_t most) {
  std::vector<LaneBlock> blocks;
  const bool too_many = parts.size() > most;
  const size_t head = too_many ? most - most / 4 : parts.size();
  const size_t tail = too_many ? parts.size() - most / 4 : parts.size();
  for (size_t i = 0; i < parts.size(); ++i) {
    const LaneBlock& block = parts[i].block;
    if (i < head || i >= tail || parts[i].lit) {
      blocks.push_back(block);
      continue;
    }
    if (i == head || parts[i - 1].lit) blocks.push_back({block.begin, block.begin, ""});
    blocks.back().end = block.end;
    blocks.back().folded =
        fmt::format("{} rows more: too many to show", blocks.back().end - blocks.back().begin);
  }
  return blocks;
}

}  // namespace

std::vector<LaneBlock> Fold(const std::vector<LaneRow>& rows, const IsLit& is_lit, size_t most) {
  return FoldMiddle(FoldRounds(rows, FoldQuiet(rows, is_lit)), most);
}

std::string RoughLength(Duration length) {
  const int64_t seconds = length / Seconds(1);
  if (seconds >= 3600) return fmt::format("{} h {} min", seconds / 3600, seconds % 3600 / 60);
  if (seconds >= 60) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  const int64_t millis = length / Millis(1);
  return fmt::format("{:.3g} s", static_cast<double>(millis) / 1000);
}

}  // namespace relist::report
