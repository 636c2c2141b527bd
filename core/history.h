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
// requests from 1; NAME is a client, "client" by default. core/HISTORY.md says the same for readers
// of the files; readers skip words and fields that they do not know.
//
//   server  history   version rate                        the first line of a file: the version of
//                                                         the format (kHistoryVersion), and how
//                                                         many of its seconds a real one has
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
//                                                         Digest of its text; a type beyond the
//                                                         five is one that no client knows.
//                                                         [kept=true]: the server made it, and a
//                                                         fault kept it
//                     | id fault=true [type key uid rv end code] + object | id fault=true text
//                                                         a line that a fault put there
//   server  end       id how(last chunk|clean|FIN|RST|client|...)
//                                                         a watch, or a cut answer, is over
//   server  fault     id|conn point verdict               a fault struck
//   server  control   action(compact|evict|restart|ready|reset|bookmark|lag|pause|resume|
//                     snapshot) rv [learned=true] [replica] [not_ready]
//                                                         a line for each replica of several
//   NAME    log       file agent                          what follows of NAME was printed by a
//                                                         program with a clock of its own
//   NAME    request   n verb(LIST|WATCH|...) target [id]  id: the server's, where it is known
//   NAME    answer    n status [rv items] | error message
//   NAME    callback  handler type(added|modified|deleted) key uid rv [old_rv] [tombstone=true]
//                     [initial=true] [sha256] + object    sha256: CanonicalSha256 of the object
//   NAME    panic     handler key message                 the handler threw at it and goes on
//   NAME    position  rv                                  the reflector's lastSyncResourceVersion
//                                                         moved
//   NAME    relist    why                                 a full list, or streaming list, replaced
//                                                         the store
//   NAME    backoff   ms
//   NAME    synced    [handler]
//   NAME    error     message [handler=true if the watch error handler was called]
//                     [terminal=true]                     terminal: it gave up, and said so
//   NAME    dump      items                               its store was asked for; its items follow
//   NAME    store     key rv uid + object                 a line for each item
//   NAME    waited    rv                                  it was told that its copy has version rv
//   NAME    stop                                          it was told to stop
//   NAME    stopped   [left]                              it has; left: how many tasks, threads and
//                                                         sockets it holds. What comes is ...
//   NAME    started                                       ... of another program, that knows of
//                                                         nothing
//   run     phase     name(chaos|calm|converged|end|over)
//   run     mark      client rv                           a version that the client has to hear of
//   run     chance    line happens(true|false)            the dice fell for a step of the scenario
//   run     listed    as keys                             an "ask" was answered with a list
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/time.h"
#include "core/wire/object.h"

namespace relist {

// Of the lines and their words, as files have them. It rises when a reader of the old one would be
// misled: not for a new word or field.
inline constexpr int kHistoryVersion = 1;

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
  // Times are written relative to `start`; `rate` of its seconds pass in a real one.
  explicit History(TimePoint start = kSimulationEpoch, double rate = 1)
      : start_(start), rate_(rate) {}

  // The reference is good until the next Add.
  HistoryEntry& Add(TimePoint when, std::string actor, std::string what);
  // What another entry says, at this time.
  HistoryEntry& AddCopy(TimePoint when, const HistoryEntry& from);
  const std::deque<HistoryEntry>& entries() const { return entries_; }
  TimePoint start() const { return start_; }
  void Clear() { entries_.clear(); }

  // The first line of a file, with its newline: "server history". No entry: golden traces have
  // none.
  std::string Head() const;
  std::string LineOf(const HistoryEntry& entry) const;  // one NDJSON line, without a newline
  std::string ToText() const;
  // Of all that ToText() tells; the same on every machine.
  uint64_t Hash() const;
  // Reads what Head and ToText wrote; without a head version 1 is meant. An Error is one line that
  // begins with "FILE:LINE: " (without a name, "line LINE: "): text that is no history, one of a
  // newer version, one that ends within a line.
  static Result<History> Parse(const std::string& text, const std::string& file = "");

 private:
  void AppendLine(std::string* out, const HistoryEntry& entry) const;
  TimePoint start_;
  double rate_;
  std::deque<HistoryEntry> entries_;
};

}  // namespace relist
