// An ApiServer with controllers, and time that a test moves.
//
//   ControllersBench bench;
//   bench.Send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})");
//   bench.RunFor(Seconds(5));
//   EXPECT_EQ(bench.TakeEvents(), ...);   // "ADDED namespaces team"
//
// Choices are boring unless given: a collector's step comes 10 ms after its cause.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fakeapi/api_server.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

class ControllersBench : CommitSink {
 public:
  using Json = nlohmann::json;

  explicit ControllersBench(ControllerSet which = kAllControllers, Choices* given = nullptr);
  ~ControllersBench() override;

  Json Send(const std::string& method, const std::string& target, const std::string& body = "",
            const std::string& type = "application/json");
  Json Get(const std::string& target);
  Json Patch(const std::string& target, const std::string& body);  // merge patch
  // A configmap in `ns`; the answer is its uid. `metadata` goes on behind the name.
  std::string Make(const std::string& ns, const std::string& name,
                   const std::string& metadata = "");
  bool Has(const std::string& ns, const std::string& name);  // that configmap

  // Time passes; what comes due meanwhile happens at its time.
  void RunFor(Duration length);

  // From one thing that comes due to the next, so many times: milliseconds between them.
  std::vector<int64_t> Waits(int count);

  // "DELETED configmaps team/a", since the last call.
  std::vector<std::string> TakeEvents();
  Json Last() const;  // the object of the last commit

  BoringChoices choices;
  ApiServer server;
  TimePoint now = kSimulationEpoch;
  int status = 0;

 private:
  void OnCommit(const Commit& commit) override;

  std::vector<std::string> events_;
  StoredRef last_;
};

// `,"ownerReferences":[...]` for Make.
struct OwnerSpec {
  std::string name, uid;
  bool blocks = false;
  std::string kind = "ConfigMap", api_version = "v1";
};
std::string OwnedBy(const std::vector<OwnerSpec>& owners);

}  // namespace relist::fakeapi
