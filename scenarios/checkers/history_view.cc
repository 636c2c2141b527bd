#include "scenarios/checkers/history_view.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <iterator>
#include <utility>

#include "core/wire/resource_version.h"
#include "fakeapi/api/request_target.h"
#include "fakeapi/api/resource_path.h"
#include "fakeapi/api/resources.h"

namespace relist {
namespace {

uint64_t Number(std::string_view text) {
  return ParseResourceVersion(text).value_or(0);
}

EventType TypeOf(const HistoryEntry& entry) {
  return ParseEventType(entry.Get("type")).value_or(EventType::kError);
}

// What a thread writes down may be as old as its turn.
constexpr Duration kClockSlack = Millis(100);

constexpr uint64_t kReplicasMax = 1000;

int ReplicaOf(const HistoryEntry& entry) {
  return static_cast<int>(std::min(Number(entry.Get("replica")), kReplicasMax));
}

// Of these it is known which bytes reach the client: those that the history tells of.
constexpr std::string_view kSureVerdicts[] = {"split", "error",  "answer",    "duplicate", "drop",
                                              "alter", "insert", "lines end", "http"};
// Lines that are no longer the server's: taken away, or put there.
constexpr std::string_view kLineVerdicts[] = {"drop", "alter", "insert", "reorder"};

template <size_t N>
bool StartsWithOneOf(std::string_view text, const std::string_view (&beginnings)[N]) {
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [text](std::string_view beginning) { return text.starts_with(beginning); });
}

void ReadFault(const HistoryEntry& entry, ServerRequest* request) {
  const std::string_view verdict = entry.Get("verdict");
  request->unsure |= !StartsWithOneOf(verdict, kSureVerdicts);
  WireFaults& faults = request->faults;
  faults.any = true;
  faults.answer |= verdict.starts_with("answer");
  faults.error |= verdict.starts_with("error");
  faults.duplicate |= verdict.starts_with("duplicate");
  faults.lines |= StartsWithOneOf(verdict, kLineVerdicts);
  faults.ended |= verdict.starts_with("cut");
  const bool slow =
      verdict.starts_with("stall") || verdict.starts_with("hold") || verdict.starts_with("slow");
  faults.slow |= slow;
  if (slow) request->slow_since = &entry;
}

// No connection, no request.
bool NeverArrived(const ClientRequest& request) {
  if (!request.answer) return false;
  const std::string& error = request.answer->Get("error");
  return error == Name(Transport::kRefused) || error == Name(Transport::kTls);
}

bool BelongTogether(const std::string& client, const ClientRequest& request,
                    const ServerRequest& server, bool lost) {
  const std::string& agent = server.request->Get("agent");
  if (!agent.empty() && agent != client) return false;
  if (server.request->when() + kClockSlack < request.entry->when()) return false;
  const HistoryEntry* answered = server.open ? server.open : server.answer;
  const std::string status = request.answer ? request.answer->Get("status") : "";
  if (lost) return status.empty() && (server.faults.any || !answered);
  return answered && status == answered->Get("status");
}

}  // namespace

double RateOf(const HistoryEntry& head) {
  constexpr double kMost = 60;
  // In this order also what is no number is 1.
  return std::min(kMost, std::max(1.0, std::strtod(head.Get("rate").c_str(), nullptr)));
}

std::string_view QueryValue(std::string_view target, std::string_view name) {
  size_t at = target.find('?');
  while (at != std::string_view::npos) {
    const std::string_view rest = target.substr(at + 1);
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    if (pair.starts_with(name) && pair.size() > name.size() && pair[name.size()] == '=') {
      return pair.substr(name.size() + 1);
    }
    at = end == rest.size() ? std::string_view::npos : at + 1 + end;
  }
  return {};
}

