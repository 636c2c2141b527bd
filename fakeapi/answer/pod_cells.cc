#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "fakeapi/answer/table_cells.h"
#include "fakeapi/encoding/age.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

std::string PodText(const ordered_json& pod, const char* path, const char* otherwise = "<none>") {
  std::string text = TextAt(pod, path);
  return text.empty() ? otherwise : text;
}

bool HasPodCondition(const ordered_json& pod, std::string_view type) {
  for (const ordered_json& condition : ItemsAt(pod, "status.conditions")) {
    if (TextAt(condition, "type") == type) return TextAt(condition, "status") == "True";
  }
  return false;
}

// "Signal:9", "ExitCode:1": of a container that ended without a reason.
std::string HowItEnded(const ordered_json& terminated) {
  const int64_t signal = NumberAt(terminated, "signal");
  return signal != 0 ? fmt::format("Signal:{}", signal)
                     : fmt::format("ExitCode:{}", NumberAt(terminated, "exitCode"));
}

struct PodSummary {
  std::string reason;
  int64_t ready = 0, restarts = 0;
  std::string last_restart;
  bool initializing = false;
};

void NoteRestarts(const ordered_json& container, PodSummary* summary) {
  summary->restarts += NumberAt(container, "restartCount");
  const std::string ended = TextAt(container, "lastState.terminated.finishedAt");
  if (ended > summary->last_restart) summary->last_restart = ended;
}

// The first init container that is not done names the status.
void SummarizeInitContainers(const ordered_json& pod, PodSummary* summary) {
  const std::vector<ordered_json>& all = ItemsAt(pod, "status.initContainerStatuses");
  for (size_t i = 0; i < all.size() && !summary->initializing; ++i) {
    NoteRestarts(all[i], summary);
    const ordered_json& ended = At(all[i], "state.terminated");
    const std::string waiting = TextAt(all[i], "state.waiting.reason");
    if (ended.is_object() && NumberAt(ended, "exitCode") == 0) continue;
    if (ended.is_object()) {
      const std::string reason = TextAt(ended, "reason");
      summary->reason = "Init:" + (reason.empty() ? HowItEnded(ended) : reason);
    } else if (!waiting.empty() && waiting != "PodInitializing") {
      summary->reason = "Init:" + waiting;
    } else {
      summary->reason = fmt::format("Init:{}/{}", i, ItemsAt(pod, "spec.initContainers").size());
    }
    summary->initializing = true;
  }
}

void SummarizeContainers(const ordered_json& pod, PodSummary* summary) {
  bool running = false;
  const std::vector<ordered_json>& all = ItemsAt(pod, "status.containerStatuses");
  for (auto container = all.rbegin(); container != all.rend(); ++container) {
    NoteRestarts(*container, summary);
    const std::string waiting = TextAt(*container, "state.waiting.reason");
    const ordered_json& ended = At(*container, "state.terminated");
    if (!waiting.empty()) {
      summary->reason = waiting;
    } else if (ended.is_object()) {
      const std::string reason = TextAt(ended, "reason");
      summary->reason = reason.empty() ? HowItEnded(ended) : reason;
    } else if (FlagAt(*container, "ready") && At(*container, "state.running").is_object()) {
      running = true;
      ++summary->ready;
    }
  }
  if (summary->reason == "Completed" && running) {
    summary->reason = HasPodCondition(pod, "Ready") ? "Running" : "NotReady";
  }
}

PodSummary Summarize(const ordered_json& pod) {
  PodSummary summary;
  const std::string phase = TextAt(pod, "status.phase"), reason = TextAt(pod, "status.reason");
  summary.reason = reason.empty() ? phase : reason;
  for (const ordered_json& condition : ItemsAt(pod, "status.conditions")) {
    if (TextAt(condition, "type") == "PodScheduled" &&
        TextAt(condition, "reason") == "SchedulingGated") {
      summary.reason = "SchedulingGated";
    }
  }
  SummarizeInitContainers(pod, &summary);
  if (!summary.initializing || HasPodCondition(pod, "Initialized")) {
    summary.restarts = 0;
    summary.last_restart.clear();
    SummarizeContainers(pod, &summary);
  }
  if (At(pod, "metadata.deletionTimestamp").is_string()) {
    if (reason == "NodeLost") {
      summary.reason = "Unknown";
    } else if (phase != "Succeeded" && phase != "Failed") {
      summary.reason = "Terminating";
    }
  }
  return summary;
}

std::string ReadinessGates(const ordered_json& pod) {
  const std::vector<ordered_json>& gates = ItemsAt(pod, "spec.readinessGates");
  if (gates.empty()) return "<none>";
  size_t holding = 0;
  for (const ordered_json& gate : gates) {
    if (HasPodCondition(pod, TextAt(gate, "conditionType"))) ++holding;
  }
  return fmt::format("{}/{}", holding, gates.size());
}

}  // namespace

ordered_json PodCells(const ordered_json& pod, TimePoint now) {
  const PodSummary summary = Summarize(pod);
  std::string restarts = std::to_string(summary.restarts);
  if (summary.restarts != 0 && !summary.last_restart.empty()) {
    restarts += fmt::format(" ({} ago)", AgeOf(summary.last_restart, now));
  }
  return {TextAt(pod, "metadata.name"),
          fmt::format("{}/{}", summary.ready, ItemsAt(pod, "spec.containers").size()),
          summary.reason,
          restarts,
          AgeCell(pod, now),
          PodText(pod, "status.podIP"),
          PodText(pod, "spec.nodeName"),
          PodText(pod, "status.nominatedNodeName"),
          ReadinessGates(pod)};
}

}  // namespace relist::fakeapi
