#include "property_tests/tapes.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

namespace relist {
namespace {

// A life asks for about so many bytes of each.
constexpr double kLongStream = 6;
constexpr double kShortStream = 3;

rc::Gen<std::vector<uint8_t>> Bytes(double length) {
  // Whole bytes at any size: a small number is the boring end of every choice.
  const auto byte = rc::gen::resize(100, rc::gen::arbitrary<uint8_t>());
  return rc::gen::scale(length, rc::gen::container<std::vector<uint8_t>>(byte));
}

constexpr size_t kSecondLook = 16;

// Which bytes of a tape are tried next. Each step starts where the last one that helped stood, not
// at the beginning: a life costs a millisecond, and RapidCheck's own shrinking of four containers
// tens of thousands of them.
struct Shrinking {
  Tape tape;
  size_t stream = 0;
  size_t chunk = 0;  // bytes that are made boring together; 0: one byte is halved
  size_t at = 0;
  int rounds_left = 3;  // what one byte needed may be free once another one went
};

std::vector<uint8_t>& StreamOf(Tape* tape, size_t which) {
  std::vector<uint8_t>* const streams[] = {&tape->faults, &tape->latency, &tape->schedule,
                                           &tape->workload};
  return *streams[which];
}

// Past its end a tape reads as zeros: those at its end need not be there.
void Trim(std::vector<uint8_t>* bytes) {
  while (!bytes->empty() && bytes->back() == 0) bytes->pop_back();
}

// The place after `state`: on along the stream, then the next stream, then smaller chunks. False at
// the end of it all.
bool Advance(Shrinking* state) {
  state->at += state->chunk == 0 ? 1 : state->chunk;
  if (state->at < StreamOf(&state->tape, state->stream).size()) return true;
  state->at = 0;
  if (++state->stream < 4) return true;
  state->stream = 0;
  if (state->chunk == 0) {
    state->chunk = kSecondLook;
    return state->rounds_left-- > 0;
  }
  state->chunk /= 2;
  return true;
}

// `state` with the bytes at its place made smaller; false if there is nothing to make smaller.
bool Lessen(Shrinking* state) {
  std::vector<uint8_t>& bytes = StreamOf(&state->tape, state->stream);
  bool changed = false;
  const size_t end = std::min(bytes.size(), state->at + std::max<size_t>(state->chunk, 1));
  for (size_t i = state->at; i < end; ++i) {
    const uint8_t less = state->chunk == 0 ? bytes[i] / 2 : 0;
    changed = changed || bytes[i] != less;
    bytes[i] = less;
  }
  Trim(&bytes);
  return changed;
}

// All smaller tapes from a place on, one at a time.
class Shrinks {
 public:
  explicit Shrinks(Shrinking place) : place_(std::move(place)) {}
  rc::Maybe<Shrinking> operator()() {
    while (!over_) {
      Shrinking smaller = place_;
      const bool lessened = Lessen(&smaller);
      over_ = !Advance(&place_);
      if (lessened) return smaller;
    }
    return rc::Nothing;
  }

 private:
  Shrinking place_;
  bool over_ = false;
};

rc::Seq<Shrinking> ShrinksOf(const Shrinking& from) {
  return rc::makeSeq<Shrinks>(from);
}

Tape AnyBytes(const rc::Random& random, int size) {
  const auto streams = rc::gen::tuple(Bytes(kShortStream), Bytes(kLongStream), Bytes(kShortStream),
                                      Bytes(kShortStream))(random, size)
                           .value();
  Tape tape;
  tape.schedule = std::get<0>(streams);
  tape.latency = std::get<1>(streams);
  tape.faults = std::get<2>(streams);
  tape.workload = std::get<3>(streams);
  return tape;
}

}  // namespace

rc::Gen<Tape> AnyTape() {
  return rc::Gen<Tape>([](const rc::Random& random, int size) {
    Shrinking state;
    state.tape = AnyBytes(random, size);
    size_t longest = 1;
    for (size_t i = 0; i < 4; ++i) longest = std::max(longest, StreamOf(&state.tape, i).size());
    state.chunk = std::bit_ceil(longest);
    // Not the function itself: clang finds no const call of it in RapidCheck's sequence.
    const auto shrinks = [](const Shrinking& shrunk) { return ShrinksOf(shrunk); };
    return rc::shrinkable::map(rc::shrinkable::shrinkRecur(std::move(state), shrinks),
                               [](const Shrinking& shrunk) { return shrunk.tape; });
  });
}

std::string SaveTape(const Tape& tape) {
  const std::string text = tape.ToText();
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("relist-{:016x}.tape", hash);
  std::ofstream(path) << text;
  return path.string();
}

void showValue(const Tape& tape, std::ostream& out) {
  out << tape.ToText();
}

std::string SearchLives(const rc::detail::TestParams& params, const std::string& planted_bug,
                        const std::function<bool(const LifeResult& life)>& each) {
  // Shrinking goes on from bad lives only: the last bad one is the smallest.
  Tape smallest;
  std::string report;
  bool enough = false;
  const auto property = [&] {
    Tape tape = *AnyTape();
    tape.planted_bug = planted_bug;
    if (enough) return;
    const LifeResult life = RunLife(tape);
    enough = !each(life);
    if (life.violations.empty()) return;
    smallest = tape;
    report = ReportOf(life, "");
    RC_FAIL("a property broke");
  };
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  rc::detail::SuccessResult success;
  if (result.match(success)) return "";
  std::ostringstream told;
  rc::detail::printResultMessage(result, told);
  if (report.empty()) return told.str();
  return fmt::format(
      "{}\nThe smallest life, shrunk from what chance gave (seed {}):\n{}see it again: "
      "relist replay {}\n",
      report, params.seed, smallest.ToText(), SaveTape(smallest));
}

int LivesToRun(int standard) {
  const char* wanted = std::getenv("RELIST_LIVES");
  const int lives = wanted ? std::atoi(wanted) : 0;
  return lives > 0 ? lives : standard;
}

}  // namespace relist
