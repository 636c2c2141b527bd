#include "tools/command/client_protocol.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/net/canonical_sha256.h"

namespace relist::command {
namespace {

using Json = nlohmann::ordered_json;
using ErrorHandler = Json::error_handler_t;

Json Identity(const Object& object) {
  Json line;
  if (!object.key().ns.empty()) line["namespace"] = object.key().ns;
  line["name"] = object.key().name;
  line["uid"] = object.uid();
  line["resourceVersion"] = object.resource_version();
  return line;
}

Json EventHead(const char* type, const Object& object, int64_t elapsed_ms) {
  Json line;
  line["type"] = type;
  line.update(Identity(object));
  line["t"] = elapsed_ms;
  return line;
}

// A message may quote bytes of a broken peer: they must not break the line.
std::string Finish(const Json& line) {
  return line.dump(-1, ' ', false, ErrorHandler::replace) + "\n";
}

}  // namespace

std::string AddedLine(const Object& object, int64_t elapsed_ms) {
  Json line = EventHead("added", object, elapsed_ms);
  line["sha256"] = CanonicalSha256(object);
  return Finish(line);
}

std::string ModifiedLine(const Object& old_object, const Object& object, int64_t elapsed_ms) {
  Json line = EventHead("modified", object, elapsed_ms);
  line["old"]["resourceVersion"] = old_object.resource_version();
  line["sha256"] = CanonicalSha256(object);
  return Finish(line);
}

std::string DeletedLine(const Object& object, bool tombstone, int64_t elapsed_ms) {
  Json line = EventHead("deleted", object, elapsed_ms);
  if (tombstone) line["tombstone"] = true;
  line["sha256"] = CanonicalSha256(object);
  return Finish(line);
}

std::string SyncedLine(int64_t elapsed_ms) {
  Json line;
  line["type"] = "synced";
  line["t"] = elapsed_ms;
  return Finish(line);
}

std::string ErrorLine(bool terminal, const std::string& message) {
  Json line;
  line["type"] = "error";
  line["terminal"] = terminal;
  line["message"] = message;
  return Finish(line);
}

std::string StoreLine(const std::vector<ObjectRef>& objects, int64_t elapsed_ms) {
  Json line;
  line["type"] = "store";
  line["t"] = elapsed_ms;
  line["items"] = Json::array();
  for (const ObjectRef& object : objects) line["items"].push_back(Identity(*object));
  return Finish(line);
}

}  // namespace relist::command
