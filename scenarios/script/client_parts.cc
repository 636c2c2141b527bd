#include "scenarios/script/client_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "scenarios/script/nth_range.h"
#include "scenarios/script/scenario_limits.h"

namespace relist {
namespace {

// It is a header's value, a key of "expect", and a word of each line of the history.
bool IsClientName(const std::string& name) {
  return !name.empty() && name.size() <= kNameBytesMax &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return c < 0x80 && (std::isalnum(c) || c == '.' || c == '_' || c == '-');
         });
}

}  // namespace

void CheckClientName(YamlMap& map, const std::string& key, const std::string& name) {
  if (!IsClientName(name)) {
    map.Problem(key, fmt::format("\"{}\" cannot be a client's name: letters, digits, \".\", "
                                 "\"_\" and \"-\", at most {} of them",
                                 name, kNameBytesMax));
  }
  for (const char* taken : {"server", "run", "verdicts"}) {
    if (name == taken)
      map.Problem(key,
                  fmt::format("\"{}\" cannot be a client's name: it means something else", taken));
  }
}

namespace {

// "none" is as client-go, which waits for ever.
void ReadDurationOrNone(YamlMap& map, const char* key, std::optional<Duration>* into) {
  if (map.Is(key, "none")) return into->reset();
  Duration length = into->value_or(Duration{});
  map.Read(key, &length, {.least = Millis(1), .most = kDeadlineMax});
  if (map.Has(key)) *into = length;
}

// A period of its own; 0: none.
void ReadResync(YamlMap& map, Duration* into) {
  map.Read("resync", into);
  if (*into > Duration{} && *into < kPeriodMin) {
    map.Problem("resync", fmt::format("\"resync\" is at least {}, or 0 for none",
                                      FormatDuration(kPeriodMin)));
  }
}

HandlerSpec ReadHandler(YamlMap& map) {
  HandlerSpec handler;
  handler.line = map.line();
  handler.column = map.column();
  map.Read("delay", &handler.delay, {.most = kCallMax});
  ReadNth(map, "fails", &handler.fails_first, &handler.fails_last);
  Duration resync{};
  ReadResync(map, &resync);
  if (map.Has("resync")) handler.resync = resync;
  map.Finish();
  return handler;
}

// "handlers: 2", or what each is like.
void ReadHandlers(YamlMap& map, YamlProblems* problems, std::vector<HandlerSpec>* into) {
  const YAML::Node node = map.Take("handlers");
  map.Note("handlers",
           {.kind = KeyShape::Kind::kWhole, .least = "1", .most = std::to_string(kHandlersMax)});
  if (!node.IsDefined()) return;
  if (!node.IsSequence()) {
    int count = 1;
    map.Read("handlers", &count, 1, kHandlersMax);
    into->resize(static_cast<size_t>(count));
    return;
  }
  if (node.size() == 0 || node.size() > static_cast<size_t>(kHandlersMax)) {
    return map.Problem("handlers", fmt::format("a client has 1 to {} handlers, not {}",
                                               kHandlersMax, node.size()));
  }
  into->clear();
  for (const YAML::Node& item : node) {
    YamlMap handler(item, "a handler", problems);
    into->push_back(item.IsMap() ? ReadHandler(handler) : HandlerSpec{});
  }
}

void ReadBackoff(YamlMap& map, YamlProblems* problems, BackoffOptions* into) {
  const YAML::Node node = map.Take("backoff");
  if (!node.IsDefined()) return;
  YamlMap backoff(node, "\"backoff\"", problems);
  const DurationRange range{.least = Millis(1), .most = kDeadlineMax};
  backoff.Read("initial", &into->initial, range);
  backoff.Read("cap", &into->cap, range);
  backoff.Read("reset_after", &into->reset_after, range);
  bool jitter = true;
  backoff.Read("jitter", &jitter);
  if (!jitter) into->jitter = 0;
  if (into->initial > into->cap)
    backoff.Problem("cap", "\"cap\" is the longest delay: it is not below \"initial\"");
  backoff.Finish();
}

}  // namespace

ClientSpec ReadClient(YamlMap& map, YamlProblems* problems) {
  ClientSpec client;
  client.line = map.line();
  client.column = map.column();
  map.Read("name", &client.name);
  CheckClientName(map, "name", client.name);
  map.Read("resource", &client.resource);
  map.Read("namespace", &client.ns);
  map.Read("selector", &client.label_selector);
  map.Read("fields", &client.field_selector);
  map.Read("streaming_list", &client.streaming_list);
  map.Read("page_size", &client.page_size, 0, kPageMax);
  ReadHandlers(map, problems, &client.handlers);
  ReadResync(map, &client.resync);
  map.Read("watch_deadline", &client.watch_deadline);
  map.Read("deadline_margin", &client.watch_deadline_margin, {.most = kDeadlineMax});
  ReadDurationOrNone(map, "list_deadline", &client.list_deadline);
  ReadDurationOrNone(map, "streaming_list_patience", &client.streaming_list_patience);
  map.Read("fresh_relists", &client.fresh_relists);
  map.Read("pace_reopening", &client.pace_reopening);
  map.Read("min_watch_timeout", &client.min_watch_timeout, {.most = kDeadlineMax});
  map.Read("internal_error_retry", &client.internal_error_retry, {.most = kDeadlineMax});
  ReadBackoff(map, problems, &client.backoff);
  map.Read("in_order_informers", &client.in_order_informers);
  map.Read("atomic_fifo", &client.atomic_fifo);
  map.Read("in_order_informers_batch_process", &client.in_order_informers_batch_process);
  client.started_by_step = map.Is("start", "step");
  if (!client.started_by_step) map.Read("start", &client.start);
  return client;
}

}  // namespace relist
