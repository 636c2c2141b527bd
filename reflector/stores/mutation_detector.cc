#include "reflector/stores/mutation_detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/wire/digest.h"
#include "core/wire/json_text.h"
#include "reflector/parity_switch.h"

namespace relist {
namespace {

std::string TextOf(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

uint64_t FingerprintOf(const Object& object) {
  Digest digest;
  for (std::string_view part :
       {std::string_view(object.key().ns), std::string_view(object.key().name), object.uid(),
        std::string_view(object.resource_version()), std::string_view(object.kind()),
        std::string_view(object.api_version())}) {
    digest.Add(part).Add("\n");
  }
  digest.Add(object.bytes()).Add("\n").Add(TextOf(object.json()));
  return digest.value();
}

}  // namespace

MutationDetector::MutationDetector(Loop& loop, MutationDetectorOptions options)
    : loop_(loop), options_(std::move(options)), rotated_(loop.Now()) {}

void MutationDetector::AddObject(const ObjectRef& object) {
  Thing thing;
  thing.name = object->key().ToString();
  thing.object = object;
  thing.bytes = object->bytes();
  thing.fingerprint = [object, more = options_.more] {
    return FingerprintOf(*object) ^ (more ? more(*object) : 0);
  };
  Remember(std::move(thing));
}

void MutationDetector::Add(std::string name, Fingerprint fingerprint) {
  Thing thing;
  thing.name = std::move(name);
  thing.fingerprint = std::move(fingerprint);
  Remember(std::move(thing));
}

void MutationDetector::Remember(Thing thing) {
  thing.number = thing.fingerprint();
  const std::lock_guard lock(mutex_);
  young_.push_back(std::move(thing));
}

Task<void> MutationDetector::Run(Signal& stop) {
  for (;;) {
    Rotate();
    Compare();
    Task<bool> pause = SleepUnless(loop_, options_.period, stop);
    if (co_await pause) co_return;
  }
}

void MutationDetector::Rotate() {
  const std::lock_guard lock(mutex_);
  if (loop_.Now() - rotated_ <= options_.retain) return;
  old_ = std::move(young_);
  young_.clear();
  rotated_ = loop_.Now();
}

void MutationDetector::Compare() {
  std::string changed;
  {
    const std::lock_guard lock(mutex_);
    for (const std::vector<Thing>* things : {&young_, &old_}) {
      for (const Thing& thing : *things) {
        if (!Behaves("AUX-01") || thing.fingerprint() == thing.number) continue;
        changed += (changed.empty() ? "" : "; ") + thing.name + ": " + WhatChanged(thing);
      }
    }
  }
  if (changed.empty()) return;
  const std::string message = fmt::format("cache {} modified: {}", options_.name, changed);
  if (options_.on_mutation) {
    options_.on_mutation(message);
    return;
  }
  CHECK(false, "{}", message);
}

// The paths in the parsed value that differ from what the bytes said, else where the bytes differ.
std::string MutationDetector::WhatChanged(const Thing& thing) {
  if (!thing.object) return "its value";
  std::string out;
  std::string text = thing.bytes;
  nlohmann::json was;
  if (ParseJson(&text, &was)) {
    for (const nlohmann::json& step : nlohmann::json::diff(was, thing.object->json())) {
      out += (out.empty() ? "" : ", ") + step.at("path").get<std::string>();
    }
  }
  if (!out.empty()) return out;
  const std::string& bytes = thing.object->bytes();
  if (bytes == thing.bytes) return "its name, its version, or what hangs on it";
  const auto differ =
      std::mismatch(bytes.begin(), bytes.end(), thing.bytes.begin(), thing.bytes.end());
  return fmt::format("bytes from {} on", differ.first - bytes.begin());
}

size_t MutationDetector::watched() const {
  const std::lock_guard lock(mutex_);
  return young_.size() + old_.size();
}

bool MutationDetectorFromEnvironment() {
  const char* value = std::getenv("KUBE_CACHE_MUTATION_DETECTOR");
  if (value == nullptr) return false;
  for (std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (yes == value) return true;
  }
  return false;
}

}  // namespace relist
