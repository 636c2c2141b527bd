#include "scenarios/checkers/checkers.h"

#include <nlohmann/json.hpp>

#include <string_view>

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

std::vector<Violation> CheckAll(const History& history, const CheckOptions& options) {
  const HistoryView view(history);
  std::vector<Violation> all;
  for (const auto check :
       {CheckConvergence, CheckRealStates, CheckKeyOrder, CheckPositionOrder, CheckDeletes,
        CheckGrammar, CheckStreams, CheckResume, CheckExpiry, CheckBookmarks, CheckSync}) {
    std::vector<Violation> found = check(view, options);
    all.insert(all.end(), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
  }
  return all;
}

}  // namespace relist
