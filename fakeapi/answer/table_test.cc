#include "fakeapi/answer/table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace relist::fakeapi {
namespace table_test {

using nlohmann::json;

// The cells of an object created two minutes ago.
json Cells(const char* resource, const std::string& rest) {
  StoredObject object;
  object.bytes =
      R"({"metadata":{"name":"x","creationTimestamp":"2026-01-01T00:00:00Z"},)" + rest + "}";
  return json::parse(CellsJson(*FindByName(resource), object, kSimulationEpoch + Seconds(120)));
}

std::string PodStatus(const std::string& status) {
  return Cells("pods", R"("status":)" + status)[2];
}

TEST(Tables, EveryKindHasAsManyCellsAsColumns) {
  for (const ResourceType* type : AllResources()) {
    StoredObject object;
    object.bytes = R"({"metadata":{"name":"x"}})";
    EXPECT_EQ(json::parse(ColumnsJson(*type)).size(),
              json::parse(CellsJson(*type, object, kSimulationEpoch)).size())
        << type->kind();
  }
}

TEST(Tables, APodsRowSumsUpItsContainers) {
  const json cells = Cells(
      "pods",
      R"("spec":{"containers":[{},{}],"nodeName":"n1","readinessGates":[{"conditionType":"G"}]},)"
      R"("status":{"phase":"Running","podIP":"10.0.0.1","conditions":[{"type":"G","status":"True"}],)"
      R"("containerStatuses":[{"ready":true,"restartCount":2,"state":{"running":{}},)"
      R"("lastState":{"terminated":{"finishedAt":"2026-01-01T00:01:00Z"}}},)"
      R"({"ready":false,"restartCount":1,"state":{"running":{}}}]})");
  EXPECT_EQ(
      cells,
      json::parse(R"x(["x","1/2","Running","3 (60s ago)","2m","10.0.0.1","n1","<none>","1/1"])x"));
}

TEST(Tables, APodsStatusIsWhatTroublesIt) {
  EXPECT_EQ(PodStatus(R"({"phase":"Failed","reason":"Evicted"})"), "Evicted");
  EXPECT_EQ(PodStatus(R"({"phase":"Running","containerStatuses":[{"state":{"waiting":)"
                      R"({"reason":"CrashLoopBackOff"}}}]})"),
            "CrashLoopBackOff");
  EXPECT_EQ(PodStatus(R"({"phase":"Failed","containerStatuses":[{"state":{"terminated":)"
                      R"({"exitCode":3}}}]})"),
            "ExitCode:3");
  EXPECT_EQ(PodStatus(R"({"phase":"Failed","containerStatuses":[{"state":{"terminated":)"
                      R"({"signal":9}}}]})"),
            "Signal:9");
  EXPECT_EQ(PodStatus(R"({"phase":"Pending","initContainerStatuses":[{"state":{"terminated":)"
                      R"({"exitCode":0}}},{"state":{"waiting":{"reason":"ErrImagePull"}}}]})"),
            "Init:ErrImagePull");
  EXPECT_EQ(PodStatus(R"({"phase":"Pending","initContainerStatuses":[{"state":{"running":{}}}]})"),
            "Init:0/0");
  EXPECT_EQ(
      PodStatus(R"({"phase":"Running","containerStatuses":[{"ready":true,"state":{"running":{}}},)"
                R"({"state":{"terminated":{"reason":"Completed"}}}]})"),
      "NotReady");
  EXPECT_EQ(PodStatus(R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False",)"
                      R"("reason":"SchedulingGated"}]})"),
            "SchedulingGated");
}

TEST(Tables, AMarkedPodIsTerminatingUnlessItIsDone) {
  StoredObject pod;
  const std::string head =
      R"({"metadata":{"name":"x","deletionTimestamp":"2026-01-01T00:00:00Z"},)";
  const auto status = [&](const std::string& phase) {
    pod.bytes = head + R"("status":{"phase":")" + phase + "\"}}";
    return json::parse(CellsJson(*FindByName("pods"), pod, kSimulationEpoch))[2];
  };
  EXPECT_EQ(status("Running"), "Terminating");
  EXPECT_EQ(status("Succeeded"), "Succeeded");
}

TEST(Tables, AServicesAddressesDependOnItsType) {
  EXPECT_EQ(
      Cells("svc", R"("spec":{"type":"LoadBalancer","clusterIP":"10.0.0.9",)"
                   R"("ports":[{"port":80,"nodePort":30080},{"port":53,"protocol":"UDP"}]})"),
      json::parse(
          R"(["x","LoadBalancer","10.0.0.9","<pending>","80:30080/TCP,53/UDP","2m","<none>"])"));
  EXPECT_EQ(Cells("svc", R"("spec":{"type":"LoadBalancer"},"status":{"loadBalancer":{"ingress":)"
                         R"([{"ip":"1.2.3.4"},{"hostname":"h"}]}})")[3],
            "1.2.3.4,h");
  EXPECT_EQ(Cells("svc", R"("spec":{"type":"ExternalName","externalName":"e.com"})")[3], "e.com");
  EXPECT_EQ(Cells("svc", R"("spec":{"externalIPs":["5.6.7.8"],"selector":{"b":"2","a":"1"}})")[6],
            "a=1,b=2");
}

TEST(Tables, ADeploymentsSelectorIsWrittenOut) {
  EXPECT_EQ(
      Cells("deploy",
            R"("spec":{"replicas":3,"selector":{"matchLabels":{"a":"1"},"matchExpressions":[)"
            R"({"key":"k","operator":"In","values":["x","y"]},{"key":"e","operator":"Exists"}]}},)"
            R"("status":{"readyReplicas":1,"updatedReplicas":2,"availableReplicas":1})"),
      json::parse(R"(["x","1/3",2,1,"2m","","","a=1,k in (x,y),e"])"));
}

TEST(Tables, ANodesStatusAndRolesAreReadOffConditionsAndLabels) {
  StoredObject node;
  node.bytes =
      R"({"metadata":{"name":"n","labels":{"node-role.kubernetes.io/worker":"",)"
      R"("node-role.kubernetes.io/control-plane":""}},"spec":{"unschedulable":true},)"
      R"("status":{"conditions":[{"type":"Ready","status":"False"}],)"
      R"("addresses":[{"type":"InternalIP","address":"10.0.0.1"}],"nodeInfo":{"kubeletVersion":"v1"}}})";
  const json cells = json::parse(CellsJson(*FindByName("no"), node, kSimulationEpoch));
  EXPECT_EQ(cells, json::parse(R"(["n","NotReady,SchedulingDisabled","control-plane,worker",)"
                               R"("<unknown>","v1","10.0.0.1","<none>","<unknown>","<unknown>",)"
                               R"("<unknown>"])"));
}

TEST(Tables, AnEventsTimesComeFromWhereverTheyAre) {
  EXPECT_EQ(Cells("events", R"("involvedObject":{"kind":"Pod","name":"p"},"message":" m \n",)"
                            R"("eventTime":"2026-01-01T00:00:00.000000Z","reportingComponent":"c",)"
                            R"("reportingInstance":"h")"),
            json::parse(R"(["2m","","","pod/p","","c, h","m","2m",1,"x"])"));
  const json series =
      Cells("events", R"("firstTimestamp":"2026-01-01T00:00:00Z","count":5,"series":{"count":9,)"
                      R"("lastObservedTime":"2026-01-01T00:01:50.000000Z"})");
  EXPECT_EQ(series[0], "10s");
  EXPECT_EQ(series[8], 9);
}

}  // namespace table_test
}  // namespace relist::fakeapi
