// Where the events of a stream begin: at the version that it names, or at that of the objects which
// came first.
#include <algorithm>

#include "scenarios/checkers/wire_words.h"

namespace relist {
namespace {

// The lines that can be initial objects: ADDED, before anything that cannot be one. A line that was
// sent twice counts once; that is for W3.
std::vector<const WireLine*> LeadingObjects(const WireRequest& stream) {
  std::vector<const WireLine*> objects;
  std::string_view highest;
  for (const WireLine& line : stream.lines) {
    if (line.type == EventType::kBookmark && !line.ends_initial) continue;
    if (line.type != EventType::kAdded) break;
    const auto same = [&line](const WireLine* earlier) {
      return earlier->rv == line.rv && earlier->key == line.key;
    };
    // Keys rise, as a rule: nothing need be looked for.
    if (line.key <= highest && std::any_of(objects.rbegin(), objects.rend(), same)) continue;
    objects.push_back(&line);
    highest = std::max(highest, line.key);
  }
  return objects;
}

bool AreTheState(const std::vector<const WireLine*>& objects,
                 const std::vector<const TruthCommit*>& state, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (objects[i]->rv != state[i]->rv || objects[i]->key != state[i]->key) return false;
  }
  return true;
}

size_t FirstThatIsNoObject(const WireRequest& stream) {
  size_t i = 0;
  while (i < stream.lines.size() &&
         (stream.lines[i].type == EventType::kAdded || !stream.lines[i].is_event())) {
    ++i;
  }
  return i;
}

class ShapeFinder {
 public:
  ShapeFinder(const WireView& view, const WireRequest& stream)
      : truth_(view.TruthOf(stream)),
        stream_(stream),
        objects_(LeadingObjects(stream)),
        more_(std::any_of(
            stream.lines.begin() + static_cast<std::ptrdiff_t>(FirstThatIsNoObject(stream)),
            stream.lines.end(), [](const WireLine& line) { return line.is_event(); })),
        bound_(stream.OldestInitial()) {}

  // States at and before the opening, the newest first, then those after it.
  bool Find(StreamShape* shape) const {
    const size_t here = truth_.After(stream_.newest_then);
    for (size_t i = here + 1; i-- > 0;) {
      if (Fits(i, shape)) return true;
    }
    const uint64_t last_order = objects_.empty() ? 0 : objects_.back()->order;
    for (size_t i = here + 1; i <= truth_.events().size(); ++i) {
      // What was not written yet was not sent.
      if (last_order > 0 && truth_.events()[i - 1].commit->order > last_order) break;
      if (Fits(i, shape)) return true;
    }
    return false;
  }

 private:
  // Whether it begins with the state after the scope's first `count` events.
  bool Fits(size_t count, StreamShape* shape) const {
    const auto& events = truth_.events();
    const uint64_t low = count == 0 ? 0 : events[count - 1].commit->rv;
    const uint64_t high = count == events.size() ? UINT64_MAX : events[count].commit->rv - 1;
    const uint64_t version = std::clamp(bound_, low, high);
    const std::vector<const TruthCommit*> state = truth_.StateAt(version);
    if (objects_.size() < state.size() && more_) return false;
    const size_t common = std::min(state.size(), objects_.size());
    if (!AreTheState(objects_, state, common)) return false;
    StreamShape found = *shape;
    found.start = version;
    found.whole = objects_.size() >= state.size();
    found.first_live = stream_.lines.size();
    if (found.whole) {
      const WireLine* last = state.empty() ? nullptr : objects_[state.size() - 1];
      found.first_live = last ? static_cast<size_t>(last - stream_.lines.data()) + 1 : 0;
      if (!GoesOn(found)) return false;
    }
    *shape = found;
    return true;
  }

  // What follows is later. A state that is older than it may be was sent only if all that followed
  // it came, too: nearly everything follows the empty one.
  bool GoesOn(const StreamShape& shape) const {
    const auto& events = truth_.events();
    size_t next = truth_.After(shape.start);
    for (size_t i = shape.first_live; i < stream_.lines.size(); ++i) {
      const WireLine& line = stream_.lines[i];
      if (!line.is_event() || (line.rv > shape.start && shape.start >= bound_)) continue;
      if (EarlierCopy(stream_.lines, i)) continue;
      if (line.rv <= shape.start) return false;
      if (next == events.size() || events[next].commit->rv != line.rv) return false;
      ++next;
    }
    return true;
  }

  const ScopedTruth& truth_;
  const WireRequest& stream_;
  const std::vector<const WireLine*> objects_;
  const bool more_;
  const uint64_t bound_;
};

}  // namespace

StreamShape ReckonShape(const WireView& view, const WireRequest& stream) {
  StreamShape shape;
  shape.initial = stream.ask.WantsInitial();
  const auto is_end = [](const WireLine& line) { return line.ends_initial; };
  if (!shape.initial) {
    shape.start = stream.ask.rv.value_or(0);
    if (shape.start > 0) return shape;
    // From now: what was written after it was opened is due, and what comes is due from there on.
    const auto first = std::find_if(stream.lines.begin(), stream.lines.end(),
                                    [](const WireLine& line) { return line.is_event(); });
    shape.start = stream.newest_then;
    if (first != stream.lines.end() && first->rv > 0)
      shape.start = std::min(shape.start, first->rv - 1);
    return shape;
  }
  const auto end = std::find_if(stream.lines.begin(), stream.lines.end(), is_end);
  if (end != stream.lines.end()) {
    shape.ended = true;
    shape.start = end->rv;
    shape.first_live = static_cast<size_t>(end - stream.lines.begin()) + 1;
    if (!view.has_truth()) return shape;
    const auto state = view.TruthOf(stream).StateAt(end->rv);
    const auto objects = LeadingObjects(stream);
    const bool only_objects = std::none_of(stream.lines.begin(), end, [](const WireLine& line) {
      return line.is_event() && line.type != EventType::kAdded;
    });
    shape.start_known =
        only_objects && objects.size() == state.size() && AreTheState(objects, state, state.size());
    return shape;
  }
  if (view.has_truth() && ShapeFinder(view, stream).Find(&shape)) return shape;
  shape.start_known = false;
  shape.first_live = FirstThatIsNoObject(stream);
  return shape;
}

}  // namespace relist
