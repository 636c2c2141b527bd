#include "fakeapi/write/write_bench.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace relist::fakeapi {

WriteBench::WriteBench() {
  CreateSystemNamespaces(store, now, choices);
  store.AddSink(this);
}

WriteBench::Json WriteBench::Create(const std::string& plural, const std::string& body,
                                    HeaderList query, const std::string& type) {
  return Send(WriteVerb::kCreate, plural, "", body, std::move(query), type);
}

WriteBench::Json WriteBench::Replace(const std::string& plural, const std::string& name,
                                     const std::string& body, HeaderList query) {
  return Send(WriteVerb::kReplace, plural, name, body, std::move(query), "application/json");
}

WriteBench::Json WriteBench::Patch(const std::string& plural, const std::string& name,
                                   const std::string& body, const std::string& type,
                                   HeaderList query) {
  return Send(WriteVerb::kPatch, plural, name, body, std::move(query), "application/" + type);
}

WriteBench::Json WriteBench::Delete(const std::string& plural, const std::string& name,
                                    const std::string& body, HeaderList query) {
  return Send(WriteVerb::kDelete, plural, name, body, std::move(query), "application/json");
}

WriteBench::Json WriteBench::Send(WriteVerb verb, const std::string& plural,
                                  const std::string& name, const std::string& body,
                                  HeaderList query, const std::string& type) {
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
  // A deep answer is not worth a recursion here.
  const std::string text = last.BodyText();
  return JsonDepth(text) < 100 ? Json::parse(text) : Json();
}

std::string WriteBench::Header(const std::string& name) const {
  for (const auto& [key, value] : last.headers) {
    if (key == name) return value;
  }
  return "";
}

std::vector<std::string> WriteBench::TakeEvents() {
  return std::exchange(events_, {});
}

StoredRef WriteBench::Find(const std::string& plural, const std::string& name) const {
  const ResourceType* resource = FindByName(plural);
  return store.Find(*resource, {resource->namespaced() ? ns : "", name});
}

void WriteBench::OnCommit(const Commit& commit) {
  events_.push_back(std::string(Name(commit.type)) + " " + commit.resource->resource.plural + " " +
                    commit.object->key.ToString());
}

namespace write_bench_test {

TEST(WriteBench, StartsWithTheSystemsNamespacesAndTellsOfWrites) {
  WriteBench bench;
  for (const char* name : {"default", "kube-node-lease", "kube-public", "kube-system"}) {
    EXPECT_NE(bench.Find("ns", name), nullptr) << name;
  }
  EXPECT_TRUE(bench.TakeEvents().empty());
  bench.Create("cm", R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(bench.TakeEvents(), std::vector<std::string>{"ADDED configmaps default/a"});
}

}  // namespace write_bench_test
}  // namespace relist::fakeapi
