// The containers of a pod: what is wanted, and how they are.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/label_selector.h"

namespace relist::objects {

struct ContainerPort {
  std::string name, protocol;
  int32_t container_port = 0, host_port = 0;
  bool operator==(const ContainerPort&) const = default;
};

struct EnvVar {
  std::string name, value;  // the value of one that is taken from elsewhere is empty
  bool operator==(const EnvVar&) const = default;
};

struct Container {
  std::string name, image, image_pull_policy, working_dir;
  std::vector<std::string> command, args;
  std::vector<EnvVar> env;
  std::vector<ContainerPort> ports;
  StringMap requests, limits;                 // of resources; quantities as they are written
  std::optional<std::string> restart_policy;  // "Always": a sidecar, among init containers
  bool operator==(const Container&) const = default;
};

// At most one of the three is there; none: waiting.
struct ContainerState {
  struct Waiting {
    std::string reason, message;
    bool operator==(const Waiting&) const = default;
  };
  struct Running {
    std::string started_at;
    bool operator==(const Running&) const = default;
  };
  struct Terminated {
    int32_t exit_code = 0, signal = 0;
    std::string reason, message, started_at, finished_at, container_id;
    bool operator==(const Terminated&) const = default;
  };
  std::optional<Waiting> waiting;
  std::optional<Running> running;
  std::optional<Terminated> terminated;
  bool operator==(const ContainerState&) const = default;
};

struct ContainerStatus {
  std::string name, image, image_id, container_id;
  bool ready = false;
  std::optional<bool> started;
  int32_t restart_count = 0;
  ContainerState state, last_state;
  bool operator==(const ContainerStatus&) const = default;
};

void from_json(const nlohmann::json& from, Container& into);
void to_json(nlohmann::json& into, const Container& from);
void from_json(const nlohmann::json& from, ContainerState& into);
void to_json(nlohmann::json& into, const ContainerState& from);
void from_json(const nlohmann::json& from, ContainerStatus& into);
void to_json(nlohmann::json& into, const ContainerStatus& from);

}  // namespace relist::objects
