#include "scenarios/play/asker.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/wire/json_text.h"
#include "core/wire/object_key.h"
#include "reflector/rest/rest_transport.h"

namespace relist {
namespace {

// As they are in the answer, which a fault may have written; nothing where it is no list of
// objects.
std::optional<std::string> KeysIn(std::string body) {
  nlohmann::json answer;
  if (!ParseJson(&body, &answer) || !answer.is_object()) return std::nullopt;
  const auto items = answer.find("items");
  if (items == answer.end() || !items->is_array()) return std::nullopt;
  std::string keys;
  for (const nlohmann::json& item : *items) {
    if (!item.is_object() || !item.contains("metadata")) return std::nullopt;
    const nlohmann::json& metadata = item["metadata"];
    if (!metadata.is_object()) return std::nullopt;
    const ObjectKey key{TextAt(metadata, "namespace"), TextAt(metadata, "name")};
    keys += (keys.empty() ? "" : " ") + key.ToString();
  }
  return keys;
}

}  // namespace

Asker::Asker(Loop& loop, const Endpoint& endpoint, History* history)
    : loop_(loop), endpoint_(endpoint), history_(history), scope_(loop) {}

void Asker::Ask(const StepSpec& step) {
  ++open_;
  scope_.Spawn(AskOne(step.target, step.client, loop_.Now() + step.length));
}

Task<void> Asker::AskOne(std::string target, std::string as, TimePoint until) {
  RestClientOptions options;
  options.endpoint = endpoint_;
  options.user_agent = as;
  options.accept_gzip = false;
  options.keep_alive = false;
  RestTransport transport(loop_, options);
  RestRequest request;
  request.target = target;
  Task<Result<std::unique_ptr<HttpExchange>>> send = transport.Send(request, until, stop_);
  Result<std::unique_ptr<HttpExchange>> exchange = co_await send;
  Timer timer(loop_, until);
  std::string body;
  while (exchange.ok() && !(*exchange)->done() && !stop_.Ready() && !timer.Ready()) {
    while ((*exchange)->Pump()) body += (*exchange)->TakeBody();
    if ((*exchange)->done()) break;
    Select which(loop_, stop_, (*exchange)->source(), timer);
    co_await which;
  }
  if (exchange.ok()) body += (*exchange)->TakeBody();
  if (exchange.ok() && (*exchange)->done() && !(*exchange)->failed())
    TellOfList(as, std::move(body));
  --open_;
}

void Asker::TellOfList(const std::string& as, std::string body) {
  const std::optional<std::string> keys = KeysIn(std::move(body));
  if (keys) history_->Add(loop_.Now(), "run", "listed").Set("as", as).Set("keys", *keys);
}

}  // namespace relist
