"""A real kube-apiserver, alone with its etcd on loopback, built from the Go modules in kube-apiserver/ and etcd/.

    with RealServer() as server:
        server.kubeconfig, server.url, server.token
        server.restart()         # SIGKILL and start again, on the same etcd
        server.compact()         # behind the apiserver's back; with learned=True it knows

It is as the recordings' server was: no controllers, everybody may do everything, nothing is left in a folder afterwards.
The binaries are built once (six minutes on two cores) into the cache folder, by version. One thread at a time.
"""

import base64
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "clients"))
from foreign_tools import CACHE, CannotHave, go_version  # noqa: E402

# The module that names the version, and the package that is built.
PROGRAMS = {"kube-apiserver": ("k8s.io/kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver"),
            "etcd": ("go.etcd.io/etcd/server/v3", "go.etcd.io/etcd/server/v3")}
READY_S = 90.0
END_S = 5.0
# An apiserver asks for the compacted revision this often (its cache's compactor): CATALOGUE SRV-12.
LEARNS_S = 15.0


def version_of(program):
    text = (HERE / program / "go.mod").read_text()
    return re.search(rf"{re.escape(PROGRAMS[program][0])} v([\d.]+)", text).group(1)


def linker_flags(program, version):
    flags = ["-s", "-w"]
    if program == "kube-apiserver":
        # Else /version says v0.0.0-master: only the release scripts know.
        major, minor, _ = version.split(".")
        names = {"gitVersion": f"v{version}", "gitMajor": major, "gitMinor": minor, "gitTreeState": "clean"}
        flags += [f"-X k8s.io/component-base/version.{name}={value}" for name, value in names.items()]
    return " ".join(flags)


