#!/usr/bin/env python3
"""Two real kubectls, 16 versions apart, against relist serve."""

import json
import time
import unittest

import harness
from harness import Process, Server, foreign

MANIFEST = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: made
  labels: {app: web}
data:
  colour: red
"""


class Kubectl:
    """The tests; one class below for each kubectl."""

    which = ""

    def setUp(self):
        self.kubectl = foreign(self, self.which)
        self.server = Server(*self.options)
        self.addCleanup(self.server.end)

    options = ()

    def run_kubectl(self, *words, stdin="", status=0):
        code, out, err = harness.run([self.kubectl, *words], env=self.server.env, stdin=stdin)
        self.assertEqual(status, code, f"kubectl {words}: {out} {err}")
        return out if status == 0 else err

    def create(self):
        return self.run_kubectl("create", "-f", "-", stdin=MANIFEST)

    def test_create_then_get(self):
        self.assertEqual("configmap/made created\n", self.create())
        lines = self.run_kubectl("get", "configmaps").splitlines()
        self.assertRegex(lines[0], r"^NAME +DATA +AGE$")
        self.assertRegex(lines[1], r"^made +1 +\d+s$")
        self.assertIn("AlreadyExists", self.run_kubectl("create", "-f", "-", stdin=MANIFEST, status=1))
        self.assertRegex(self.run_kubectl("get", "cm", "none", status=1), r'NotFound.*configmaps "none" not found')

    def test_get_of_nothing_says_so(self):
        code, out, err = harness.run([self.kubectl, "get", "secrets"], env=self.server.env)
        self.assertEqual((0, "", "No resources found in default namespace.\n"), (code, out, err))

    def test_get_as_yaml_is_the_object(self):
        self.create()
        text = self.run_kubectl("get", "cm", "made", "-o", "yaml")
        self.assertIn("colour: red", text)
        self.assertRegex(text, r"(?m)^kind: ConfigMap$")
        self.assertRegex(text, r"(?m)^  resourceVersion: \"\d+\"$")
        as_json = json.loads(self.run_kubectl("get", "cm", "made", "-o", "json"))
        self.assertEqual({"colour": "red"}, as_json["data"])

    def test_get_watch_prints_each_change(self):
        with Process([self.kubectl, "get", "cm", "-w", "--no-headers", "-o",
                      "custom-columns=NAME:.metadata.name,C:.data.colour"], env=self.server.env) as watch:
            self.create()
            self.assertRegex(watch.line_that("made"), r"^made +red")
            self.server.request("PATCH", "/api/v1/namespaces/default/configmaps/made", {"data": {"colour": "blue"}},
                                {"Content-Type": "application/merge-patch+json"})
            self.assertRegex(watch.line_that("made"), r"^made +blue")

    def test_get_watch_as_a_table(self):
        self.create()
        with Process([self.kubectl, "get", "cm", "-w"], env=self.server.env) as watch:
            self.assertRegex(watch.line_that("NAME"), r"^NAME +DATA +AGE$")
            self.assertRegex(watch.line_that("made"), r"^made +1 +\S+$")
            self.server.create("second", {"a": "1", "b": "2"})
            self.assertRegex(watch.line_that("second"), r"^second +2 +\S+$")

    def test_delete_waits_until_it_is_gone(self):
        self.create()
        self.assertEqual('configmap "made" deleted', self.run_kubectl("delete", "cm", "made").split(" from ")[0].strip())
        self.assertEqual(404, self.server.request("GET", "/api/v1/namespaces/default/configmaps/made")[0])

    def test_describe_of_a_configmap(self):
        self.create()
        text = self.run_kubectl("describe", "configmap", "made")
        self.assertRegex(text, r"(?m)^Name: +made$")
        self.assertRegex(text, r"(?m)^Labels: +app=web$")
        self.assertIn("colour:\n----\nred\n", text)

    def test_api_resources_lists_what_is_served(self):
        text = self.run_kubectl("api-resources", "--no-headers")
        names = {line.split()[0] for line in text.splitlines()}
        self.assertLessEqual({"namespaces", "configmaps", "secrets", "pods", "deployments", "services", "nodes", "leases",
                              "events"}, names)
        self.assertRegex(text, r"(?m)^configmaps +cm +v1 +true +ConfigMap$")

    def test_label(self):
        self.create()
        self.assertIn("made labeled", self.run_kubectl("label", "cm", "made", "tier=front"))
        self.assertIn("made", self.run_kubectl("get", "cm", "-l", "tier=front", "-o", "name"))
        labels = self.server.request("GET", "/api/v1/namespaces/default/configmaps/made")[1]["metadata"]["labels"]
        self.assertEqual({"app": "web", "tier": "front"}, labels)

    def test_what_it_prints_can_be_served_again(self):
        self.create()
        self.server.create("second", ns="default")
        for form in ("yaml", "json"):
            path = harness.temporary_file(self.run_kubectl("get", "cm", "-A", "-o", form), "." + form)
            with Server("--objects", path) as again:
                before, after = [s.request("GET", "/api/v1/configmaps")[1]["items"] for s in (self.server, again)]
                self.assertEqual([(i["metadata"]["uid"], i["data"]) for i in before],
                                 [(i["metadata"]["uid"], i["data"]) for i in after])

    def stored(self, path):
        status, body, *_ = self.server.request("GET", path)
        self.assertEqual(200, status, body)
        return body

    # Newer ones send protobuf for what they make from arguments.
    def test_create_from_arguments(self):
        in_default = "/api/v1/namespaces/default"
        self.assertEqual("configmap/web created\n",
                         self.run_kubectl("create", "configmap", "web", "--from-literal=a=b", "--from-literal=c=<ä>"))
        self.assertEqual({"a": "b", "c": "<ä>"}, self.stored(f"{in_default}/configmaps/web")["data"])
        self.run_kubectl("create", "secret", "generic", "web", "--from-literal=password=s3cret")
        secret = self.stored(f"{in_default}/secrets/web")
        self.assertEqual(({"password": "czNjcmV0"}, "Opaque"), (secret["data"], secret["type"]))
        self.run_kubectl("create", "service", "clusterip", "web", "--tcp=80:8080")
        service = self.stored(f"{in_default}/services/web")["spec"]
        self.assertEqual([{"name": "80-8080", "protocol": "TCP", "port": 80, "targetPort": 8080}], service["ports"])
        self.assertEqual(({"app": "web"}, "ClusterIP"), (service["selector"], service["type"]))
        self.run_kubectl("create", "namespace", "team")
        self.assertEqual("Active", self.stored("/api/v1/namespaces/team")["status"]["phase"])

    def test_create_a_deployment_from_arguments(self):
        self.assertEqual("deployment.apps/web created\n", self.run_kubectl(
            "create", "deployment", "web", "--image=nginx:1.29", "--replicas=0", "--port=80", "--", "sleep", "1"))
        spec = self.stored("/apis/apps/v1/namespaces/default/deployments/web")["spec"]
        self.assertEqual((0, {"matchLabels": {"app": "web"}}), (spec["replicas"], spec["selector"]))
        container = spec["template"]["spec"]["containers"][0]
        self.assertEqual(("nginx", "nginx:1.29", ["sleep", "1"], {}),
                         tuple(container[key] for key in ("name", "image", "command", "resources")))
        self.assertEqual([{"containerPort": 80, "protocol": "TCP"}], container["ports"])

    def test_what_is_wrong_with_arguments_is_said(self):
        self.run_kubectl("create", "configmap", "web")
        self.assertRegex(self.run_kubectl("create", "configmap", "web", status=1), 'configmaps "web" already exists')
        self.assertRegex(self.run_kubectl("create", "configmap", "Web", status=1), 'metadata.name: Invalid value: "Web"')


class DebianKubectlTest(Kubectl, unittest.TestCase):
    which = "kubectl-debian"


class UpstreamKubectlTest(Kubectl, unittest.TestCase):
    which = "kubectl-0.37"

    def test_a_dry_run_makes_nothing(self):  # 1.20 asks the OpenAPI document first
        self.run_kubectl("create", "configmap", "dry", "--dry-run=server")
        self.assertRegex(self.run_kubectl("get", "configmap", "dry", status=1), "NotFound")


class UpstreamKubectlOverTlsTest(Kubectl, unittest.TestCase):
    which = "kubectl-0.37"
    options = ("--token", "secret")


class DebianKubectlOverTlsTest(Kubectl, unittest.TestCase):
    which = "kubectl-debian"
    options = ("--token", "secret")


class TlsWithoutATokenTest(unittest.TestCase):
    def test_kubectl_asks_for_no_user_name(self):
        for which in ("kubectl-debian", "kubectl-0.37"):
            kubectl = foreign(self, which)
            with Server("--tls") as server:
                server.create("made")
                code, out, err = harness.run([kubectl, "get", "cm", "-o", "name"], env=server.env)
                self.assertEqual((0, "configmap/made\n", ""), (code, out, err))


class ControllersTest(unittest.TestCase):
    """What kubectl deletes goes as in a cluster."""

    def delete(self, server, which, *words):
        code, out, err = harness.run([foreign(self, which), "delete", *words], env=server.env)
        self.assertEqual(0, code, err)
        return out.strip()

    def test_a_deleted_namespace_is_gone_when_it_comes_back(self):
        for which in ("kubectl-debian", "kubectl-0.37"):
            with Server("--rate", "10") as server:
                server.request("POST", "/api/v1/namespaces", {"metadata": {"name": "team"}})
                server.create("a", ns="team")
                self.assertEqual('namespace "team" deleted', self.delete(server, which, "namespace", "team"))
                self.assertEqual(404, server.request("GET", "/api/v1/namespaces/team")[0])

    def test_it_cascades_as_it_is_told(self):
        maps = "/api/v1/namespaces/default/configmaps"
        for which in ("kubectl-debian", "kubectl-0.37"):
            with Server() as server:
                for policy in ("foreground", "orphan", "background"):
                    uid = server.create("owner")["metadata"]["uid"]
                    child = harness.config_map(policy)
                    child["metadata"]["ownerReferences"] = [{"apiVersion": "v1", "kind": "ConfigMap", "name": "owner",
                                                             "uid": uid, "blockOwnerDeletion": True}]
                    self.assertEqual(201, server.request("POST", maps, child)[0])
                    self.delete(server, which, "cm", "owner", f"--cascade={policy}")
                    if policy == "foreground":
                        self.assertEqual(404, server.request("GET", f"{maps}/foreground")[0])
                self.assertNotIn("ownerReferences", server.request("GET", f"{maps}/orphan")[1]["metadata"])
                end = time.monotonic() + harness.DEADLINE_S
                while server.request("GET", f"{maps}/background")[0] == 200:
                    self.assertLess(time.monotonic(), end)


if __name__ == "__main__":
    harness.main()
