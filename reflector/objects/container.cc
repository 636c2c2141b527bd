#include "reflector/objects/container.h"

#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {

void from_json(const Json& from, ContainerPort& into) {
  ReadField(from, "name", &into.name);
  ReadField(from, "protocol", &into.protocol);
  ReadField(from, "containerPort", &into.container_port);
  ReadField(from, "hostPort", &into.host_port);
}

void to_json(Json& into, const ContainerPort& from) {
  WriteField(&into, "name", from.name);
  WriteField(&into, "protocol", from.protocol);
  WriteField(&into, "containerPort", from.container_port);
  WriteField(&into, "hostPort", from.host_port);
}

void from_json(const Json& from, EnvVar& into) {
  ReadField(from, "name", &into.name);
  ReadField(from, "value", &into.value);
}

void to_json(Json& into, const EnvVar& from) {
  SetField(&into, "name", from.name);
  WriteField(&into, "value", from.value);
}

void from_json(const Json& from, Container& into) {
  ReadField(from, "name", &into.name);
  ReadField(from, "image", &into.image);
  ReadField(from, "imagePullPolicy", &into.image_pull_policy);
  ReadField(from, "workingDir", &into.working_dir);
  ReadField(from, "command", &into.command);
  ReadField(from, "args", &into.args);
  ReadField(from, "env", &into.env);
  ReadField(from, "ports", &into.ports);
  ReadNested(from, "resources", [&into](const Json& resources) {
    ReadQuantities(resources, "requests", &into.requests);
    ReadQuantities(resources, "limits", &into.limits);
  });
  ReadField(from, "restartPolicy", &into.restart_policy);
}

void to_json(Json& into, const Container& from) {
  SetField(&into, "name", from.name);
  WriteField(&into, "image", from.image);
  WriteField(&into, "imagePullPolicy", from.image_pull_policy);
  WriteField(&into, "workingDir", from.working_dir);
  WriteField(&into, "command", from.command);
  WriteField(&into, "args", from.args);
  WriteField(&into, "env", from.env);
  WriteField(&into, "ports", from.ports);
  WriteNested(&into, "resources", [&from](Json& resources) {
    WriteField(&resources, "requests", from.requests);
    WriteField(&resources, "limits", from.limits);
  });
  WriteField(&into, "restartPolicy", from.restart_policy);
}

namespace {

void from_json(const Json& from, ContainerState::Waiting& into) {
  ReadField(from, "reason", &into.reason);
  ReadField(from, "message", &into.message);
}

void to_json(Json& into, const ContainerState::Waiting& from) {
  WriteField(&into, "reason", from.reason);
  WriteField(&into, "message", from.message);
}

void from_json(const Json& from, ContainerState::Terminated& into) {
  ReadField(from, "exitCode", &into.exit_code);
  ReadField(from, "signal", &into.signal);
  ReadField(from, "reason", &into.reason);
  ReadField(from, "message", &into.message);
  ReadField(from, "startedAt", &into.started_at);
  ReadField(from, "finishedAt", &into.finished_at);
  ReadField(from, "containerID", &into.container_id);
}

void to_json(Json& into, const ContainerState::Terminated& from) {
  SetField(&into, "exitCode", int64_t{from.exit_code});
  WriteField(&into, "signal", from.signal);
  WriteField(&into, "reason", from.reason);
  WriteField(&into, "message", from.message);
  WriteField(&into, "startedAt", from.started_at);
  WriteField(&into, "finishedAt", from.finished_at);
  WriteField(&into, "containerID", from.container_id);
}

}  // namespace

void from_json(const Json& from, ContainerState& into) {
  ReadNested(from, "waiting", [&into](const Json& value) {
    from_json(value, (into.waiting = ContainerState::Waiting()).value());
  });
  ReadNested(from, "running", [&into](const Json& value) {
    ReadField(value, "startedAt", &(into.running = ContainerState::Running()).value().started_at);
  });
  ReadNested(from, "terminated", [&into](const Json& value) {
    from_json(value, (into.terminated = ContainerState::Terminated()).value());
  });
}

void to_json(Json& into, const ContainerState& from) {
  if (from.waiting) {
    SetNested(&into, "waiting", [&from](Json& value) { to_json(value, *from.waiting); });
  }
  if (from.running) {
    SetNested(&into, "running",
              [&from](Json& value) { WriteField(&value, "startedAt", from.running->started_at); });
  }
  if (from.terminated) {
    SetNested(&into, "terminated", [&from](Json& value) { to_json(value, *from.terminated); });
  }
}

void from_json(const Json& from, ContainerStatus& into) {
  ReadField(from, "name", &into.name);
  ReadField(from, "image", &into.image);
  ReadField(from, "imageID", &into.image_id);
  ReadField(from, "containerID", &into.container_id);
  ReadField(from, "ready", &into.ready);
  ReadField(from, "started", &into.started);
  ReadField(from, "restartCount", &into.restart_count);
  ReadField(from, "state", &into.state);
  ReadField(from, "lastState", &into.last_state);
}

void to_json(Json& into, const ContainerStatus& from) {
  SetField(&into, "name", from.name);
  SetField(&into, "image", from.image);
  SetField(&into, "imageID", from.image_id);
  WriteField(&into, "containerID", from.container_id);
  SetField(&into, "ready", from.ready);
  WriteField(&into, "started", from.started);
  SetField(&into, "restartCount", int64_t{from.restart_count});
  WriteField(&into, "state", from.state);
  WriteField(&into, "lastState", from.last_state);
}

}  // namespace relist::objects