HistoryView::HistoryView(const History& history) : start_(history.start()) {
  if (!history.entries().empty()) end_ = history.entries().back().when();
  for (const HistoryEntry& entry : history.entries()) {
    if (entry.actor() == "server") {
      ReadServerLine(entry);
    } else if (entry.actor() == "run") {
      const std::string& phase = entry.Get("name");
      if (phase == "end") ended_ = true;
      if (phase == "converged") converged_ = &entry;
      if (entry.what() == "mark") marks_.push_back(&entry);
    } else {
      ReadClientLine(entry);
    }
  }
  MatchRequests();
  for (ClientView& client : clients_) {
    if (client.joined) FinishJoined(&client);
  }
}

HistoryView::~HistoryView() = default;

void HistoryView::ReadServerLine(const HistoryEntry& entry) {
  const std::string& what = entry.what();
  has_server_ = true;
  ++order_;
  if (what == "commit") {
    newest_ = std::max(newest_, Number(entry.Get("rv")));
    truth_.Add({Number(entry.Get("rv")), entry.Get("resource"), entry.Get("key"), entry.Get("uid"),
                TypeOf(entry), entry.object().get(), &entry, order_});
    return;
  }
  if (what == "control") return ReadControl(entry);
  if (what == "history") rate_ = RateOf(entry);
  if (what == "fault") last_fault_ = &entry;
  const std::string& id_text = entry.Get("id");
  if (id_text.empty()) return;
  const uint64_t id = Number(id_text);
  ServerRequest& request = requests_[id];
  if (what == "request") {
    ReadRequestLine(entry, &request);
    request_order_.push_back(id);
  } else if (what == "answer" || what == "open") {
    (what == "answer" ? request.answer : request.open) = &entry;
    Floors& floors = FloorsOf(request.replica);
    if (what == "open" && std::exchange(floors.filling, false)) floors.watch_max = newest_;
    if (request.answers++ == 0) request.answered = Now(request.replica);
  } else if (what == "end") {
    request.end = &entry;
    if (request.ends++ == 0) request.ended = Now(request.replica);
  } else if (what == "event") {
    // Only where a fault struck a line need anybody look.
    const bool kept = request.faults.lines && !entry.Get("kept").empty();
    (kept ? request.kept : request.events).push_back(&entry);
    (kept ? request.kept_orders : request.event_orders).push_back(order_);
  } else if (what == "fault") {
    ReadFault(entry, &request);
  }
}

void HistoryView::ReadRequestLine(const HistoryEntry& entry, ServerRequest* request) {
  if (request_order_.empty()) first_revision_ = newest_;
  request->request = &entry;
  request->replica = ReplicaOf(entry);
  request->received = Now(request->replica);
  lag_possible_ |= request->replica > 0;
}

// What a server forgets. Of the parameters of other actions nothing is known here, but that a
// replica may then be behind.
void HistoryView::ReadControl(const HistoryEntry& entry) {
  const std::string& action = entry.Get("action");
  const uint64_t rv = Number(entry.Get("rv"));
  const int replica = ReplicaOf(entry);
  newest_ = std::max(newest_, rv);
  lag_possible_ |= replica > 0;
  unready_possible_ |= !entry.Get("not_ready").empty();
  const bool lists_anew = action == "restart" || action == "ready";
  if (replica == 0 && (action == "evict" || lists_anew)) common_floor_ = rv;
  if (action == "compact") {
    etcd_floor_ = std::max(etcd_floor_, rv);
    if (entry.Get("learned") == "true") FloorsOf(replica).list = etcd_floor_;
  } else if (action == "evict") {
    FloorsOf(replica).watch = rv;
  } else if (lists_anew) {
    // A cache that is not ready begins where it is filled, which a line of its own tells.
    const bool filling = !entry.Get("not_ready").empty();
    FloorsOf(replica) = {etcd_floor_, rv, filling, rv};
    if (replica == 0 && filling) {
      for (Floors& floors : floors_) floors.filling = true;
    }
  } else if (action == "reset") {
    truth_.AddReset(rv);
    etcd_floor_ = reset_floor_ = rv;
    floors_.clear();
  } else if (action != "bookmark") {
    lag_possible_ = true;
  }
}

