#include "scenarios/asker.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/wire/object_key.h"
#include "reflector/rest/rest_transport.h"

namespace relist {
namespace {

// As they are in the answer; nothing where it is no list of objects.
std::optional<std::string> KeysIn(const std::string& body) {
  const auto answer = nlohmann::json::parse(body, nullptr, false);
  if (!answer.is_object() || !answer.contains("items") || !answer["items"].is_array())
    return std::nullopt;
  std::string keys;
  for (const nlohmann::json& item : answer["items"]) {
    if (!item.is_object() || !item.contains("metadata")) return std::nullopt;
    const nlohmann::json& metadata = item["metadata"];
    if (!metadata.is_object()) return std::nullopt;
    const ObjectKey key{metadata.value("namespace", ""), metadata.value("name", "")};
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
  if (exchange.ok() && (*exchange)->done() && !(*exchange)->failed()) TellOfList(as, body);
  --open_;
}

void Asker::TellOfList(const std::string& as, const std::string& body) {
  const std::optional<std::string> keys = KeysIn(body);
  if (keys) history_->Add(loop_.Now(), "run", "listed").Set("as", as).Set("keys", *keys);
}

}  // namespace relist
