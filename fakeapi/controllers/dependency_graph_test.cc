#include "fakeapi/controllers/dependency_graph.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace relist::fakeapi {
namespace dependency_graph_test {

Dependent Of(const std::string& uid, std::vector<OwnerReference> owners) {
  return {{nullptr, {"default", uid}, uid}, std::move(owners)};
}

std::string NamesOf(const DependencyGraph& graph, const std::string& owner) {
  std::string names;
  for (const Dependent* one : graph.DependentsOf(owner)) names += one->item.key.name;
  return names;
}

TEST(DependencyGraph, KnowsDependentsInTheOrderInWhichTheyCame) {
  DependencyGraph graph;
  graph.Set(Of("c", {{"v1", "ConfigMap", "o", "owner"}}));
  graph.Set(Of("a", {{"v1", "ConfigMap", "o", "owner"}, {"v1", "ConfigMap", "p", "other"}}));
  graph.Set(Of("b", {{"v1", "ConfigMap", "p", "other"}}));
  EXPECT_EQ(NamesOf(graph, "owner"), "ca");
  EXPECT_EQ(NamesOf(graph, "other"), "ab");
  EXPECT_EQ(NamesOf(graph, "nobody"), "");
  graph.Set(Of("c", {{"v1", "ConfigMap", "p", "other"}}));
  EXPECT_EQ(NamesOf(graph, "owner"), "a");
  EXPECT_EQ(NamesOf(graph, "other"), "cab");
  graph.Remove("a");
  EXPECT_FALSE(graph.HasDependents("owner"));
  EXPECT_EQ(graph.Find("a"), nullptr);
  graph.Clear();
  EXPECT_FALSE(graph.HasDependents("other"));
}

TEST(DependencyGraph, TwoReferencesToOneOwnerAreOneDependency) {
  DependencyGraph graph;
  graph.Set(
      Of("a", {{"v1", "ConfigMap", "o", "owner", false}, {"v1", "ConfigMap", "o", "owner", true}}));
  EXPECT_EQ(NamesOf(graph, "owner"), "a");
  EXPECT_TRUE(graph.Find("a")->Blocks("owner"));
  EXPECT_FALSE(graph.Find("a")->Blocks("other"));
  graph.Remove("a");
  EXPECT_FALSE(graph.HasDependents("owner"));
}

TEST(OwnersIn, LeavesOutWhatIsNoReference) {
  const auto metadata = nlohmann::ordered_json::parse(
      R"({"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1","blockOwnerDeletion":true},{}]})");
  const std::vector<OwnerReference> owners = OwnersIn(metadata);
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_EQ(owners[0], (OwnerReference{"v1", "Pod", "p", "1", true}));
  EXPECT_TRUE(OwnersIn(nlohmann::ordered_json::object()).empty());
}

}  // namespace dependency_graph_test
}  // namespace relist::fakeapi
