#include "fakeapi/conformance/case_objects.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/check.h"

namespace relist::fakeapi {

Place::Place(std::string text) {
  if (const size_t colon = text.find(':'); colon != std::string::npos) {
    plural = text.substr(0, colon);
    text = text.substr(colon + 1);
  }
  const size_t slash = text.find('/');
  const bool is_scoped = plural != "nodes" && plural != "namespaces";
  if (is_scoped && text != "*") ns = text.substr(0, slash);
  if (!is_scoped) name = text == "*" ? "" : text;
  if (is_scoped && slash != std::string::npos) name = text.substr(slash + 1);
}

std::string Place::Collection() const {
  return ns.empty() ? "/api/v1/" + plural : fmt::format("/api/v1/namespaces/{}/{}", ns, plural);
}

nlohmann::ordered_json Attributes(const std::vector<std::string>& words) {
  using nlohmann::ordered_json;
  ordered_json out = ordered_json::object();
  for (const std::string& word : words) {
    const size_t equals = word.find('='), colon = word.find(':');
    const std::string value = word.substr(equals + 1);
    const std::string what = word.substr(0, std::min(equals, colon));
    const std::string key = colon < equals ? word.substr(colon + 1, equals - colon - 1) : "";
    const ordered_json content = value == "null" ? ordered_json() : ordered_json(value);
    if (what == "label") {
      out["metadata"]["labels"][key] = content;
    } else if (what == "annotation") {
      out["metadata"]["annotations"][key] = content;
    } else if (what == "data") {
      out["data"][key] = content;
    } else if (what == "node") {
      out["spec"]["nodeName"] = content;
    } else if (what == "unschedulable") {
      out["spec"]["unschedulable"] = value == "true";
    } else if (what == "rv") {
      out["metadata"]["resourceVersion"] = content;
    } else {
      CHECK(what == "uid" || what == "selfLink", "no such attribute: {}", word);
      out["metadata"][what] = content;
    }
  }
  return out;
}

namespace case_objects_test {

TEST(CaseObjects, PlacesArePaths) {
  EXPECT_EQ(Place("ns/a").Path(), "/api/v1/namespaces/ns/pods/a");
  EXPECT_EQ(Place("configmaps:ns").Collection(), "/api/v1/namespaces/ns/configmaps");
  EXPECT_EQ(Place("*").Collection(), "/api/v1/pods");
  EXPECT_EQ(Place("nodes:a").Path(), "/api/v1/nodes/a");
  EXPECT_EQ(Place("nodes:*").Collection(), "/api/v1/nodes");
}

TEST(CaseObjects, AttributesAreMerged) {
  EXPECT_EQ(Attributes({"label:a=b", "label:c=null", "node=n"}).dump(),
            R"({"metadata":{"labels":{"a":"b","c":null}},"spec":{"nodeName":"n"}})");
  EXPECT_THROW(Attributes({"nope=x"}), CheckFailed);
}

}  // namespace case_objects_test
}  // namespace relist::fakeapi
