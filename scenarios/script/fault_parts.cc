#include "scenarios/script/fault_parts.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <cctype>
#include <optional>

#include "scenarios/script/nth_range.h"
#include "scenarios/script/scenario_limits.h"

namespace relist {
namespace {

const std::vector<std::string> kFaultWords = {
    "status", "error",     "close",     "cut",    "reset",   "stall",    "split",
    "delay",  "hold",      "duplicate", "drop",   "reorder", "alter",    "insert",
    "chunks", "line-ends", "slow",      "http10", "lost",    "cut-next", "gzip"};
const std::vector<std::string> kPlaceWords = {"any",    "list",   "watch",  "streaming-list",
                                              "get",    "create", "update", "patch",
                                              "delete", "write"};
const std::vector<std::string> kSortWords = {"initial-end", "bookmark", "added", "modified",
                                             "deleted"};
// As LineFraming::End, but for its first, a newline.
const std::vector<std::string> kEndWords = {"crlf", "none", "empty-line"};

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

// A byte of the answer, or of a line: counted, or named.
void ReadByte(YamlMap& map, FaultSpec* fault) {
  using enum fakeapi::Verdict::ByteAt;
  if (map.Is("bytes", "headers")) {
    fault->byte_at = kBehindHead;
  } else {
    int64_t count = 0;
    map.Read("bytes", &count, 0, kBytesMax);
    fault->bytes = static_cast<uint64_t>(count);
  }
  const std::optional<size_t> inside = map.ReadWord("inside", {"chunk-header", "character"});
  if (inside && map.Has("bytes"))
    map.Problem("inside", "\"inside\" says at which byte, and so does \"bytes\": leave one out");
  if (inside) fault->byte_at = *inside == 0 ? kInChunkHeader : kInCharacter;
}

void ReadPieces(YamlMap& map, FaultSpec* fault) {
  int64_t every = 0;
  map.Read("every", &every, 1, kBytesMax);
  fault->every = static_cast<uint64_t>(every);
  const bool is_counted = fault->byte_at == fakeapi::Verdict::ByteAt::kCounted;
  if (fault->bytes == 0 && is_counted && every == 0)
    map.Problem("bytes",
                "a split needs \"bytes\" (where), \"every\" (pieces of this size), or both");
}

// A Status, in parts or as a whole.
void ReadStatus(YamlMap& map, FaultSpec* fault, YamlProblems* problems) {
  const std::optional<size_t> too_large = map.ReadWord("too_large", {"typed", "cause", "message"});
  if (too_large) {
    fault->too_large = static_cast<FaultSpec::TooLarge>(*too_large);
    fault->code = FaultSpec::kTooLargeCode;
  }
  map.Read("code", &fault->code, 200, 599);  // what is below is no final answer
  map.Read("reason", &fault->reason);
  map.Read("message", &fault->message);
  if (too_large && fault->code != FaultSpec::kTooLargeCode)
    map.Problem("code", "what is too large is told with code 504: leave \"code\" out");
  const YAML::Node whole = map.Take("status");
  if (whole.IsDefined()) {
    YamlMap parts(whole, "\"status\"", problems);
    parts.Read("code", &fault->code, 0, 599);
    parts.Forgive();
    fault->body = YamlToJson(whole, problems);
    for (const char* key : {"code", "reason", "message", "too_large"}) {
      if (map.Has(key))
        map.Problem(key, fmt::format("\"status\" is the whole Status: \"{}\" goes into it", key));
    }
  } else if (!map.Has("code") && !too_large) {
    map.Problem("code", "\"code\" is missing: 410, 429, 500 ...");
  }
}

void ReadAnswer(YamlMap& map, FaultSpec* fault, YamlProblems* problems) {
  map.Read("plain", &fault->plain);
  map.ReadPairs("headers", &fault->headers);
  for (const auto& [name, value] : fault->headers) CheckHeader(map, name, value);
  const YAML::Node body = map.Take("body");
  if (!body.IsDefined()) return;
  if (map.Has("status")) map.Problem("body", "\"status\" is the body: leave one out");
  for (const char* key : {"reason", "message", "plain", "too_large"}) {
    if (map.Has(key))
      map.Problem(key, fmt::format("\"body\" is all that is sent: leave \"{}\" out", key));
  }
  fault->body = body.IsScalar() ? body.Scalar() : YamlToJson(body, problems);
}

void ReadText(YamlMap& map, FaultSpec* fault) {
  const YAML::Node text = map.Take("text");
  map.Note("text", {.kind = KeyShape::Kind::kText});
  if (!text.IsDefined()) return;
  if (!text.IsScalar() || text.Scalar().find_first_of("\r\n") != std::string::npos)
    return map.Problem("text", "\"text\" is one line of text, without its end");
  fault->text = text.Scalar();
}

// What an altered, or inserted, line says.
void ReadLine(YamlMap& map, FaultSpec* fault, YamlProblems* problems) {
  const bool is_alter = fault->kind == FaultSpec::Kind::kAlter;
  const char* object_key = is_alter ? "patch" : "object";
  ReadText(map, fault);
  map.Read("type", &fault->type);
  const YAML::Node object = map.Take(object_key);
  if (object.IsDefined()) {
    YamlMap(object, fmt::format("\"{}\"", object_key), problems).Forgive();
    if (is_alter && object.IsMap() && object.size() == 0)
      map.Problem("patch", "\"patch: {}\" would change nothing");
    fault->object = YamlToJson(object, problems);
  }
  const bool has_parts = map.Has("type") || map.Has(object_key);
  if (fault->text && has_parts)
    map.Problem("text", fmt::format("\"text\" is the whole line: leave it or \"type\" and "
                                    "\"{}\" out",
                                    object_key));
  if (map.Has("text") || has_parts) return;
  map.Problem("fault", fmt::format("what the line says is missing: \"{}\" (of its object), "
                                   "\"type\", or \"text\" (all of it)",
                                   object_key));
}

void ReadFraming(YamlMap& map, FaultSpec* fault) {
  using End = fakeapi::LineFraming::End;
  if (fault->kind == FaultSpec::Kind::kLineEnds) {
    const std::optional<size_t> end = map.ReadWord("as", kEndWords);
    if (end) fault->framing.end = static_cast<End>(*end + 1);
    if (!map.Has("as")) map.Problem("as", "\"as\" says how lines end: crlf, none or empty-line");
    return;
  }
  int64_t size = 0;
  map.Read("size", &size, 1, kBytesMax);
  map.Read("lines", &fault->framing.chunk_lines, 2, kBehindMax);
  fault->framing.chunk_size = static_cast<uint64_t>(size);
  if (map.Has("size") == map.Has("lines"))
    map.Problem("size", "chunks have either a \"size\" (bytes of each) or \"lines\" (2 or more)");
}

void ReadCut(YamlMap& map, FaultSpec* fault) {
  const std::optional<size_t> how = map.ReadWord("how", {"fin", "reset"});
  if (how == 1u) fault->how = fakeapi::CutHow::kReset;
}

void ReadRate(YamlMap& map, FaultSpec* fault) {
  int64_t per_second = 0;
  map.Read("per_second", &per_second, 1, kBytesMax);
  if (!map.Has("per_second"))
    map.Problem("per_second", "\"per_second\" is missing: how many bytes");
  fault->per_second = static_cast<uint64_t>(per_second);
}

void ReadFaultDetails(YamlMap& map, FaultSpec* fault, YamlProblems* problems) {
  using enum FaultSpec::Kind;
  const FaultSpec::Kind kind = fault->kind;
  if (kind == kCutFin || kind == kCutReset || kind == kStall || kind == kSplit || kind == kHold)
    ReadByte(map, fault);
  if (kind == kSplit) ReadPieces(map, fault);
  if (kind == kDelay || kind == kHold) {
    map.Read("for", &fault->length, {.least = Millis(1)});
    if (!map.Has("for")) map.Problem("for", "\"for\" is missing: for how long");
  }
  if (kind == kStatus || kind == kError) ReadStatus(map, fault, problems);
  if (kind == kStatus) ReadAnswer(map, fault, problems);
  if (kind == kAlter || kind == kInsert) ReadLine(map, fault, problems);
  if (kind == kReorder) map.Read("behind", &fault->behind, 1, kBehindMax);
  if (kind == kChunks || kind == kLineEnds) ReadFraming(map, fault);
  if (kind == kLost || kind == kCutNext) ReadCut(map, fault);
  if (kind == kSlow) ReadRate(map, fault);
  if (kind == kGzip) map.Read("corrupt", &fault->corrupt);
}

// It is thrown again and again, unless the fault says which times.
void ReadChance(YamlMap& map, FaultSpec* fault) {
  map.ReadChance("chance", &fault->chance);
  if (!map.Has("chance") || map.Has("nth")) return;
  fault->place.first = 1;
  fault->place.last = kEvery;
}

// Where in a stream.
void ReadLinePlace(YamlMap& map, FaultSpec* fault) {
  int events = 0, sent = 0;
  map.Read("events", &events, 0, kEventsMax);
  if (map.Has("events")) fault->events = events;
  map.Read("sent", &sent, 1, kEventsMax);
  if (map.Has("sent")) fault->sent = sent;
  const std::optional<size_t> sort = map.ReadWord("line", kSortWords);
  if (sort) fault->lines = static_cast<FaultSpec::LineSort>(*sort);
  const int ways = int{map.Has("events")} + int{map.Has("sent")} + int{map.Has("line")};
  if (ways > 1)
    map.Problem("fault",
                "\"events\" (before a line), \"sent\" (behind one) and \"line\" (before each of a "
                "sort) are three ways to say where: one is enough");
}

}  // namespace

std::string_view Name(FaultSpec::Kind kind) {
  return kFaultWords[static_cast<size_t>(kind)];
}

std::string_view Name(PlaceSpec::Verb verb) {
  return kPlaceWords[static_cast<size_t>(verb)];
}

void ReadPlace(YamlMap& map, PlaceSpec* place, bool* on_connection) {
  std::vector<std::string> words = kPlaceWords;
  if (on_connection != nullptr) words.push_back("connection");
  const std::optional<size_t> verb = map.ReadWord("on", words);
  if (!map.Has("on"))
    map.Problem("on", fmt::format("\"on\" is missing: which requests are meant ({})",
                                  fmt::join(words, ", ")));
  if (verb && *verb < kPlaceWords.size())
    place->verb = static_cast<PlaceSpec::Verb>(*verb);
  else if (verb)
    *on_connection = true;
  map.Read("client", &place->client);
  map.Read("resource", &place->resource);
  map.Read("continued", &place->continued);
  map.Read("page", &place->page, 1, kNthMax);
  std::string version;
  map.Read("version", &version);
  const bool is_number =
      !version.empty() && version.find_first_not_of("0123456789") == std::string::npos;
  if (map.Has("version")) place->version = is_number ? version : "";
  if (map.Has("version") && !is_number && version != "none")
    map.Problem("version", "\"version\" is a resourceVersion that is asked for, or none");
  ReadNth(map, "nth", &place->first, &place->last);
}

FaultSpec ReadFault(YamlMap& map, YamlProblems* problems) {
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
  ReadChance(map, &fault);
  ReadLinePlace(map, &fault);
  ReadFaultDetails(map, &fault, problems);
  return fault;
}

}  // namespace relist
