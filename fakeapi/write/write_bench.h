// A Store and the writes of a test in a line each.
//
//   WriteBench bench;
//   Json made = bench.Create("configmaps", R"({"metadata":{"name":"a"}})");
//   EXPECT_EQ(bench.status(), 201);
//
// Choices are boring and time stands still unless a test moves it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fakeapi/write/writes.h"

namespace relist::fakeapi {

class WriteBench : CommitSink {
 public:
  using Json = nlohmann::json;

  WriteBench();  // with the system's namespaces

  // Each answers the body; `plural` may be any name of the resource.
  Json Create(const std::string& plural, const std::string& body, HeaderList query = {},
              const std::string& type = "application/json");
  Json Replace(const std::string& plural, const std::string& name, const std::string& body,
               HeaderList query = {});
  Json Patch(const std::string& plural, const std::string& name, const std::string& body,
             const std::string& type = "merge-patch+json", HeaderList query = {});
  Json Delete(const std::string& plural, const std::string& name, const std::string& body = "",
              HeaderList query = {});
  Json Send(WriteVerb verb, const std::string& plural, const std::string& name,
            const std::string& body, HeaderList query, const std::string& type);

  int status() const { return last.status; }
  std::string Header(const std::string& name) const;
  // "ADDED configmaps default/a": what watchers were told since the last call.
  std::vector<std::string> TakeEvents();
  StoredRef Find(const std::string& plural, const std::string& name) const;

  Store store;
  BoringChoices choices;
  TimePoint now = kSimulationEpoch;
  std::string ns = "default";
  std::string subresource;  // of the next request only
  Response last;

 private:
  void OnCommit(const Commit& commit) override;
  std::vector<std::string> events_;
};

}  // namespace relist::fakeapi
