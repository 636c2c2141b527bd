// For fuzzers that ask a whole server: a small one with something of everything in it, and what
// must hold of any answer.
//
//   FuzzServer server;
//   Reply reply = server.Ask({"GET", target, {}, ""});
//   CheckReply(reply, server.now());
//
// What does not hold ends the process, as libFuzzer wants it. Header only: a fuzzer is one file.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

// tidy: fuzzers and their corpus tests alone include this
#include <nlohmann/json.hpp>

#include "core/wire/object_key.h"
#include "fakeapi/api_server.h"

namespace relist::fakeapi {

inline void Require(bool condition) {
  if (!condition) std::abort();
}

// Configmaps a, b, c of ns and a of ns-2, a pod, a node; one was changed, one is gone, etcd is
// compacted below that.
class FuzzServer {
 public:
  FuzzServer() : server_({.compaction_period = {}}) {
    Must("POST", "/api/v1/namespaces", R"({"metadata":{"name":"ns"}})");
    Must("POST", "/api/v1/namespaces", R"({"metadata":{"name":"ns-2"}})");
    const std::string configmaps = "/api/v1/namespaces/ns/configmaps";
    for (const char* name : {"a", "b", "c", "d"}) {
      Must("POST", configmaps,
           std::string(R"({"metadata":{"name":")") + name +
               R"(","labels":{"app":"x","tier":"1"}},"data":{"n":"1"}})");
    }
    Must("POST", "/api/v1/namespaces/ns-2/configmaps", R"({"metadata":{"name":"a"}})");
    Must("POST", "/api/v1/namespaces/ns/pods",
         R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    Must("POST", "/api/v1/nodes", R"({"metadata":{"name":"n"}})");
    Must("PUT", configmaps + "/b", R"({"metadata":{"name":"b"},"data":{"n":"2"}})");
    server_.Compact(now_, server_.revision(), /*learned=*/true);
    Must("DELETE", configmaps + "/d", "");
  }

  // Waits as long as it takes, which is three seconds at most.
  Reply Ask(const Request& request) {
    const TimePoint received = now_;
    Reply reply = server_.Handle(request, received, now_);
    if (const Wait* wait = std::get_if<Wait>(&reply)) {
      Require(wait->until > now_ && wait->until <= received + Seconds(3));
      now_ = wait->until;
      reply = server_.Handle(request, received, now_);
      Require(!std::holds_alternative<Wait>(reply));
    }
    return reply;
  }
  Response Must(const std::string& method, const std::string& target, const std::string& body) {
    Reply reply = Ask({method, target, {{"Content-Type", "application/json"}}, body});
    Response* response = std::get_if<Response>(&reply);
    Require(response != nullptr && response->status < 300);
    return std::move(*response);
  }

  TimePoint now() const { return now_; }
  ApiServer& server() { return server_; }

 private:
  ApiServer server_;
  TimePoint now_ = kSimulationEpoch + Seconds(1);
};

// Making one costs more than most inputs do: it serves until something was changed.
class FuzzServers {
 public:
  FuzzServer& Get() {
    if (server_ == nullptr || server_->server().change_count() != changes_) {
      server_ = std::make_unique<FuzzServer>();
      changes_ = server_->server().change_count();
    }
    return *server_;
  }

 private:
  std::unique_ptr<FuzzServer> server_;
  uint64_t changes_ = 0;
};

inline std::string MediaTypeOf(const Response& response) {
  for (const auto& [name, value] : response.headers) {
    if (SameHeaderName(name, "Content-Type")) return value.substr(0, value.find(';'));
  }
  return "";
}

// Throws, which ends a fuzzer, where it is none.
inline nlohmann::ordered_json JsonOf(const Response& response) {
  return nlohmann::ordered_json::parse(response.BodyText());
}

inline void CheckList(const Response& response, const nlohmann::ordered_json& list) {
  Require(!list.at("metadata").at("resourceVersion").get<std::string>().empty());
  Require(list.at("metadata").value("continue", "") == response.continue_token);
  if (!list.contains("items")) return;  // a Table
  Require(static_cast<int>(list.at("items").size()) == response.items);
  ObjectKey before;
  for (const nlohmann::ordered_json& item : list.at("items")) {
    const nlohmann::ordered_json& meta = item.at("metadata");
    const ObjectKey key{meta.value("namespace", ""), meta.at("name").get<std::string>()};
    Require(before < key);
    before = key;
  }
}

// A Status with the right code, a list in key order, or whatever else, as JSON if it says so.
inline void CheckResponse(const Response& response) {
  Require(response.status >= 200 && response.status < 600);
  if (MediaTypeOf(response) != "application/json") return;
  if (response.BodySize() == 0) return;
  const nlohmann::ordered_json body = JsonOf(response);
  if (response.status >= 400) {
    Require(body.at("kind") == "Status" && body.at("status") == "Failure");
    Require(body.at("code") == response.status);
    Require(!body.at("message").get<std::string>().empty());
  } else if (response.items >= 0) {
    CheckList(response, body);
  }
}

// Lines that are chunks, and in them events, until there is nothing to say or the end. An ERROR is
// the last one; what is not initial comes with versions that grow.
inline void CheckWatchSession(WatchSession& watch, TimePoint now) {
  WatchLine line;
  WatchSession::Step step = watch.Next(now, &line);
  for (int lines = 0; step == WatchSession::Step::kLine; ++lines) {
    Require(lines < 100);
    std::string text;
    for (const Slice& slice : line.chunk) text += slice.bytes;
    const size_t head = text.find("\r\n");
    Require(std::stoul(text, nullptr, 16) + head + 4 == text.size() && text.ends_with("\n\r\n"));
    const auto event = nlohmann::ordered_json::parse(text.substr(head + 2));
    const bool is_error = event.at("type") == "ERROR";
    Require(is_error == (line.error_code != 0) && event.at("object").is_object());
    step = watch.Next(now, &line);
    Require(!is_error || step == WatchSession::Step::kEnd);
  }
  Require(watch.Next(now, &line) == step);
  if (step == WatchSession::Step::kIdle) Require(watch.NextDeadline() > now);
}

inline void CheckReply(Reply& reply, TimePoint now) {
  if (auto* watch = std::get_if<std::unique_ptr<WatchSession>>(&reply)) {
    return CheckWatchSession(**watch, now);
  }
  CheckResponse(std::get<Response>(reply));
}

}  // namespace relist::fakeapi
