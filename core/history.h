// What happened, one line each: the ground on which checkers, golden traces, the page and the
// determinism check stand.
//
//   history.Add(now, "server", "commit").Set("rv", "7").Set("key", "default/a");
//   history.ToText();    // {"t":"0.250","actor":"server","what":"commit","rv":"7",...}
//
// Append-only, canonical: NDJSON, a line for each entry; fields keep the order in which they were
// set, times are seconds since the start with three digits, and an object is its bytes, the last
// field. It lives in core/ because both sides write to it. Not thread-safe: in the real world each
// side has one of its own, or hands lines to the thread that owns it.
//
// The words, by actor. All values are text; "conn" numbers connections from 1, "id" numbers
// requests from 1; NAME is a client, "client" by default.
//
//   server  commit    rv resource key type(ADDED|MODIFIED|DELETED) uid + object
//   server  request   id conn method target [agent] [accept] [replica]
//                                                         a request was read; accept where it asks
//                                                         for no JSON objects
//   server  answer    id status [rv items digest [continue]] [retry_after] + Status
//                                                         an answer that is not a watch; digest is
//                                                         ListDigest of the items, the Status that
//                                                         of an error
//   server  open      id status                           a watch is open
//   server  event     id type key uid rv body | id BOOKMARK rv [end=true] + object
//                     | id ERROR code + Status            a line of a watch was queued; body is
//                                                         Digest of its text
//   server  end       id how(last chunk|FIN|RST|client|...)
//                                                         a watch, or a cut answer, is over
//   server  fault     id|conn point verdict               a fault struck
//   server  control   action(compact|evict|restart|ready|reset|bookmark|lag|pause|resume|
//                     snapshot) rv [learned=true] [replica] [not_ready]
//                                                         a line for each replica of several
//   NAME    request   n verb(LIST|WATCH|...) target
//   NAME    answer    n status [rv items] | error
//   NAME    callback  handler type(added|modified|deleted) key uid rv [old_rv] [tombstone=true]
//                     [initial=true] + object
//   NAME    panic     handler key message                 the handler threw at it and goes on
//   NAME    position  rv                                  the reflector's lastSyncResourceVersion
//                                                         moved
//   NAME    relist    why                                 a full list, or streaming list, replaced
//                                                         the store
//   NAME    backoff   ms
//   NAME    synced    [handler]
//   NAME    error     message [handler=true if the watch error handler was called]
//   NAME    store     key rv uid + object                 a line for each item, at the end
//   NAME    stopped                                       its program has ended; what comes is ...
//   NAME    started                                       ... of another one, which knows nothing
//   run     phase     name(chaos|calm|end)
//   run     mark      client rv                           a version that the client has to hear of
//   run     chance    line happens(true|false)            the dice fell for a step of the scenario
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/time.h"
#include "core/wire/object.h"

namespace relist {

class HistoryEntry {
 public:
  HistoryEntry(TimePoint when, std::string actor, std::string what)
      : when_(when), actor_(std::move(actor)), what_(std::move(what)) {
    fields_.reserve(6);  // what most lines have; a simulated life is made of these
  }

  HistoryEntry& Set(std::string_view key, std::string value) {
    fields_.emplace_back(key, std::move(value));
    return *this;
  }
  HistoryEntry& SetObject(ObjectRef object) {
    object_ = std::move(object);
    return *this;
  }

  TimePoint when() const { return when_; }
  const std::string& actor() const { return actor_; }
  const std::string& what() const { return what_; }
  // "" where the field is absent.
  const std::string& Get(std::string_view key) const;
  const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }
  const ObjectRef& object() const { return object_; }  // may be null

 private:
  TimePoint when_;
  std::string actor_, what_;
  std::vector<std::pair<std::string, std::string>> fields_;
  ObjectRef object_;
};

class History {
 public:
  // Times are written relative to `start`.
  explicit History(TimePoint start = kSimulationEpoch) : start_(start) {}

  // The reference is good until the next Add.
  HistoryEntry& Add(TimePoint when, std::string actor, std::string what);
  // What another entry says, at this time.
  HistoryEntry& AddCopy(TimePoint when, const HistoryEntry& from);
  const std::deque<HistoryEntry>& entries() const { return entries_; }
  TimePoint start() const { return start_; }
  void Clear() { entries_.clear(); }

  std::string LineOf(const HistoryEntry& entry) const;  // one NDJSON line, without a newline
  std::string ToText() const;
  // Of all that ToText() tells; the same on every machine.
  uint64_t Hash() const;
  // Reads what ToText wrote (the object is the last field of its line); the Error names the line.
  static Result<History> Parse(const std::string& text);

 private:
  void AppendLine(std::string* out, const HistoryEntry& entry) const;
  TimePoint start_;
  std::deque<HistoryEntry> entries_;
};

}  // namespace relist
