// Writes a client's lines into the history (the words are in core/history.h). One for each client;
// shared by its REST requests, its reflector and its handlers. Null where nobody listens.
//
//   auto recorder = std::make_shared<Recorder>(loop, &history, "client");
//
// All methods belong to the loop's thread. A handler with a thread of its own posts its lines to
// the loop, where they get the time at which they arrive.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/history.h"
#include "core/result.h"
#include "core/runtime/loop.h"

namespace relist {

// What a handler is told; see resource_event_handler.h.
struct Notification {
  enum class Type { kAdded, kModified, kDeleted } type = Type::kAdded;
  ObjectRef object;                  // never null
  ObjectRef old_object;              // of kModified
  bool initial = false;              // of kAdded: part of the initial list
  bool final_state_unknown = false;  // of kDeleted
};

class Recorder {
 public:
  // `history` must outlive the recorder and whatever was posted to the loop.
  Recorder(Loop& loop, History* history, std::string name);

  const std::string& name() const { return name_; }
  Loop& loop() { return loop_; }

  // A request went out; its number, for its answer.
  int Request(std::string_view verb, std::string_view target);
  void Answer(int request, int status);
  void ListAnswer(int request, int status, const std::string& resource_version, size_t items);
  void AnswerError(int request, const Error& error);
  void Position(const std::string& resource_version);
  void Relist(std::string_view why);
  void BackOff(Duration delay);
  void Synced(std::string_view handler);  // empty: the informer itself
  void ErrorSeen(const Error& error, bool handler_called);
  void Callback(const std::string& handler, const Notification& notification);
  // The handler threw at it, and goes on.
  void Panic(const std::string& handler, const Notification& notification, std::string_view why);

 private:
  HistoryEntry& Line(std::string_view what);
  Loop& loop_;
  History* history_;
  std::string name_;
  int requests_ = 0;
};

}  // namespace relist
