#include "scenarios/play/cast_options.h"

#include <utility>

#include "fakeapi/api/resources.h"

namespace relist {

std::string HandlerName(size_t index) {
  return index == 0 ? "handler" : "handler" + std::to_string(index + 1);
}

RestClientOptions RestOptionsOf(const ClientSpec& spec, const Endpoint& endpoint,
                                const PlantedBugs& bugs) {
  RestClientOptions options;
  options.endpoint = endpoint;
  options.user_agent = spec.name;
  options.bugs = bugs;
  options.list_deadline = spec.list_deadline;
  if (spec.watch_deadline)
    options.watch_deadline_margin = spec.watch_deadline_margin;
  else
    options.watch_deadline_margin.reset();
  return options;
}

InformerOptions InformerOptionsOf(const ClientSpec& spec, HandlerThreads threads, Choices* choices,
                                  std::shared_ptr<Recorder> recorder, const PlantedBugs& bugs) {
  InformerOptions options;
  ReflectorOptions& reflector = options.reflector;
  reflector.choices = choices;
  reflector.bugs = bugs;
  reflector.recorder = std::move(recorder);
  reflector.page_size = spec.page_size;
  reflector.streaming_list = spec.streaming_list;
  reflector.streaming_list_patience = spec.streaming_list_patience;
  reflector.fresh_relists = spec.fresh_relists;
  reflector.pace_reopening = spec.pace_reopening;
  reflector.min_watch_timeout = spec.min_watch_timeout;
  reflector.max_internal_error_retry = spec.internal_error_retry;
  reflector.backoff = spec.backoff;
  const Resource& resource = fakeapi::FindByName(spec.resource)->resource;
  reflector.expected_kind = resource.kind;
  reflector.expected_api_version = resource.GroupVersion();
  options.handler_threads = threads;
  options.resync_check_period = spec.resync;
  options.in_order_informers = spec.in_order_informers;
  options.atomic_fifo = spec.atomic_fifo;
  options.in_order_informers_batch_process = spec.in_order_informers_batch_process;
  // With client-go's default a handler that throws ends its program, which here is the run's.
  options.crash_on_panic = false;
  return options;
}

HandlerOptions HandlerOptionsOf(const ClientSpec& spec, size_t index) {
  const HandlerSpec& handler = spec.handlers[index];
  HandlerOptions options;
  options.name = HandlerName(index);
  options.resync_period = handler.resync;
  options.call_takes = handler.delay;
  return options;
}

}  // namespace relist
