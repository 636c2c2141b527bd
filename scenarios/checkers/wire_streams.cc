// W1 to W5: the events of a stream are those that its scope saw: all, once, in order.
#include <algorithm>

#include "scenarios/checkers/wire_checkers.h"
#include "scenarios/checkers/wire_words.h"

namespace relist {
namespace {

// What is wrong with an event, as the scope saw it; "" if nothing is.
std::string WhatIsForeign(const WireRequest& stream, const StreamShape& shape, size_t index,
                          const ScopedTruth& truth) {
  const WireLine& line = stream.lines[index];
  const ScopedEvent* event = truth.At(line.rv);
  if (!event || event->commit->key != line.key) return "which its scope never saw";
  const bool initial = shape.initial && (index < shape.first_live || !shape.start_known);
  const bool as_added = line.type == EventType::kAdded && event->type != EventType::kDeleted;
  const bool stale = line.rv <= shape.start;  // whatever is wrong with it, W5 and others tell
  if (line.type != event->type && !(as_added && (initial || stale)))
    return fmt::format("which was {} {}", Name(event->type), line.key);
  if (!line.uid.empty() && line.uid != event->commit->uid)
    return fmt::format("as {}, which is {}", line.uid, event->commit->uid);
  if (line.body && stream.ask.plain) {
    const std::optional<uint64_t> body = LineDigest(*event, line.type);
    if (body && *body != *line.body) return "with another body than it had";
  }
  return "";
}

// As a rule nothing is looked for: among initial objects keys rise, and later versions do.
class Repeats {
 public:
  Repeats(const std::vector<WireLine>& lines, size_t first_live)
      : lines_(lines), first_live_(first_live) {}

  // To be called for each event, in order.
  const WireLine* Of(size_t index) {
    const WireLine& line = lines_[index];
    const bool is_new = index < first_live_ ? line.key > last_key_ : line.rv > highest_;
    if (line.key > last_key_) last_key_ = line.key;
    highest_ = std::max(highest_, line.rv);
    return is_new ? nullptr : EarlierCopy(lines_, index);
  }

