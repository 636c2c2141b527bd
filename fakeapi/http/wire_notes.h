// What goes over the wire, as lines of a history: for connections, and for whoever speaks to the
// sans-IO server without one and wants it judged (scenarios/checkers/wire_checkers.h).
//
//   NoteRequest(&history, now, id, /*connection=*/1, request);
//   Reply reply = server.Handle(request, now, now);      // its commits go to the same history
//   NoteAnswer(&history, now, id, std::get<Response>(reply));
//   NoteOpen(&history, now, id);                          // or of a watch this,
//   NoteLine(&history, now, id, line);                    // this for each line that was taken,
//   NoteEnd(&history, now, id, "last chunk");             // and this at kEnd
//
// The words are core/history.h's. A history that is null is none: nothing is done, nothing costs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/history.h"
#include "fakeapi/api/http_types.h"
#include "fakeapi/api/watch_session.h"

namespace relist::fakeapi {

void NoteRequest(History* history, TimePoint now, uint64_t id, int connection,
                 const Request& request, size_t replica = 0);
void NoteAnswer(History* history, TimePoint now, uint64_t id, const Response& response);
void NoteOpen(History* history, TimePoint now, uint64_t id);
// What became of a line: it went out, whole or cut short, or a fault kept it (an altered line is
// one that was kept, and one of the fault's).
enum class LineFate { kWhole, kCutShort, kKept };
// What went out is noted as it went out: of an object's line a digest, for the commit holds the
// object; of the others, which nobody else tells of, the object. Neither of a line that was cut
// short.
void NoteLine(History* history, TimePoint now, uint64_t id, const WatchLine& line,
              LineFate fate = LineFate::kWhole);
// A line that a fault put into the stream, told as far as it is one.
void NoteFaultLine(History* history, TimePoint now, uint64_t id, std::string_view text);
void NoteEnd(History* history, TimePoint now, uint64_t id, std::string how);

}  // namespace relist::fakeapi
