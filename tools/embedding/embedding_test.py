#!/usr/bin/env python3
"""Relist in somebody else's project, as a user has it: from an install by find_package, and from sources by
add_subdirectory. $RELIST_BUILD is a build of this tree, whose libraries are installed; what is built here stays in the
current folder, so that a second run builds nothing."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tools/embedding"
BUILD = pathlib.Path(os.environ["RELIST_BUILD"])
CMAKE = os.environ.get("CMAKE", "cmake")
PLACE = pathlib.Path.cwd() / "embedding"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, f"{command}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def install(prefix):
    run(CMAKE, "--install", BUILD, "--prefix", prefix)


def try_project(name, *options):
    """Configures, builds and runs a user's project; its build folder."""
    build = PLACE / name
    launcher = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={ccache}" for ccache in [shutil.which("ccache")] if ccache]
    run(CMAKE, "--fresh", "-S", HERE / name, "-B", build, "-G", "Ninja", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *launcher, *options)
    run(CMAKE, "--build", build, "--parallel", "2", "--target", "dashboard_test")
    told = run(build / "dashboard_test")
    assert "[  PASSED  ]" in told, told
    return build


class EmbeddingTest(unittest.TestCase):
    def test_find_package_finds_an_install(self):
        prefix = PLACE / "prefix"
        shutil.rmtree(prefix, ignore_errors=True)
        install(prefix)
        build = try_project("installed", f"-DCMAKE_PREFIX_PATH={prefix}")
        commands = (build / "compile_commands.json").read_text()
        self.assertNotIn(f"-I{ROOT}", commands, "an install uses nothing of the sources")
        for ours in ("-Werror", "-Wall"):
            self.assertNotIn(ours, commands, "our warnings are not the user's")
        self.assertIn("SIMDJSON_DEVELOPMENT_CHECKS=0", commands)

    def test_an_install_has_all_that_its_headers_include_and_none_of_the_tests(self):
        with tempfile.TemporaryDirectory() as prefix:
            install(prefix)
            folder = pathlib.Path(prefix) / "include/relist"
            headers = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.h"))
            self.assertIn("fakeapi/front/http_server.h", headers)
            self.assertEqual([], [header for header in headers if re.search("test|bench|fixture", header)])
            for header in headers:
                for included in re.findall(r'(?m)^#include "([^"]+)"', (folder / header).read_text()):
                    self.assertIn(included, headers, f"{header} includes it")
            targets = "".join(path.read_text() for path in pathlib.Path(prefix).rglob("relistTargets*.cmake"))
            self.assertNotIn(str(ROOT), targets)

    def test_another_version_is_not_found(self):
        with tempfile.TemporaryDirectory() as place:
            install(f"{place}/prefix")
            project = pathlib.Path(place) / "project"
            project.mkdir()
            (project / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(other LANGUAGES CXX)\n"
                "foreach(other 0.0 0.2 99)\n  find_package(relist ${other} QUIET)\n"
                "  if(relist_FOUND)\n    message(FATAL_ERROR ${other})\n  endif()\nendforeach()\n"
                "find_package(relist 0.1 REQUIRED)\n")
            run(CMAKE, "-S", project, "-B", f"{place}/build", f"-DCMAKE_PREFIX_PATH={place}/prefix")

    def test_add_subdirectory_takes_the_sources(self):
        # Few and large translation units: this is not about what is built, but that it is.
        # The build type is the user's.
        build = try_project("subdirectory", f"-DRELIST={ROOT}", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=40")
        cache = (build / "CMakeCache.txt").read_text()
        for option in ("RELIST_DEVELOPER_MODE", "RELIST_INSTALL"):
            self.assertRegex(cache, rf"(?m)^{option}:BOOL=OFF$")
        commands = (build / "compile_commands.json").read_text()
        self.assertNotIn("-Werror", commands)
        self.assertNotIn("-O2", commands)

    def test_who_names_no_build_type_gets_optimised_libraries(self):
        with tempfile.TemporaryDirectory() as build:
            run(CMAKE, "-S", HERE / "subdirectory", "-B", build, f"-DRELIST={ROOT}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
            for one in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
                ours = one["file"].startswith(str(ROOT / "fakeapi"))
                self.assertEqual(ours, "-O2" in one["command"] and ours, one["command"])

    def test_readme_shows_what_is_tried_here(self):
        examples = re.findall(r"(?ms)^```cpp\n(.*?)^```", (ROOT / "README.md").read_text())
        self.assertEqual(4, len(examples))
        for example in examples[:2]:
            self.assertIn(example, (HERE / "ten_lines.cc").read_text())
            self.assertLessEqual(len(example.splitlines()), 10)
        for example in examples[2:]:
            self.assertIn(example, (ROOT / "reflector/examples/print_deployments.cc").read_text())
        cmake = "".join((HERE / name / "CMakeLists.txt").read_text() for name in ("installed", "subdirectory"))
        for line in re.findall(r"(?ms)^```cmake\n(.*?)^```", (ROOT / "README.md").read_text())[0].splitlines():
            self.assertIn(line.split("#")[0].strip(), cmake)


if __name__ == "__main__":
    os.nice(10)  # tests that run beside it have deadlines
    unittest.main()