 private:
  const std::vector<WireLine>& lines_;
  const size_t first_live_;
  std::string_view last_key_;
  uint64_t highest_ = 0;
};

void CheckOrderOf(const WireRequest& stream, const StreamShape& shape,
                  std::vector<Violation>* out) {
  const std::vector<WireLine>& lines = stream.lines;
  const WireLine* before = nullptr;
  for (size_t i = shape.first_live; i < lines.size(); ++i) {
    if (!lines[i].is_event() || lines[i].rv == 0) continue;
    if (shape.start_known && lines[i].rv <= shape.start) continue;  // told by others
    if (before && lines[i].rv <= before->rv) {
      if (EarlierCopy(lines, i)) continue;
      out->push_back(
          WireBroken("W2",
                     fmt::format("versions rise within a stream, but {} sent {} after {}",
                                 TextOf(stream), TextOf(lines[i]), TextOf(*before)),
                     {before->entry, lines[i].entry}));
      return;
    }
    before = &lines[i];
  }
}

// The first event that is due and was not sent, and how many there are.
struct Gap {
  const ScopedEvent* first = nullptr;
  size_t count = 0;
  const WireLine* passed = nullptr;  // the line that went beyond
};

Gap FindGap(const WireView& wire, const WireRequest& stream, const StreamShape& shape) {
  Gap gap;
  if (!shape.start_known || !shape.whole) return gap;
  std::vector<uint64_t> sent;
  for (size_t i = shape.first_live; i < stream.lines.size(); ++i) {
    const WireLine& line = stream.lines[i];
    if (line.type == EventType::kError) continue;
    if (line.is_event()) sent.push_back(line.rv);
    if (!gap.passed || line.rv > gap.passed->rv) gap.passed = &line;
  }
  if (!gap.passed) return gap;
  if (!std::is_sorted(sent.begin(), sent.end())) std::sort(sent.begin(), sent.end());
  const ScopedTruth& truth = wire.TruthOf(stream);
  auto next = sent.begin();
  for (size_t i = truth.After(shape.start); i < truth.events().size(); ++i) {
    const ScopedEvent& event = truth.events()[i];
    const uint64_t rv = event.commit->rv;
    if (rv > gap.passed->rv) break;
    while (next != sent.end() && *next < rv) ++next;
    if (next != sent.end() && *next == rv) continue;
    if (!gap.first) gap.first = &event;
    ++gap.count;
  }
  return gap;
}

void CheckGaps(const WireView& wire, bool slow, const char* property, const char* promise,
               std::vector<Violation>* out) {
  if (!wire.has_truth()) return;
  for (const WireRequest& stream : wire.requests) {
    if (!stream.opened() || stream.lines.empty() || (stream.slow || stream.faults.slow) != slow)
      continue;
    const Gap gap = FindGap(wire, stream, wire.ShapeOf(stream));
    if (!gap.first) continue;
    const TruthCommit& commit = *gap.first->commit;
    const std::string more = gap.count > 1 ? fmt::format(" and {} more", gap.count - 1) : "";
    out->push_back(WireBroken(
        property,
        fmt::format("{}, but {} came to {} without {} {} at {}{}", promise, TextOf(stream),
                    TextOf(*gap.passed), Name(gap.first->type), commit.key, commit.rv, more),
        {stream.request_entry, commit.entry, gap.passed->entry}));
  }
}

}  // namespace

std::vector<Violation> CheckFilter(const WireView& wire) {
  std::vector<Violation> out;
  if (!wire.has_truth()) return out;
  for (const WireRequest& stream : wire.requests) {
    if (!stream.opened() || stream.lines.empty()) continue;
    const StreamShape& shape = wire.ShapeOf(stream);
    const ScopedTruth& truth = wire.TruthOf(stream);
    for (size_t i = 0; i < stream.lines.size(); ++i) {
      const WireLine& line = stream.lines[i];
      if (!line.is_event() || line.rv == 0) continue;
      const std::string why = WhatIsForeign(stream, shape, i, truth);
      if (why.empty()) continue;
      const TruthCommit* commit = wire.truth().CommitAt(line.rv);
      out.push_back(
          WireBroken("W1",
                     fmt::format("a stream tells what its scope saw and nothing else, but {} sent "
                                 "{}, {}",
                                 TextOf(stream), TextOf(line), why),
                     {stream.request_entry, commit ? commit->entry : nullptr, line.entry}));
    }
  }
  return out;
}

std::vector<Violation> CheckOrder(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& stream : wire.requests) {
    if (stream.lines.size() > 1) CheckOrderOf(stream, wire.ShapeOf(stream), &out);
  }
  return out;
}

std::vector<Violation> CheckUnique(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& stream : wire.requests) {
    if (stream.lines.size() < 2 || stream.faults.duplicate) continue;
    Repeats repeats(stream.lines, wire.ShapeOf(stream).first_live);
    for (size_t i = 0; i < stream.lines.size(); ++i) {
      const WireLine& line = stream.lines[i];
      const WireLine* earlier = line.is_event() && line.rv > 0 ? repeats.Of(i) : nullptr;
      if (!earlier) continue;
      out.push_back(
          WireBroken("W3",
                     fmt::format("a version of a key is sent once within a stream, but {} "
                                 "sent {} at {} twice",
                                 TextOf(stream), line.key, line.rv),
                     {earlier->entry, line.entry}));
    }
  }
  return out;
}

std::vector<Violation> CheckReliable(const WireView& wire) {
  std::vector<Violation> out;
  CheckGaps(wire, /*slow=*/false, "W4", "a stream leaves nothing out", &out);
  return out;
}

std::vector<Violation> CheckSlowReader(const WireView& wire) {
  std::vector<Violation> out;
  CheckGaps(wire, /*slow=*/true, "W18", "no event is skipped to keep a reader that is slow", &out);
  return out;
}

std::vector<Violation> CheckExclusiveStart(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& stream : wire.requests) {
    if (!stream.opened() || !stream.ask.StartsExactly()) continue;
    for (const WireLine& line : stream.lines) {
      if (!line.is_event() || line.rv == 0 || line.rv > *stream.ask.rv) continue;
      out.push_back(WireBroken("W5",
                               fmt::format("a watch tells what is beyond its start, but {} started "
                                           "at {} and sent {}",
                                           TextOf(stream), *stream.ask.rv, TextOf(line)),
                               {stream.request_entry, line.entry}));
    }
  }
  return out;
}

}  // namespace relist