HistoryView::Floors& HistoryView::FloorsOf(int replica) {
  const auto at = static_cast<size_t>(replica);
  if (floors_.size() <= at) floors_.resize(at + 1, {reset_floor_, reset_floor_, false, 0});
  return floors_[at];
}

ServerMoment HistoryView::Now(int replica) {
  const Floors& floors = FloorsOf(replica);
  const uint64_t watch_max = std::max({floors.watch, floors.watch_max, common_floor_});
  // Each replica learns of a compaction in its own time; until then it may have a snapshot from
  // below, if its cache is that old and the window still reaches there.
  const uint64_t list_max = std::max(floors.list, etcd_floor_);
  return {order_, newest_, floors.list, floors.watch, list_max, watch_max};
}

ClientView& HistoryView::ClientOf(const std::string& name) {
  // The last of that name: those before it were stopped, and what a stopped one says is its own.
  for (auto client = clients_.rbegin(); client != clients_.rend(); ++client) {
    if (client->name == name) return *client;
  }
  clients_.emplace_back().name = name;
  return clients_.back();
}

void HistoryView::ReadClientLine(const HistoryEntry& entry) {
  const std::string& what = entry.what();
  if (what == "started") clients_.emplace_back().name = entry.actor();
  ClientView& client = ClientOf(entry.actor());
  if (what == "callback") {
    ReadCallback(&client, entry);
  } else if (what == "position") {
    ReadPosition(&client, entry);
  } else if (what == "request") {
    ReadRequest(&client, entry);
  } else if (what == "answer") {
    for (auto it = client.requests.rbegin(); it != client.requests.rend(); ++it) {
      if (it->entry->Get("n") != entry.Get("n")) continue;
      it->answer = &entry;
      break;
    }
  } else if (what == "relist") {
    ClientList list;
    list.relist = &entry;
    list.index = client.lines.size();
    list.rv = list.reached = client.position;
    client.lists.push_back(list);
  } else if (what == "log") {
    client.joined = true;
  } else if (what == "synced") {
    client.synced.push_back(&entry);
  } else if (what == "store") {
    client.store.push_back(&entry);
    client.store_shown = true;
  } else if (what == "dump") {
    client.store_shown = true;
  } else if (what == "stop" || what == "stopped") {
    if (!client.first_stop) client.first_stop = &entry;
    // Behind the end of a run its clients are stopped, and their stores are final as they are.
    client.stopped |= what == "stopped" && !ended_;
  }
  client.lines.push_back(&entry);
}

void HistoryView::ReadRequest(ClientView* client, const HistoryEntry& entry) {
  const std::string_view target = entry.Get("target");
  if (client->requests.empty()) {
    const fakeapi::RequestTarget parsed = fakeapi::ParseTarget(target);
    const fakeapi::ResourcePath path = fakeapi::ParseResourcePath(parsed.path);
    if (path.resource) client->resource = path.resource->resource.GroupResource();
    client->ns = path.key.ns;
    for (const auto& [name, value] : parsed.query) {
      if (name == "labelSelector") client->label_selector = value;
      if (name == "fieldSelector") client->field_selector = value;
    }
  }
  ClientRequest request;
  request.entry = &entry;
  request.index = client->lines.size();
  request.target = target;
  request.rv = QueryValue(target, "resourceVersion");
  request.watch = entry.Get("verb") == "WATCH";
  request.streaming_list = request.watch && QueryValue(target, "sendInitialEvents") == "true";
  request.list = entry.Get("verb") == "LIST";
  client->unlisted_start |=
      request.watch && !request.streaming_list && (request.rv.empty() || request.rv == "0");
  if (request.watch && !request.streaming_list && !client->lists.empty()) {
    client->lists.back().reached = std::max(client->lists.back().reached, Number(request.rv));
  }
  client->requests.push_back(request);
}

