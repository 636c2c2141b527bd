#include "property_tests/tapes.h"

#include <fmt/core.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "scenarios/life.h"

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

}  // namespace

rc::Gen<Tape> AnyTape() {
  return rc::gen::apply(
      [](std::vector<uint8_t> schedule, std::vector<uint8_t> latency, std::vector<uint8_t> faults,
         std::vector<uint8_t> workload) {
        Tape tape;
        tape.schedule = std::move(schedule);
        tape.latency = std::move(latency);
        tape.faults = std::move(faults);
        tape.workload = std::move(workload);
        return tape;
      },
      Bytes(kShortStream), Bytes(kLongStream), Bytes(kShortStream), Bytes(kShortStream));
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

void showValue(const Tape& tape, std::ostream& out) { out << tape.ToText(); }

void ExpectGood(const Tape& tape) {
  const LifeResult life = RunLife(tape);
  if (life.violations.empty()) return;
  // Only the last, smallest one is worth a file; RapidCheck does not say which that is, so the text
  // carries the tape.
  RC_FAIL(fmt::format("{}\nThe tape; save it, and see it again with: relist replay FILE\n{}",
                      ReportOf(life, ""), tape.ToText()));
}

int LivesToRun(int standard) {
  const char* wanted = std::getenv("RELIST_LIVES");
  const int lives = wanted ? std::atoi(wanted) : 0;
  return lives > 0 ? lives : standard;
}

}  // namespace relist
