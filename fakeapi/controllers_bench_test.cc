#include "fakeapi/controllers_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {

ControllersBench::ControllersBench(ControllerSet which, Choices* given)
    : server({.choices = given != nullptr ? given : &choices, .controllers = which}) {
  server.store().AddSink(this);
}

ControllersBench::~ControllersBench() {
  server.store().RemoveSink(this);
}

ControllersBench::Json ControllersBench::Send(const std::string& method, const std::string& target,
                                              const std::string& body, const std::string& type) {
  const Request request{method, target, {{"Content-Type", type}}, body};
  const Reply reply = server.Handle(request, now, now);
  const Response& response = std::get<Response>(reply);
  status = response.status;
  return Json::parse(response.BodyText());
}

ControllersBench::Json ControllersBench::Get(const std::string& target) {
  return Send("GET", target);
}

ControllersBench::Json ControllersBench::Patch(const std::string& target, const std::string& body) {
  return Send("PATCH", target, body, "application/merge-patch+json");
}

std::string ControllersBench::Make(const std::string& ns, const std::string& name,
                                   const std::string& metadata) {
  const Json made = Send("POST", "/api/v1/namespaces/" + ns + "/configmaps",
                         R"({"metadata":{"name":")" + name + "\"" + metadata + "}}");
  EXPECT_EQ(status, 201) << made;
  return made["metadata"]["uid"];
}

bool ControllersBench::Has(const std::string& ns, const std::string& name) {
  Get("/api/v1/namespaces/" + ns + "/configmaps/" + name);
  return status == 200;
}

void ControllersBench::RunFor(Duration length) {
  const TimePoint end = now + length;
  while (server.NextDeadline() <= end) {
    now = std::max(now, server.NextDeadline());
    server.Tick(now);
  }
  now = end;
}

std::vector<int64_t> ControllersBench::Waits(int count) {
  std::vector<int64_t> waits;
  for (int i = 0; i < count; ++i) {
    const Duration wait = server.NextDeadline() - now;
    waits.push_back(wait / Millis(1));
    RunFor(wait);
  }
  return waits;
}

std::vector<std::string> ControllersBench::TakeEvents() {
  return std::exchange(events_, {});
}

ControllersBench::Json ControllersBench::Last() const {
  return Json::parse(last_->bytes);
}

void ControllersBench::OnCommit(const Commit& commit) {
  events_.push_back(std::string(Name(commit.type)) + " " + commit.resource->resource.plural + " " +
                    commit.object->key.ToString());
  last_ = commit.object;
}

std::string OwnedBy(const std::vector<OwnerSpec>& owners) {
  ControllersBench::Json references = ControllersBench::Json::array();
  for (const OwnerSpec& owner : owners) {
    references.push_back({{"apiVersion", owner.api_version},
                          {"kind", owner.kind},
                          {"name", owner.name},
                          {"uid", owner.uid}});
    if (owner.blocks) references.back()["blockOwnerDeletion"] = true;
  }
  return ",\"ownerReferences\":" + references.dump();
}

namespace controllers_bench_test {

TEST(ControllersBench, TellsOfWritesAndMovesTime) {
  ControllersBench bench;
  bench.TakeEvents();
  const std::string uid = bench.Make("default", "a");
  EXPECT_EQ(bench.TakeEvents(), std::vector<std::string>{"ADDED configmaps default/a"});
  EXPECT_EQ(bench.Last()["metadata"]["uid"], uid);
  EXPECT_TRUE(bench.Has("default", "a"));
  bench.RunFor(Seconds(3));
  EXPECT_EQ(bench.now, kSimulationEpoch + Seconds(3));
}

}  // namespace controllers_bench_test
}  // namespace relist::fakeapi
