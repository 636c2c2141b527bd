// W8 and W9: the objects that a stream begins with are the state at one version.
#include <algorithm>
#include <string_view>

#include "scenarios/checkers/wire_checkers.h"
#include "scenarios/checkers/wire_words.h"

namespace relist {
namespace {

class InitialJudge {
 public:
  InitialJudge(const WireView& wire, const WireRequest& stream, const char* property,
               std::vector<Violation>* out)
      : wire_(wire),
        stream_(stream),
        shape_(wire.ShapeOf(stream)),
        property_(property),
        out_(out) {}

  // The first rule that is broken is told; what follows from it is not.
  void Run() {
    if (!shape_.initial) return NoInitial();
    CheckEnds();
    if (told_) return;
    if (!shape_.start_known) return NoState();
    CheckAge();
    if (!told_) CheckRest();
  }

 private:
  bool EndIsDue() const {
    return stream_.ask.bookmarks && stream_.ask.send_initial_events.value_or(false);
  }

  // A stream that was to have none.
  void NoInitial() {
    const bool from_now = stream_.ask.rv == 0 && stream_.ask.rv_text.empty();
    for (const WireLine& line : stream_.lines) {
      const bool is_old = line.is_event() && line.rv <= stream_.newest_before;
      if (line.ends_initial || (from_now && is_old && !wire_.lag_possible))
        return Tell("no initial events were asked for", "was sent " + TextOf(line), line);
    }
  }

  void CheckEnds() {
    const WireLine* end = nullptr;
    uint64_t highest = 0;
    for (const WireLine& line : stream_.lines) {
      if (line.is_event() && !end) {
        highest = std::max(highest, line.rv);
        if (line.type != EventType::kAdded && EndIsDue())
          return Tell("initial events come first, and a bookmark ends them",
                      "was sent " + TextOf(line) + " before that", line);
      }
      if (!line.ends_initial) continue;
      if (end) return Tell("initial events end once", "was told so twice", line);
      if (line.rv < highest)
        return Tell("the bookmark that ends initial events is not below them",
                    fmt::format("was sent one at {} after {}", line.rv, highest), line);
      end = &line;
    }
  }

  void NoState() {
    if (!wire_.has_truth()) return;
    constexpr char kPromise[] =
        "initial events are all objects of one version, in the order of their keys";
    if (shape_.ended)
      return Tell(kPromise,
                  fmt::format("was not sent those of {}{}", shape_.start, FirstDifference()),
                  stream_.lines[shape_.first_live - 1]);
    const auto first = std::find_if(stream_.lines.begin(), stream_.lines.end(),
                                    [](const WireLine& line) { return line.is_event(); });
    if (first != stream_.lines.end()) Tell(kPromise, "was sent those of none", *first);
  }

  std::string FirstDifference() const {
    const auto state = wire_.TruthOf(stream_).StateAt(shape_.start);
    size_t i = 0;
    for (const WireLine& line : stream_.lines) {
      if (line.ends_initial) break;
      if (!line.is_event()) continue;
      if (i >= state.size()) return fmt::format(": {} is too much", TextOf(line));
      if (state[i]->rv != line.rv || state[i]->key != line.key) {
        return fmt::format(": {} stands where {} at {} should", TextOf(line), state[i]->key,
                           state[i]->rv);
      }
      ++i;
    }
    return i < state.size() ? fmt::format(": {} at {} lacks", state[i]->key, state[i]->rv) : "";
  }

  void CheckAge() {
    const auto said = std::find_if(stream_.lines.begin(), stream_.lines.end(),
                                   [](const WireLine& line) { return line.rv > 0; });
    if (!wire_.has_truth() && !shape_.ended) return;
    if (said == stream_.lines.end() || shape_.start >= stream_.OldestInitial()) return;
    Tell("initial events are not older than what was asked for",
         fmt::format("was sent those of {}, and {} was asked for", shape_.start,
                     stream_.OldestInitial()),
         *said);
  }

  void CheckRest() {
    for (size_t i = shape_.first_live; i < stream_.lines.size(); ++i) {
      const WireLine& line = stream_.lines[i];
      if (!line.is_event() || line.rv == 0 || shape_.ended) continue;
      if (EndIsDue())
        return Tell("a bookmark ends initial events", "was sent " + TextOf(line) + " without one",
                    line);
      if (line.rv <= shape_.start && !EarlierCopy(stream_.lines, i))
        return Tell("after the initial events come later ones",
                    fmt::format("began at {} and was then sent {}", shape_.start, TextOf(line)),
                    line);
    }
  }

  void Tell(std::string_view promise, const std::string& what, const WireLine& line) {
    told_ = true;
    out_->push_back(WireBroken(property_,
                               fmt::format("{}, but {} {}", promise, TextOf(stream_), what),
                               {stream_.request_entry, line.entry}));
  }

  const WireView& wire_;
  const WireRequest& stream_;
  const StreamShape& shape_;
  const char* property_;
  std::vector<Violation>* out_;
  bool told_ = false;
};

// sendInitialEvents in a place, or in a company, where it is refused.
void CheckRefusal(const WireRequest& request, std::vector<Violation>* out) {
  if (!request.ask.send_initial_events.value_or(false)) return;
  const bool on_list = request.Is(WireAsk::Kind::kList) && request.status == 200;
  const bool alone = request.opened() && request.ask.match != "NotOlderThan";
  if ((!on_list && !alone) || request.faults.answer) return;
  out->push_back(
      WireBroken("W9",
                 fmt::format("sendInitialEvents is refused {}, but {} was answered 200",
                             on_list ? "on a list" : "without resourceVersionMatch=NotOlderThan",
                             TextOf(request)),
                 {request.request_entry, request.answer_entry}));
}

}  // namespace

std::vector<Violation> CheckSyntheticStart(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& stream : wire.requests) {
    if (!stream.lines.empty() && !stream.ask.send_initial_events)
      InitialJudge(wire, stream, "W8", &out).Run();
  }
  return out;
}

std::vector<Violation> CheckStreamingList(const WireView& wire) {
  std::vector<Violation> out;
  for (const WireRequest& request : wire.requests) {
    CheckRefusal(request, &out);
    if (!request.lines.empty() && request.ask.send_initial_events)
      InitialJudge(wire, request, "W9", &out).Run();
  }
  return out;
}

}  // namespace relist
