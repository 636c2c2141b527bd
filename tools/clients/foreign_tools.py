"""Foreign programs that the tests drive, had from where their makers publish them, kept in a cache folder.

    python3 foreign_tools.py kubectl-0.37      builds it, or says why it can't be had (exit status 77)

Each function returns a path (of the browser two), or raises CannotHave with a reason to print.
"""

import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("RELIST_CACHE") or
                     pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "relist")
PYTHON_CLIENT = "kubernetes==37.0.2"
SKIPPED = 77  # what ctest takes for "skipped"


class CannotHave(Exception):
    pass


def kubectl_debian():
    """Debian 12's kubectl, 1.20: tools/setup unpacks it."""
    path = CACHE / "kubectl-debian/usr/bin/kubectl"
    if not path.exists():
        raise CannotHave("Debian's kubernetes-client could not be fetched (tools/setup says why)")
    return str(path)


def go_version(text):
    match = re.search(r"go(\d+)\.(\d+)", text)
    return (int(match.group(1)), int(match.group(2))) if match else (0, 0)


def kubectl_upstream():
    """kubectl of the Go module k8s.io/kubectl that kubectl/go.mod names, built once."""
    source = HERE / "kubectl"
    module = (source / "go.mod").read_text()
    version = re.search(r"k8s.io/kubectl v([\d.]+)", module).group(1)
    needed = go_version("go" + re.search(r"^go ([\d.]+)", module, re.M).group(1))
    path = CACHE / f"kubectl-{version}/kubectl"
    if path.exists():
        return str(path)
    if not shutil.which("go"):
        raise CannotHave(f"kubectl {version} is built with Go {needed[0]}.{needed[1]}, and there is no Go here")
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly"}
    have = go_version(subprocess.run(["go", "env", "GOVERSION"], env=environment, cwd="/", capture_output=True,
                                     text=True).stdout)
    if have < needed:
        raise CannotHave(f"kubectl {version} needs Go {needed[0]}.{needed[1]}, here is {have[0]}.{have[1]}")
    fresh = path.with_suffix(f".{os.getpid()}")
    built = subprocess.run(["go", "build", "-ldflags", "-s -w", "-o", str(fresh), "."], cwd=source, env=environment,
                           capture_output=True, text=True)
    if built.returncode != 0:
        raise CannotHave(f"kubectl {version} could not be built: {built.stderr.strip()[-300:]}")
    fresh.rename(path)  # whole or not at all
    return str(path)


def python_with_client():
    """A Python that can import the kubernetes client of PyPI."""
    folder = CACHE / ("python-" + PYTHON_CLIENT.replace("==", "-"))
    python = folder / "bin/python"
    if (folder / "complete").exists():
        return str(python)
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "python.lock", "w") as lock:  # tests of two trees at once would build it over each other
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            build_python(folder, python)
    return str(python)


def build_python(folder, python):
    for command in ([sys.executable, "-m", "venv", "--clear", str(folder)],
                    [str(python), "-m", "pip", "install", "-q", PYTHON_CLIENT]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise CannotHave(f"{PYTHON_CLIENT} could not be installed: {(done.stderr or done.stdout).strip()[-300:]}")
    (folder / "complete").touch()


def chromium():
    """(the browser, its driver), of Debian."""
    found = tuple(shutil.which(name) for name in ("chromium", "chromedriver"))
    if None in found:
        raise CannotHave("chromium and chromium-driver are not installed (tools/setup --nightly does it)")
    return found


KNOWN = {"chromium": chromium, "kubectl-debian": kubectl_debian, "kubectl-0.37": kubectl_upstream, "python": python_with_client}


def main():
    try:
        print(KNOWN[sys.argv[1]]())
    except CannotHave as why:
        print(f"SKIP: {why}")
        return SKIPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
