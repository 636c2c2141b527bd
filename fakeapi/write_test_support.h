// A Store and the writes of a test in a line each.
//
//   WriteBench bench;
//   Json made = bench.Create("configmaps", R"({"metadata":{"name":"a"}})");
//   EXPECT_EQ(bench.status(), 201);
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fakeapi/writes.h"

namespace relist::fakeapi {

class WriteBench : CommitSink {
 public:
  using Json = nlohmann::json;

  WriteBench() {
    CreateSystemNamespaces(store, now, choices);
    store.AddSink(this);
  }

  Json Create(const std::string& plural, const std::string& body, HeaderList query = {},
              const std::string& type = "application/json") {
    return Send(WriteVerb::kCreate, plural, "", body, std::move(query), type);
  }
  Json Replace(const std::string& plural, const std::string& name, const std::string& body,
               HeaderList query = {}) {
    return Send(WriteVerb::kReplace, plural, name, body, std::move(query), "application/json");
  }
  Json Patch(const std::string& plural, const std::string& name, const std::string& body,
             const std::string& type = "merge-patch+json", HeaderList query = {}) {
    return Send(WriteVerb::kPatch, plural, name, body, std::move(query), "application/" + type);
  }
  Json Delete(const std::string& plural, const std::string& name, const std::string& body = "",
              HeaderList query = {}) {
    return Send(WriteVerb::kDelete, plural, name, body, std::move(query), "application/json");
  }

  Json Send(WriteVerb verb, const std::string& plural, const std::string& name,
            const std::string& body, HeaderList query, const std::string& type) {
    Request request{"", "", {}, body};
    if (!type.empty()) request.headers.emplace_back("Content-Type", type);
    WriteRequest write;
    write.verb = verb;
    write.resource = FindByName(plural);
    write.key = {write.resource->namespaced() ? ns : "", name};
    write.subresource = std::exchange(subresource, "");
    write.request = &request;
    write.query = std::move(query);
    write.now = now;
    last = HandleWrite(store, write, choices);
    const std::string text = last.BodyText();
    return Json::accept(text) ? Json::parse(text) : Json(text);
  }

  int status() const { return last.status; }
  std::string Header(const std::string& name) const {
    for (const auto& [key, value] : last.headers) {
      if (key == name) return value;
    }
    return "";
  }
  // "ADDED configmaps default/a": what watchers were told since the last call.
  std::vector<std::string> TakeEvents() { return std::exchange(events_, {}); }
  StoredRef Find(const std::string& plural, const std::string& name) const {
    const ResourceType* resource = FindByName(plural);
    return store.Find(*resource, {resource->namespaced() ? ns : "", name});
  }

  Store store;
  BoringChoices choices;
  TimePoint now = kSimulationEpoch;
  std::string ns = "default";
  std::string subresource;  // of the next request only
  Response last;

 private:
  void OnCommit(const Commit& commit) override {
    events_.push_back(std::string(Name(commit.type)) + " " + commit.resource->resource.plural +
                      " " + commit.object->key.ToString());
  }
  std::vector<std::string> events_;
};

}  // namespace relist::fakeapi
