#include "scenarios/play/stage.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/wire/label_selector.h"
#include "core/wire/list_options.h"
#include "core/wire/status.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/store/selectors.h"
#include "fakeapi/store/store.h"
#include "scenarios/script/object_bodies.h"

namespace relist {
namespace {

// Between the seeds of two steps: that one is added behind them changes nothing of the others.
constexpr uint64_t kStepsApart = 0xbf58476d1ce4e5b9;

fakeapi::ApiServerOptions ServerOptions(const Scenario& scenario, const StageOptions& stage,
                                        Choices* choices, TimePoint start, History* history) {
  fakeapi::ApiServerOptions options;
  options.token = stage.token;
  options.watch_window = scenario.watch_window;
  options.watcher_buffer = scenario.watcher_buffer;
  options.not_ready = scenario.not_ready;
  options.replicas = scenario.replicas;
  options.bookmark_period = scenario.bookmark_period;
  options.timeout_min = scenario.timeout_min;
  options.fresh_wait = scenario.fresh_wait;
  options.controllers = scenario.controllers;
  options.compaction_period = stage.compaction_period;
  options.started = start;
  options.start_revision = stage.start_revision;
  options.choices = choices;
  options.history = history;
  return options;
}

// "app=web,tier==db": the labels that an object needs; nothing where the selector says more than
// that.
std::optional<nlohmann::ordered_json> LabelsFor(const std::string& selector) {
  auto labels = nlohmann::ordered_json::object();
  for (size_t begin = 0; begin < selector.size();) {
    const size_t end = std::min(selector.find(',', begin), selector.size());
    const std::string term = selector.substr(begin, end - begin);
    const size_t equals = term.find('=');
    if (equals == std::string::npos || term[0] == '!' || (equals > 0 && term[equals - 1] == '!'))
      return std::nullopt;
    labels[term.substr(0, equals)] = term.substr(term.find_last_of('=') + 1);
    begin = end + 1;
  }
  return labels;
}

std::string CollectionPath(const StepSpec& step) {
  ListOptions options;
  options.label_selector = step.label_selector;
  options.field_selector = step.field_selector;
  const std::string query = options.ToQuery();
  const std::string path = TypeOf(step.object.resource).resource.Path(step.object.ns);
  return query.empty() ? path : path + "?" + query;
}

}  // namespace

Stage::Stage(const Scenario& scenario, uint64_t seed, TimePoint start, History* history,
             const StageOptions& options)
    : scenario_(scenario),
      options_(options),
      choices_(seed),
      server_(ServerOptions(scenario, options, &choices_, start, history)),
      faults_(scenario, seed),
      history_(history) {
  for (size_t i = 0; i < scenario.steps.size(); ++i)
    dice_.emplace_back(seed + kStepsApart * (i + 1));
}

void Stage::Prepare(TimePoint now) {
  for (const ClientSpec& client : scenario_.clients) {
    MakeNamespace(client.ns, client.line, client.column, now);
  }
  for (const ObjectSpec& object : scenario_.objects) {
    MakeNamespace(object.ns, object.line, object.column, now);
    Write(
        object,
        fmt::format("{}:{}:{}: this object could not be written",
                    object.file.empty() ? scenario_.file : object.file, object.line, object.column),
        now);
  }
  for (const StepSpec& step : scenario_.steps) {
    if (step.kind == StepSpec::Kind::kWrite)
      MakeNamespace(step.object.ns, step.line, step.column, now);
  }
}

void Stage::MakeNamespace(const std::string& ns, int line, int column, TimePoint now) {
  if (ns.empty() || server_.store().Find(TypeOf("namespaces"), {"", ns})) return;
  ObjectSpec object;
  object.resource = "namespaces";
  object.name = ns;
  Write(object, fmt::format("{}:{}:{}: its namespace", scenario_.file, line, column), now);
}

bool Stage::Write(const ObjectSpec& object, const std::string& what, TimePoint now) {
  const fakeapi::ResourceType& type = TypeOf(object.resource);
  const ObjectKey key{object.ns, object.name};
  const fakeapi::StoredRef there = server_.store().Find(type, key);
  ObjectSpec whole = object;
  if (there) {  // some kinds (leases) are not replaced without it
    auto body = nlohmann::ordered_json::parse(object.body_json);
    body["metadata"].emplace("resourceVersion", std::to_string(there->revision));
    whole.body_json = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  const std::string path =
      there ? type.resource.Path(key.ns, key.name) : type.resource.Path(key.ns);
  return Call(there ? "PUT" : "POST", path, BodyOf(whole), what, now);
}

bool Stage::Call(const std::string& method, const std::string& path, std::string body,
                 const std::string& what, TimePoint now) {
  fakeapi::Request request;
  request.method = method;
  // A misspelt field would quietly do nothing.
  request.target = method == "DELETE" ? path : path + "?fieldValidation=Strict";
  request.headers = {
      {"Content-Type", method == "PATCH" ? "application/merge-patch+json" : "application/json"}};
  if (!options_.token.empty()) {
    request.headers.emplace_back("Authorization", "Bearer " + options_.token);
  }
  request.body = std::move(body);
  fakeapi::Reply reply = server_.Handle(request, now, now);
  const auto* response = std::get_if<fakeapi::Response>(&reply);
  if (response && response->status < 300) return true;
  const std::string answer = response ? response->BodyText() : "no answer";
  const std::optional<Status> status = Status::Parse(answer);
  problems_.push_back(fmt::format("{}: {}", what, status ? status->message : answer));
  return false;
}

void Stage::Change(const StepSpec& step, const std::string& where, TimePoint now) {
  const Resource& resource = TypeOf(step.object.resource).resource;
  const std::string path = resource.Path(step.object.ns, step.object.name);
  const uint64_t before = server_.revision();
  const std::string what = where + " failed";
  bool done = false;
  using enum StepSpec::Kind;
  if (step.kind == kWrite) {
    done = Write(step.object, what, now);
  } else if (step.kind == kPatch) {
    done = Call("PATCH", path, step.object.body_json, what, now);
  } else if (step.kind == kWriteStatus) {
    done = WriteStatus(step.object, what, now);
  } else if (step.kind == kDeleteCollection) {
    done = Call("DELETE", CollectionPath(step), "", what, now);
  } else {
    done = Call("DELETE", path, "", what, now);
  }
  if (!done || server_.revision() != before) return;
  problems_.push_back(where + (step.kind == kDeleteCollection
                                   ? " changed nothing: no object was there that it means"
                                   : " changed nothing: the object was as it says already"));
}

// A PUT of the whole object, as a controller's: only the status of what is sent counts.
bool Stage::WriteStatus(const ObjectSpec& object, const std::string& what, TimePoint now) {
  const fakeapi::ResourceType& type = TypeOf(object.resource);
  const ObjectKey key{object.ns, object.name};
  const fakeapi::StoredRef found = server_.store().Find(type, key);
  if (!found) {
    problems_.push_back(
        fmt::format("{}: {} {} is not there", what, type.resource.plural, key.ToString()));
    return false;
  }
  const std::string path = type.resource.Path(key.ns, key.name);
  ObjectSpec whole = object;
  auto body = nlohmann::ordered_json::parse(found->bytes);
  body["status"] = nlohmann::ordered_json::parse(object.body_json)["status"];
  whole.body_json = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return Call("PUT", path + "/status", BodyOf(whole), what, now);
}

bool Stage::Happens(const StepSpec& step, TimePoint now) {
  if (step.chance < 1) {
    // 0, the boring answer, leaves it out.
    SeededChoices& dice = dice_[static_cast<size_t>(&step - scenario_.steps.data())];
    const bool happens = dice.Unit("step") >= 1 - step.chance;
    if (history_) {
      history_->Add(now, "run", "chance")
          .Set("line", std::to_string(step.line))
          .Set("happens", happens ? "true" : "false");
    }
    if (!happens) {
      faults_.LeftOut(step);
      return false;
    }
  }
  faults_.Did(step);
  return true;
}

void Stage::Do(const StepSpec& step, TimePoint now) {
  CHECK(!step.is_for_client(), "the stage has no clients to {}", Name(step.kind));
  if (!Happens(step, now)) return;
  const std::string where = fmt::format("{}:{}:{}: this step ({})", scenario_.file, step.line,
                                        step.column, Name(step.kind));
  switch (step.kind) {
    case StepSpec::Kind::kWrite:
    case StepSpec::Kind::kPatch:
    case StepSpec::Kind::kDelete:
    case StepSpec::Kind::kWriteStatus:
    case StepSpec::Kind::kDeleteCollection:
      return Change(step, where, now);
    case StepSpec::Kind::kCompact:
      return server_.Compact(now, 0, step.learned);
    case StepSpec::Kind::kEvict:
      return server_.Evict(now, step.replica);
    case StepSpec::Kind::kRestart:
      return server_.Restart(now, step.replica, step.length);
    case StepSpec::Kind::kBookmark:
      return faults_.SentBookmarks(step, server_.Bookmark(now, step.replica));
    case StepSpec::Kind::kPause:
      return server_.Pause(now, step.replica);
    case StepSpec::Kind::kResume:
      return server_.Resume(now, step.replica);
    case StepSpec::Kind::kLag:
      return server_.SetLag(now, step.length, step.replica);
    case StepSpec::Kind::kRefuse:
      return faults_.Refuse(step, now);
    case StepSpec::Kind::kStop:
    case StepSpec::Kind::kStart:
    case StepSpec::Kind::kAsk:
      return;
  }
}

std::vector<fakeapi::RequestHandler*> Stage::Replicas() {
  std::vector<fakeapi::RequestHandler*> replicas;
  for (size_t i = 1; i < server_.replicas(); ++i) replicas.push_back(&server_.Front(i));
  return replicas;
}

void Stage::CatchUp(TimePoint now) {
  const auto holds_back = [](const StepSpec& step) {
    return step.kind == StepSpec::Kind::kPause || step.kind == StepSpec::Kind::kLag;
  };
  if (std::none_of(scenario_.steps.begin(), scenario_.steps.end(), holds_back)) return;
  server_.Resume(now);
  server_.SetLag(now, {});
}

void Stage::WriteSentinels(TimePoint now) {
  for (const ClientSpec& client : scenario_.clients) {
    const std::optional<nlohmann::ordered_json> labels = LabelsFor(client.label_selector);
    ObjectSpec sentinel;
    sentinel.resource = client.resource;
    sentinel.name = kSentinel;
    const bool namespaced = TypeOf(client.resource).namespaced();
    sentinel.ns = !namespaced ? "" : client.ns.empty() ? "default" : client.ns;
    MakeNamespace(sentinel.ns, client.line, client.column, now);  // a controller let it go, perhaps
    nlohmann::ordered_json body =
        nlohmann::ordered_json::parse(SmallestBody(TypeOf(client.resource)));
    if (labels && !labels->empty()) body["metadata"]["labels"] = *labels;
    body["metadata"]["annotations"]["for"] =
        client.name;  // two clients of one scope: the second write is a change
    sentinel.body_json = body.dump();
    Write(sentinel, "the sentinel of " + client.name, now);
    const bool seen = Truth(client).contains({sentinel.ns, sentinel.name});
    marks_.push_back(seen ? 0 : server_.revision());
  }
  SendMarks(now);
}

void Stage::SendMarks(TimePoint now) {
  const bool any =
      std::any_of(marks_.begin(), marks_.end(), [](uint64_t mark) { return mark > 0; });
  if (any) server_.Bookmark(now);
}

KeyVersions Stage::Truth(const ClientSpec& client) {
  const fakeapi::ResourceType& type = TypeOf(client.resource);
  const auto labels = LabelSelector::Parse(client.label_selector);
  const auto fields = fakeapi::FieldSelector::Parse(type, client.field_selector);
  KeyVersions truth;
  if (!labels.ok() || !fields.ok()) return truth;
  for (const auto& [key, object] : server_.store().All(type)) {
    if (!client.ns.empty() && key.ns != client.ns) continue;
    if (!labels->Matches(object->labels) || !fields->Matches(object->key, object->fields)) continue;
    truth[key] = std::to_string(object->revision);
  }
  return truth;
}

}  // namespace relist
