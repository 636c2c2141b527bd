#include "scenarios/play/injected_faults.h"

#include <fmt/format.h>

#include <cstdint>

#include "core/choices.h"
#include "fakeapi/api/api_errors.h"
#include "scenarios/script/scenario_limits.h"

namespace relist {
namespace {

constexpr char kFile[] = "inject";

}  // namespace

Result<int> InjectedFaults::Add(const std::string& body) {
  Result<Scenario> scenario = ParseFaults(body, kFile);
  if (!scenario.ok()) return scenario.error();
  // Which one never struck is told long after: by the number of the inject.
  scenario->file = fmt::format("{}-{}", kFile, ++count_);
  scenario->seed = SeededChoices(static_cast<uint64_t>(count_)).Below(UINT64_MAX, "lot");
  const auto count = static_cast<int>(scenario->faults.size());
  static_assert(kFaultsMax < kTagsOfLot);
  lots_.push_back(std::make_unique<Lot>(std::move(*scenario), next_tag_));
  next_tag_ += kTagsOfLot;
  return count;
}

std::string InjectedFaults::newest() const {
  return fmt::format("{}-{}", kFile, count_);
}

std::vector<fakeapi::Injected> InjectedFaults::InForce() const {
  std::vector<fakeapi::Injected> all;
  for (const auto& lot : lots_) {
    all.push_back({lot->scenario.file, static_cast<int>(lot->scenario.faults.size())});
  }
  return all;
}

Result<int> InjectedFaults::End(const std::string& name) {
  int ended = 0;
  const size_t gone = std::erase_if(lots_, [&](const auto& lot) {
    if (!name.empty() && lot->scenario.file != name) return false;
    ended += static_cast<int>(lot->scenario.faults.size());
    return true;
  });
  if (gone > 0 || name.empty()) return ended;
  return Error::Net(
      Transport::kOther,
      fmt::format("inject: no {} is in force: GET /relist/v1/state has those that are",
                  fakeapi::GoQuote(name)));
}

fakeapi::Verdict InjectedFaults::At(const fakeapi::FaultPlace& place) {
  using fakeapi::Verdict;
  Verdict verdict = script_ == nullptr ? Verdict::Pass() : script_->At(place);
  // All are asked: each counts the requests that come by.
  for (const auto& lot : lots_) {
    Verdict one = lot->script.At(place);
    if (verdict.kind != Verdict::Kind::kPass || one.kind == Verdict::Kind::kPass) continue;
    if (one.tag != 0) one.tag += lot->first_tag;
    verdict = std::move(one);
  }
  return verdict;
}

void InjectedFaults::Struck(int tag, TimePoint now) {
  if (tag < kTagsOfScript) {
    if (script_ != nullptr) script_->Struck(tag, now);
    return;
  }
  for (const auto& lot : lots_) {
    if (tag < lot->first_tag || tag >= lot->first_tag + kTagsOfLot) continue;
    return lot->script.Struck(tag - lot->first_tag, now);
  }
}

std::vector<std::string> InjectedFaults::NeverStruck(TimePoint now) const {
  std::vector<std::string> all;
  for (const auto& lot : lots_) {
    std::vector<std::string> lines = lot->script.NeverStruck(now);
    all.insert(all.end(), std::make_move_iterator(lines.begin()),
               std::make_move_iterator(lines.end()));
  }
  return all;
}

}  // namespace relist
