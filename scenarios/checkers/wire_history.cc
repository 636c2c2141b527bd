// A WireView out of a history's lines.
#include <algorithm>
#include <charconv>
#include <string_view>

#include "core/wire/digest.h"
#include "core/wire/resource_version.h"
#include "scenarios/checkers/history_view.h"
#include "scenarios/checkers/wire_view.h"

namespace relist {
namespace {

int SmallNumber(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Of a version that is badly written, too, so that only W16 minds.
uint64_t NumberIn(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of('0'), text.size()));
  return ParseResourceVersion(text).value_or(0);
}

// One look at each field: a life has hundreds of these lines.
WireLine LineOf(const HistoryEntry& entry, uint64_t order) {
  WireLine line;
  line.when = entry.when();
  line.order = order;
  line.entry = &entry;
  line.object = entry.object().get();
  for (const auto& [name, value] : entry.fields()) {
    if (name == "type") {
      line.type = ParseEventType(value).value_or(EventType::kError);
    } else if (name == "key") {
      line.key = value;
    } else if (name == "uid") {
      line.uid = value;
    } else if (name == "rv") {
      line.rv_text = value;
      line.rv = NumberIn(value);
    } else if (name == "body") {
      line.body = Digest::Parse(value);
    } else if (name == "end") {
      line.ends_initial = value == "true";
    } else if (name == "code") {
      line.code = SmallNumber(value);
    }
  }
  return line;
}

void ReadAnswer(const HistoryEntry& entry, WireRequest* request) {
  request->status = SmallNumber(entry.Get("status"));
  request->retry_after = entry.Get("retry_after");
  request->error = request->status >= 400 ? entry.object().get() : nullptr;
  request->rv_text = entry.Get("rv");
  request->rv = NumberIn(request->rv_text);
  const std::string& items = entry.Get("items");
  request->items = items.empty() ? -1 : SmallNumber(items);
  request->digest = Digest::Parse(entry.Get("digest"));
  request->next = entry.Get("continue");
}

void ReadEnd(const HistoryEntry& entry, WireRequest* request) {
  using End = WireRequest::End;
  const std::string& how = entry.Get("how");
  request->end = how == "client"                ? End::kClient
                 : how == "FIN" || how == "RST" ? End::kCut
                                                : End::kClean;
  request->ended = entry.when();
  request->end_entry = &entry;
}

// What the server made is judged, not what a fault made of it.
void UndoLineFaults(const ServerRequest& server, std::vector<WireLine>* lines) {
  std::erase_if(*lines, [](const WireLine& line) { return !line.entry->Get("fault").empty(); });
  for (size_t i = 0; i < server.kept.size(); ++i)
    lines->push_back(LineOf(*server.kept[i], server.kept_orders[i]));
  std::sort(lines->begin(), lines->end(),
            [](const WireLine& a, const WireLine& b) { return a.order < b.order; });
}

WireRequest RequestOf(uint64_t id, const ServerRequest& server) {
  WireRequest request;
  request.id = id;
  request.replica = server.replica;
  const HistoryEntry& asked = *server.request;
  request.ask = AskOf(asked.Get("method"), asked.Get("target"), asked.Get("accept"));
  request.received = asked.when();
  request.received_order = server.received.order;
  request.newest_before = server.received.newest;
  request.request_entry = &asked;
  request.faults = server.faults;
  request.slow = server.faults.slow;
  request.answers = server.answers;
  request.ends = server.ends;
  request.answered_order = server.answered.order;
  request.newest_then = server.answered.newest;
  request.list_floor = server.answered.list_floor;
  request.watch_floor = server.answered.watch_floor;
  request.list_floor_max = server.answered.list_floor_max;
  request.watch_floor_max = server.answered.watch_floor_max;
  request.ended_order = server.ended.order;
  request.answer_entry = server.open ? server.open : server.answer;
  if (request.answer_entry) {
    request.state = server.open ? WireRequest::State::kOpen : WireRequest::State::kAnswered;
    request.answered = request.answer_entry->when();
    ReadAnswer(*request.answer_entry, &request);
  }
  if (server.end) ReadEnd(*server.end, &request);
  request.lines.reserve(server.events.size());
  for (size_t i = 0; i < server.events.size(); ++i)
    request.lines.push_back(LineOf(*server.events[i], server.event_orders[i]));
  if (server.faults.lines) UndoLineFaults(server, &request.lines);
  return request;
}

}  // namespace

WireView WireOf(const HistoryView& history, const WireKnobs& knobs) {
  WireView wire(&history.truth(), knobs);
  wire.end = history.end();
  wire.first_revision = history.first_revision();
  wire.lag_possible = history.lag_possible();
  wire.unready_possible = history.unready_possible();
  wire.requests.reserve(history.server_request_order().size());
  for (const uint64_t id : history.server_request_order())
    wire.requests.push_back(RequestOf(id, history.server_requests().at(id)));
  return wire;
}

}  // namespace relist