def binary(program):
    """The path of kube-apiserver or etcd, built if it is not in the cache; raises CannotHave with the reason."""
    version = version_of(program)
    path = CACHE / f"{program}-{version}/{program}"
    if path.exists():
        return str(path)
    if not shutil.which("go"):
        raise CannotHave(f"{program} {version} has to be built, and there is no Go here")
    needed = go_version("go" + re.search(r"^go ([\d.]+)", (HERE / program / "go.mod").read_text(), re.M).group(1))
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly", "CGO_ENABLED": "0"}
    have = go_version(subprocess.run(["go", "env", "GOVERSION"], env=environment, cwd="/", capture_output=True,
                                     text=True).stdout)
    if have < needed:
        raise CannotHave(f"{program} {version} needs Go {needed[0]}.{needed[1]}, here is {have[0]}.{have[1]}")
    print(f"building {program} {version}", file=sys.stderr, flush=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    built = subprocess.run(["nice", "go", "build", "-buildvcs=false", "-trimpath", "-ldflags", linker_flags(program, version),
                            "-o", str(fresh), PROGRAMS[program][1]], cwd=HERE / program, env=environment,
                           capture_output=True, text=True)
    if built.returncode != 0:
        raise CannotHave(f"{program} {version} could not be built: {built.stderr.strip()[-600:]}")
    fresh.rename(path)  # whole or not at all
    return str(path)


def free_ports(count):
    """Ports that nobody had a moment ago: neither program can be told to choose one and say which."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class RealServer:
    def __init__(self, *flags, kubeconfig=None):
        """`flags` are kube-apiserver's, after ours. `kubeconfig`: where to put it, else in the server's own folder."""
        self.flags = list(flags)
        self.programs = {name: binary(name) for name in PROGRAMS}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="relist-real-"))
        self.processes = {}
        self.token = "secret"
        self.kubeconfig = pathlib.Path(kubeconfig) if kubeconfig else self.folder / "kubeconfig.yaml"
        try:
            self.start()
        except BaseException:
            self.stop()
            raise

    def start(self):
        self.etcd_port, peer, self.port = free_ports(3)
        self.url = f"https://127.0.0.1:{self.port}"
        (self.folder / "tokens.csv").write_text(f"{self.token},tester,tester,system:masters\n")
        self.key = self.folder / "service-account.key"
        made = subprocess.run(["openssl", "genrsa", "-out", str(self.key), "2048"], capture_output=True, text=True)
        if made.returncode != 0:
            raise CannotHave(f"openssl made no key: {made.stderr.strip()[-300:]}")
        client, other = f"http://127.0.0.1:{self.etcd_port}", f"http://127.0.0.1:{peer}"
        # Nothing outlives the folder, so nothing has to reach the disk. Bookmarks of a quiet watch need etcd's notices of
        # progress, which come every ten minutes unless it is told otherwise.
        self.run("etcd", "--data-dir", self.folder / "etcd", "--listen-client-urls", client, "--advertise-client-urls",
                 client, "--listen-peer-urls", other, "--initial-advertise-peer-urls", other, "--initial-cluster",
                 f"default={other}", "--unsafe-no-fsync", "--watch-progress-notify-interval=5s")
        self.run_apiserver()
        self.kubeconfig.write_text(KUBECONFIG.format(url=self.url, token=self.token))

    def run_apiserver(self):
        self.run("kube-apiserver", "--etcd-servers", f"http://127.0.0.1:{self.etcd_port}", "--bind-address=127.0.0.1",
                 "--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none", f"--secure-port={self.port}",
                 f"--cert-dir={self.folder}", "--service-cluster-ip-range=10.0.0.0/24",
                 "--service-account-issuer=https://kubernetes.default.svc", f"--service-account-key-file={self.key}",
                 f"--service-account-signing-key-file={self.key}", f"--token-auth-file={self.folder}/tokens.csv",
                 "--authorization-mode=AlwaysAllow", "--disable-admission-plugins=ServiceAccount", *self.flags)
        self.wait_until_ready()

    def run(self, program, *words):
        with open(self.folder / f"{program}.log", "ab") as log:
            self.processes[program] = subprocess.Popen(
                [self.programs[program], *map(str, words)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.folder, start_new_session=True)  # Ctrl-C is for us: we end them

    def wait_until_ready(self):
        end = time.monotonic() + READY_S
        while time.monotonic() < end:
            for program, process in self.processes.items():
                if process.poll() is not None:
                    raise CannotHave(f"{program} left with {process.returncode}: {self.log(program)}")
            try:
                if self.request("GET", "/readyz")[0] == 200:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise CannotHave(f"kube-apiserver was not ready in {READY_S:.0f} s: {self.log('kube-apiserver')}")

    def log(self, program):
        return (self.folder / f"{program}.log").read_text(errors="replace")[-1500:]

    def request(self, method, path, body=None):
        """(status, text), on a connection of its own."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=10, context=context)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None,
                               {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def etcd(self, what, body):
        """One call of etcd's JSON gateway."""
        connection = http.client.HTTPConnection("127.0.0.1", self.etcd_port, timeout=10)
        try:
            connection.request("POST", f"/v3/kv/{what}", json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if answer.status != 200:
            raise OSError(f"etcd {what}: {answer.status} {text}")
        return json.loads(text)

    def compact(self, learned=False):
        """Up to now, behind the apiserver's back: its cache goes on with what it has. `learned`: as an apiserver does it, by
        a key that each of them watches; takes 16 s."""
        key = base64.b64encode(b"compact_rev_key").decode()
        revision = self.etcd("range", {"key": key})["header"]["revision"]
        if learned:
            self.etcd("put", {"key": key, "value": base64.b64encode(revision.encode()).decode()})
        self.etcd("compaction", {"revision": revision, "physical": True})
        if learned:
            time.sleep(LEARNS_S + 1)

    def restart(self):
        self.processes["kube-apiserver"].kill()
        self.processes["kube-apiserver"].wait()
        self.run_apiserver()

    def stop(self):
        for program in ("kube-apiserver", "etcd"):
            process = self.processes.get(program)
            if process is None or process.poll() is not None:
                continue
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(END_S)  # with watches open an apiserver would take a minute
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.kubeconfig.unlink(missing_ok=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


KUBECONFIG = """apiVersion: v1
kind: Config
clusters:
- name: real
  cluster:
    server: {url}
    insecure-skip-tls-verify: true
users:
- name: tester
  user:
    token: {token}
contexts:
- name: real
  context:
    cluster: real
    user: tester
current-context: real
"""


def address_of(kubeconfig):
    """(URL, token) of the first cluster and user, in YAML or JSON: `serve`'s and `relist serve`'s are that simple."""
    text = pathlib.Path(kubeconfig).read_text()
    server, token = (re.search(rf'\b{name}"?: *"?([^\s",]+)', text) for name in ("server", "token"))
    if not server or urllib.parse.urlparse(server.group(1)).port is None:
        raise CannotHave(f"{kubeconfig}: no server with a port")
    return server.group(1), token.group(1) if token else None
