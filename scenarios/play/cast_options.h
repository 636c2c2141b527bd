// The options of a client of a scenario: what its keys mean to our informer.
//
//   RestClient rest(loop, RestOptionsOf(spec, endpoint, bugs));
//   SharedInformer informer(loop, lister, InformerOptionsOf(spec, threads, &choices, recorder,
//                                                           bugs));
//
// Pure functions.
#pragma once

#include <memory>

#include "core/choices.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/planted_bugs.h"
#include "reflector/rest/rest_options.h"
#include "scenarios/script/client_spec.h"

namespace relist {

RestClientOptions RestOptionsOf(const ClientSpec& spec, const Endpoint& endpoint,
                                const PlantedBugs& bugs);

InformerOptions InformerOptionsOf(const ClientSpec& spec, HandlerThreads threads, Choices* choices,
                                  std::shared_ptr<Recorder> recorder, const PlantedBugs& bugs);

// Of the handler at `index` of the client.
HandlerOptions HandlerOptionsOf(const ClientSpec& spec, size_t index);

}  // namespace relist
