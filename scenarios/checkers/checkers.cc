#include "scenarios/checkers/checkers.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include <string_view>

#include "core/check.h"
#include "scenarios/checkers/expiry_loop.h"
#include "scenarios/checkers/wire_checkers.h"

namespace relist {
namespace {

// What follows {"kind":...,"apiVersion":..., in bytes that start so; the server and its recordings
// write them first.
std::string_view WithoutHead(std::string_view bytes) {
  if (!bytes.starts_with("{\"kind\":\"") && !bytes.starts_with("{\"apiVersion\":\""))
    return bytes.substr(0, 0);
  const size_t metadata = bytes.find("\"metadata\":{");
  const size_t first_brace = bytes.find('{', 1);
  // Nothing nested may stand before the metadata, or this is not the head.
  if (metadata == std::string_view::npos || metadata + 11 != first_brace) return bytes.substr(0, 0);
  return bytes.substr(metadata);
}

}  // namespace

bool SameBody(const ObjectRef& a, const ObjectRef& b) {
  if (!a || !b || a->bytes() == b->bytes()) return true;
  const std::string_view tail_a = WithoutHead(a->bytes());
  const std::string_view tail_b = WithoutHead(b->bytes());
  const auto plain = [](std::string_view tail, const ObjectRef& object) {
    return tail.empty() && !object->bytes().empty() ? std::string_view(object->bytes()).substr(1)
                                                    : tail;
  };
  if (plain(tail_a, a) == plain(tail_b, b)) return true;
  nlohmann::json left = a->json();
  nlohmann::json right = b->json();
  for (const char* key : {"kind", "apiVersion"}) {
    left.erase(key);
    right.erase(key);
  }
  return left == right;
}

const std::vector<Checker>& Checkers() {
  static const std::vector<Checker> kCheckers = {
      {"C1", CheckConvergence},   {"C2", CheckRealStates}, {"C3", CheckKeyOrder},
      {"C4", CheckPositionOrder}, {"C5", CheckDeletes},    {"C6", CheckGrammar},
      {"C7", CheckStreams},       {"C8", CheckResume},     {"C9", CheckExpiry},
      {"C10", CheckBookmarks},    {"C11", CheckSync},      {"C12", CheckFallback},
      {"C15", CheckPoliteness},   {"C16", CheckStalls},    {"C17", CheckSilence},
      {"C18", CheckUnknowns},     {"C19", CheckStops},     {"C20", CheckOwnWrites}};
  return kCheckers;
}

std::vector<std::string> KnownVerdicts() {
  std::vector<std::string> known;
  for (const Checker& checker : Checkers()) known.emplace_back(checker.property);
  for (const WireChecker& checker : WireCheckers()) known.emplace_back(checker.property);
  known.emplace_back(kFaithfulExpiryLoop);
  for (const char* known_loop : {"NET-03", "WCH-05", "WLM-08", "WLM-09"})
    known.push_back(fmt::format("faithful: {}", known_loop));
  return known;
}

std::vector<Violation> CheckAll(const History& history, const CheckOptions& options) {
  const HistoryView view(history);
  std::vector<Violation> all;
  for (const Checker& checker : Checkers()) {
    std::vector<Violation> found = checker.check(view, options);
    for (const Violation& violation : found)
      CHECK(violation.property == checker.property, "the checker of {} says {}", checker.property,
            violation.property);
    all.insert(all.end(), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
  }
  std::vector<Violation> wire = CheckWire(WireOf(view, options.wire));
  all.insert(all.end(), std::make_move_iterator(wire.begin()), std::make_move_iterator(wire.end()));
  return all;
}

}  // namespace relist
