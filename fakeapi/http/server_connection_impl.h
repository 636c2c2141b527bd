// The inside of ServerConnection: its phases, and the request being answered. For
// server_connection*.cc only.
//
// A connection goes Reading -> (Delayed, Waiting, AnswerDelayed) -> Answering or Watching ->
// Reading, one request at a time. Advance() takes one step and says whether there may be another;
// Pump() takes all of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fakeapi/http/http_codec.h"
#include "fakeapi/http/output_queue.h"
#include "fakeapi/http/server_connection.h"

namespace relist::fakeapi {

// A request and what became of it, until its answer has left.
struct Exchange {
  Request request;
  uint64_t id = 0;
  TimePoint received;
  bool close = false;  // the connection ends after the answer
  bool http10 = false;
  bool ended = false;        // the history says so
  std::string how = "sent";  // it ended
  int status = 0;            // of the answer, once it is queued
  uint64_t begin = 0;        // of the answer, on the wire
  bool is_watch = false;
  bool logged = false;
  FaultPlace place;           // its `request` is the one above
  TimePoint resume;           // end of a delay or Wait
  uint64_t change_count = 0;  // the handler's, when it said Wait
  Response answer;            // made, but delayed

  std::optional<Verdict> behind_head;  // strikes once the head is queued
  uint64_t chunk_size = 0;             // of the body, where a fault says so
  std::unique_ptr<LineFramer> framer;  // of the lines, where a fault says so

  // Offset on the wire where a clean cut strikes.
  uint64_t clean_cut = OutputQueue::kNowhere;
  CutHow cut_how = CutHow::kFin;  // of the queue's seal
  // Faults at a byte that was not queued so far: its offset on the wire, the verdict's tag.
  std::vector<std::pair<uint64_t, int>> awaited;

  std::unique_ptr<WatchSession> session;
  bool gzip = false;                   // its lines are ...
  bool corrupt = false;                // ... with a wrong byte in each member
  std::string plain;                   // that wait to be compressed together
  bool ready = true;                   // Next may have something
  std::unique_ptr<WatchLine> pending;  // a line that waits for `pull_after`
  TimePoint pull_after = TimePoint::min();
  int lines = 0;  // that were queued
  int made = 0;   // that the session gave
  // Lines that a fault put behind others: each goes out once the session gave `turn` lines.
  struct LateLine {
    std::string text;
    int turn = 0, tag = 0;
  };
  std::vector<LateLine> late;
};

// Compressed; `corrupt`: with another byte in the middle, as a fault may want it.
std::string Zipped(std::string_view text, bool corrupt);

struct ServerConnection::Impl {
  enum class Phase {
    kAccepting,  // a fault keeps us from reading, until `deadline`
    kReading,
    kDelayed,        // a request is read, a fault delays it
    kWaiting,        // the handler said Wait
    kAnswerDelayed,  // the answer is made, a fault delays it
    kAnswering,      // all of the answer is queued
    kWatching,
    kSilent,  // stalled: what comes is swallowed, nothing is ever sent
    kClosed,  // `fate` is due
  };
  enum class Reading { kFirst, kIdle, kHead, kBody };

  Impl(RequestHandler& h, FaultHook* f, History* hi, ServerCounters& c, ServerConnectionOptions o)
      : handler(h), faults(f), history(hi), counters(c), options(o), incarnation(h.incarnation()) {}

  // server_connection.cc
  void Pump(TimePoint now);
  bool Advance(TimePoint now);
  bool Read(TimePoint now);
  bool CheckReadDeadline(TimePoint now);
  void FinishExchange(TimePoint now);
  void Close(Fate how);
  // The server that took the connection is gone, so it ends as soon as nothing is under way on it.
  bool outlived() const { return handler.incarnation() != incarnation; }
  TimePoint NextDeadline() const;
  bool WantsPump() const;

  // server_connection_answer.cc
  void BeginExchange(TimePoint now, HttpMessage message);
  void StartHandling(TimePoint now, const Verdict& verdict);
  void Dispatch(TimePoint now);
  void AnswerReady(TimePoint now, Response response);
  void QueueAnswer(TimePoint now, Response response);
  void Refuse(TimePoint now, const HttpRefusal& refusal);
  // `line`: of kBeforeEvent.
  Verdict Ask(TimePoint now, FaultPoint point, const WatchLine* line = nullptr);
  void NoteFault(TimePoint now, FaultPoint point, const Verdict& verdict);
  void ApplyByteFault(const Verdict& verdict);
  void StrikeBehindHead();
  void TellBytesReached(TimePoint now);
  // Ends the exchange if a cut was reached, and falls silent if a stall was.
  bool StruckByByteFault(TimePoint now);
  void CutNow(TimePoint now, CutHow how);
  void NoteEnd(TimePoint now, std::string how);
  RequestRecord Record(TimePoint now) const;
  void LogEnd(TimePoint now);

  // server_connection_watch.cc
  void OpenWatch(TimePoint now, std::unique_ptr<WatchSession> session);
  void PullWatch(TimePoint now);
  void PullLines(TimePoint now);
  void QueueLine(TimePoint now, WatchLine line);
  void QueueErrorLine(TimePoint now, const std::string& status_json);
  void EndWatch(TimePoint now, std::string how);
  bool MayGzip() const;
  void FlushGzip(TimePoint now);

  // server_connection_lines.cc
  void TakeLine(TimePoint now, WatchLine line);
  // What comes behind a line, or behind the head, before the next line.
  void AfterLine(TimePoint now);
  void StrikeBetween(TimePoint now, const Verdict& verdict);
  void KeepLine(TimePoint now, const WatchLine& line);
  void QueueFaultLines(TimePoint now, const std::vector<std::string>& lines);
  void QueueFaultLine(TimePoint now, const std::string& line);
  void QueueFramed(TimePoint now, const std::string& bytes);
  void QueueLateLines(TimePoint now, bool all);
  void FlushLines(TimePoint now);
  bool LocateByte(const WatchLine& line, Verdict* verdict) const;

  RequestHandler& handler;
  FaultHook* faults;
  History* history;
  ServerCounters& counters;
  const ServerConnectionOptions options;
  const uint64_t incarnation;  // the handler's, when it was opened
  int id = 0;
  Fate fate = Fate::kOpen;
  Phase phase = Phase::kReading;
  Reading reading = Reading::kFirst;
  bool shutting_down = false;
  bool after_post = false;             // the last request was one
  std::optional<Verdict> cut_next;     // strikes when the next request is here
  TimePoint deadline;                  // of kAccepting and kReading
  std::unique_ptr<HttpCodec> codec;    // while bytes of a request are here
  std::unique_ptr<Exchange> exchange;  // from a whole request to the end of its answer
  OutputQueue queue;
  std::function<void()> wake;
};

}  // namespace relist::fakeapi
