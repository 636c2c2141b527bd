// Faults that come while a server runs, behind those of its script.
//
//   InjectedFaults faults(script);                   // or nullptr
//   HttpServerOptions front{.faults = &faults};
//   Result<int> count = faults.Add(R"({"faults": [{"fault": "status", "on": "watch", "code":
//   500}]})"); faults.newest();   // "inject-1"
//   faults.End("inject-1");
//
// Messages know the faults of a lot by its name, which no other ever has. Each lot counts its
// requests from when it came. What the script says wins. Belongs to the server's thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fakeapi/control.h"
#include "scenarios/play/fault_script.h"

namespace relist {

class InjectedFaults : public fakeapi::FaultHook {
 public:
  // `script` may be null; it outlives this.
  explicit InjectedFaults(FaultScript* script) : script_(script) {}

  // A JSON object with the `faults:` of a scenario, whose `client` and `resource` may be anybody's.
  // How many faults there are; the Error has a line for each mistake, as for a scenario.
  Result<int> Add(const std::string& body);
  // The name of the lot that came last; of those that are in force, with the number of faults.
  std::string newest() const;
  std::vector<fakeapi::Injected> InForce() const;
  // The lot of this name is over, or with "" all that was injected: how many faults that were. The
  // Error says that there is none of that name.
  Result<int> End(const std::string& name);
  void Clear() { lots_.clear(); }
  // As FaultScript's; "inject-2:1:13: ..." is of the second one.
  std::vector<std::string> NeverStruck(TimePoint now) const;

  bool MayStrike() const override { return script_ != nullptr || !lots_.empty(); }
  fakeapi::Verdict At(const fakeapi::FaultPlace& place) override;
  void Struck(int tag, TimePoint now) override;
  bool AcceptsConnections(TimePoint now) override {
    return script_ == nullptr || script_->AcceptsConnections(now);
  }
  TimePoint NextChange() const override {
    return script_ == nullptr ? kNever : script_->NextChange();
  }

 private:
  struct Lot {
    explicit Lot(Scenario given, int from)
        : scenario(std::move(given)), script(scenario), first_tag(from) {}
    const Scenario scenario;
    FaultScript script;
    const int first_tag;  // its tags are these and those after them
  };

  FaultScript* const script_;
  std::vector<std::unique_ptr<Lot>> lots_;
  int count_ = 0;
  int next_tag_ = kTagsOfScript;
  static constexpr int kTagsOfScript = 1 << 20;
  static constexpr int kTagsOfLot = 1 << 10;
};

}  // namespace relist
