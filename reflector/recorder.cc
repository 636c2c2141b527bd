#include "reflector/recorder.h"

namespace relist {

Recorder::Recorder(Loop& loop, History* history, std::string name)
    : loop_(loop), history_(history), name_(std::move(name)) {
  CHECK(history_, "a recorder without a history: give a null recorder instead");
}

HistoryEntry& Recorder::Line(std::string_view what) {
  return history_->Add(loop_.Now(), name_, std::string(what));
}

int Recorder::Request(std::string_view verb, std::string_view target) {
  ++requests_;
  Line("request")
      .Set("n", std::to_string(requests_))
      .Set("verb", std::string(verb))
      .Set("target", std::string(target));
  return requests_;
}

void Recorder::Answer(int request, int status) {
  Line("answer").Set("n", std::to_string(request)).Set("status", std::to_string(status));
}

void Recorder::ListAnswer(int request, int status, const std::string& resource_version,
                          size_t items) {
  Line("answer")
      .Set("n", std::to_string(request))
      .Set("status", std::to_string(status))
      .Set("rv", resource_version)
      .Set("items", std::to_string(items));
}

void Recorder::AnswerError(int request, const Error& error) {
  HistoryEntry& line = Line("answer").Set("n", std::to_string(request));
  if (error.transport == Transport::kNone) {
    line.Set("status", std::to_string(error.status.code));
  } else {
    line.Set("error", std::string(Name(error.transport)));
  }
  line.Set("message", error.message());
}

void Recorder::Position(const std::string& resource_version) {
  Line("position").Set("rv", resource_version);
}

void Recorder::Relist(std::string_view why) {
  Line("relist").Set("why", std::string(why));
}

void Recorder::BackOff(Duration delay) {
  Line("backoff").Set("ms", std::to_string(delay / Millis(1)));
}

void Recorder::Synced(std::string_view handler) {
  HistoryEntry& line = Line("synced");
  if (!handler.empty()) line.Set("handler", std::string(handler));
}

void Recorder::ErrorSeen(const Error& error, bool handler_called) {
  HistoryEntry& line = Line("error").Set("message", error.message());
  if (handler_called) line.Set("handler", "true");
}

void Recorder::Callback(const std::string& handler, const Notification& notification) {
  const Object& object = *notification.object;
  HistoryEntry& line = Line("callback").Set("handler", handler);
  switch (notification.type) {
    case Notification::Type::kAdded:
      line.Set("type", "added");
      break;
    case Notification::Type::kModified:
      line.Set("type", "modified");
      break;
    case Notification::Type::kDeleted:
      line.Set("type", "deleted");
      break;
  }
  line.Set("key", object.key().ToString())
      .Set("uid", std::string(object.uid()))
      .Set("rv", object.resource_version());
  if (notification.old_object) line.Set("old_rv", notification.old_object->resource_version());
  if (notification.final_state_unknown) line.Set("tombstone", "true");
  if (notification.initial) line.Set("initial", "true");
  line.SetObject(notification.object);
}

void Recorder::Panic(const std::string& handler, const Notification& notification,
                     std::string_view why) {
  Line("panic")
      .Set("handler", handler)
      .Set("key", notification.object->key().ToString())
      .Set("message", std::string(why));
}

}  // namespace relist
