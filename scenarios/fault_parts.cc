#include "scenarios/fault_parts.h"

#include <fmt/core.h>

#include <cctype>
#include <optional>

#include "scenarios/nth_range.h"
#include "scenarios/scenario_limits.h"

namespace relist {
namespace {

const std::vector<std::string> kFaultWords = {"status", "error", "close", "cut",  "reset",
                                              "stall",  "split", "delay", "hold", "duplicate"};
const std::vector<std::string> kPlaceWords = {"any", "list", "watch", "streaming-list"};

// A header that ends its line early, or counts the bytes anew, would be another fault than this.
void CheckHeader(YamlMap& map, const std::string& name, const std::string& value) {
  constexpr char kToken[] =
      "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (name.empty() || name.find_first_not_of(kToken) != std::string::npos)
    map.Problem("headers", fmt::format("\"{}\" is no header's name: letters, digits, -", name));
  if (value.find_first_of("\r\n") != std::string::npos)
    map.Problem("headers", fmt::format("the header \"{}\" is one line of text", name));
  std::string lower = name;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower == "content-length" || lower == "transfer-encoding") {
    map.Problem("headers", fmt::format("the header \"{}\" is the server's own: for an answer that "
                                       "ends too early use \"fault: cut\" with \"bytes\"",
                                       name));
  }
}

void ReadFaultDetails(YamlMap& map, FaultSpec* fault) {
  using enum FaultSpec::Kind;
  const FaultSpec::Kind kind = fault->kind;
  int64_t bytes = 0, every = 0;
  if (kind == kCutFin || kind == kCutReset || kind == kStall || kind == kSplit || kind == kHold) {
    map.Read("bytes", &bytes, 0, kBytesMax);
  }
  if (kind == kSplit) {
    map.Read("every", &every, 1, kBytesMax);
    if (bytes == 0 && every == 0)
      map.Problem("bytes",
                  "a split needs \"bytes\" (where), \"every\" (pieces of this size), or both");
  }
  fault->bytes = static_cast<uint64_t>(bytes);
  fault->every = static_cast<uint64_t>(every);
  if (kind == kDelay || kind == kHold) {
    map.Read("for", &fault->length, {.least = Millis(1)});
    if (!map.Has("for")) map.Problem("for", "\"for\" is missing: for how long");
  }
  if (kind == kStatus || kind == kError) {
    map.Read("code", &fault->code, 200, 599);  // what is below is no final answer
    if (!map.Has("code")) map.Problem("code", "\"code\" is missing: 410, 429, 500 ...");
    map.Read("reason", &fault->reason);
    map.Read("message", &fault->message);
  }
  if (kind == kStatus) {
    map.Read("plain", &fault->plain);
    map.ReadPairs("headers", &fault->headers);
    for (const auto& [name, value] : fault->headers) CheckHeader(map, name, value);
  }
}

}  // namespace

std::string_view Name(FaultSpec::Kind kind) {
  return kFaultWords[static_cast<size_t>(kind)];
}

void ReadPlace(YamlMap& map, PlaceSpec* place, bool* on_connection) {
  std::vector<std::string> words = kPlaceWords;
  if (on_connection != nullptr) words.push_back("connection");
  const std::optional<size_t> verb = map.ReadWord("on", words);
  if (!map.Has("on"))
    map.Problem("on", fmt::format("\"on\" is missing: which requests are meant ({})",
                                  "any, list, watch, streaming-list"));
  if (verb && *verb < kPlaceWords.size())
    place->verb = static_cast<PlaceSpec::Verb>(*verb);
  else if (verb)
    *on_connection = true;
  map.Read("client", &place->client);
  map.Read("resource", &place->resource);
  map.Read("continued", &place->continued);
  ReadNth(map, "nth", &place->first, &place->last);
}

FaultSpec ReadFault(YamlMap& map) {
  FaultSpec fault;
  fault.line = map.line();
  fault.column = map.column();
  ReadPlace(map, &fault.place, &fault.on_connection);
  const std::optional<size_t> kind = map.ReadWord("fault", kFaultWords);
  if (!map.Has("fault")) map.Problem("fault", "\"fault\" is missing: what goes wrong here");
  if (!kind) {
    map.Forgive();
    return fault;
  }
  fault.kind = static_cast<FaultSpec::Kind>(*kind);
  if (map.Has("events")) {
    int events = 0;
    map.Read("events", &events, 0, kEventsMax);
    fault.events = events;
  } else {
    map.Take("events");
  }
  ReadFaultDetails(map, &fault);
  return fault;
}

}  // namespace relist