void HistoryView::ReadCallback(ClientView* client, const HistoryEntry& entry) {
  ClientCallback callback;
  callback.entry = &entry;
  callback.index = client->lines.size();
  callback.key = entry.Get("key");
  callback.uid = entry.Get("uid");
  callback.rv = Number(entry.Get("rv"));
  const std::string& type = entry.Get("type");
  using Type = ClientCallback::Type;
  callback.type = type == "added"      ? Type::kAdded
                  : type == "modified" ? Type::kModified
                                       : Type::kDeleted;
  callback.tombstone = entry.Get("tombstone") == "true";
  callback.same_version =
      callback.type == Type::kModified && entry.Get("old_rv") == entry.Get("rv");
  client->callbacks[entry.Get("handler")].push_back(callback);
}

// The position that a list gives stands right behind it; there is no such line where the version
// did not move.
void HistoryView::ReadPosition(ClientView* client, const HistoryEntry& entry) {
  client->position = Number(entry.Get("rv"));
  if (client->lists.empty()) return;
  ClientList& list = client->lists.back();
  if (!client->lines.empty() && client->lines.back() == list.relist) {
    list.rv = list.reached = client->position;
  }
  list.reached = std::max(list.reached, client->position);
}

uint64_t HistoryView::HeardUpTo(const ClientView& client) const {
  if (client.joined) return client.lists.empty() ? 0 : client.lists.back().reached;
  return EndedWith(client) ? UINT64_MAX : 0;
}

// What a log tells of a callback beyond all lists can only have come through the last stream, and
// so has all before it. And a log may not say what an update's old version was.
void HistoryView::FinishJoined(ClientView* client) const {
  uint64_t newest_list = 0;
  for (const ClientList& list : client->lists) newest_list = std::max(newest_list, list.rv);
  for (auto& [handler, callbacks] : client->callbacks) {
    std::unordered_map<std::string_view, uint64_t> shown;
    for (ClientCallback& callback : callbacks) {
      uint64_t& last = shown[callback.key];
      const bool modified = callback.type == ClientCallback::Type::kModified;
      if (modified && callback.entry->Get("old_rv").empty())
        callback.same_version = callback.rv == last;
      last = callback.rv;
      if (client->lists.empty() || callback.tombstone || callback.rv <= newest_list) continue;
      const TruthCommit* commit = CommitAt(callback.rv);
      if (!commit || commit->key != callback.key) continue;  // C2's
      client->lists.back().reached = std::max(client->lists.back().reached, callback.rv);
    }
  }
}

// Lines of the two sides belong together by target, by time, and by what was answered: first those
// that were, then those whose answer was lost. Which client a request came from is told by its
// agent, where the server wrote it down.
void HistoryView::MatchRequests() {
  std::unordered_map<std::string_view, std::deque<ServerRequest*>> waiting;
  for (const uint64_t id : request_order_) {
    ServerRequest& request = requests_[id];
    waiting[request.request->Get("target")].push_back(&request);
  }
  for (ClientView& client : clients_) {
    for (ClientRequest& request : client.requests) {
      const std::string& id = request.entry->Get("id");
      if (id.empty()) continue;
      const auto same = requests_.find(Number(id));
      if (same != requests_.end() && same->second.request) request.server = &same->second;
    }
  }
  for (const bool lost : {false, true}) {
    for (ClientView& client : clients_) {
      for (ClientRequest& request : client.requests) {
        const auto found = waiting.find(request.target);
        if (found == waiting.end() || request.server || NeverArrived(request)) continue;
        std::deque<ServerRequest*>& servers = found->second;
        const auto match =
            std::find_if(servers.begin(), servers.end(), [&](const ServerRequest* server) {
              return BelongTogether(client.name, request, *server, lost);
            });
        if (match == servers.end()) continue;
        request.server = *match;
        servers.erase(match);
      }
    }
  }
}

HistoryView::State HistoryView::StateAt(const ClientView& client, uint64_t rv) const {
  State state;
  for (const TruthCommit* commit : truth_.Of(client.scope()).StateAt(rv))
    state.emplace(commit->key, commit);
  return state;
}

}  // namespace relist
