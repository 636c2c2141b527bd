"""A headless Chromium, driven by WebDriver with Python's standard library alone.

    with Browser(chromium, chromedriver) as browser:
        browser.screen(390, 844, dark=True)
        browser.open(path)
        browser.evaluate("document.title")
        browser.console()        # what the page made the browser complain of
"""

import base64
import http.client
import json
import os
import pathlib
import re
import tempfile

import harness

# Nothing of the user's, and nothing from a network.
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"]


class Browser:
    def __init__(self, chromium, chromedriver):
        self.profile = tempfile.TemporaryDirectory(prefix="relist-chromium-", ignore_cleanup_errors=True)
        self.driver = harness.Process([chromedriver, "--port=0"], env={"HOME": self.profile.name})
        try:
            line = self.driver.line_that(lambda text: re.search(r"started successfully on port \d+", text))
            self.port = int(re.search(r"on port (\d+)", line)[1])
            options = {"binary": chromium, "args": [*ARGUMENTS, f"--user-data-dir={self.profile.name}"]}
            wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
            self.path = ""
            opened = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
            self.path = "/session/" + opened["sessionId"]
        except BaseException:
            self.driver.end()
            raise

    def _call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=harness.DEADLINE_S)
        connection.request(method, path, json.dumps(body or {}) if method == "POST" else None)
        answer = connection.getresponse()
        value = json.loads(answer.read())["value"]
        connection.close()
        assert answer.status == 200, (path, value)
        return value

    def command(self, name, **parameters):
        """One of the DevTools protocol."""
        return self._call("POST", self.path + "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def screen(self, width, height, dark=False, media=""):
        phone = width < 700
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.command("Emulation.setEmulatedMedia", media=media,
                     features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path):
        self._call("POST", self.path + "/url", {"url": pathlib.Path(path).as_uri()})

    def evaluate(self, expression):
        done = self.command("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in done, (expression, done)
        return done["result"].get("value")

    def roles(self):
        """What a screen reader is told of: how many nodes of each role."""
        self.command("Accessibility.enable")
        counts = {}
        for node in self.command("Accessibility.getFullAXTree")["nodes"]:
            role = node.get("role", {}).get("value", "")
            if not node.get("ignored"):
                counts[role] = counts.get(role, 0) + 1
        return counts

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.command("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode={"Tab": 9, "Enter": 13}[key],
                         text="\r" if key == "Enter" and kind == "keyDown" else "")

    def console(self):
        return [entry["message"] for entry in self._call("POST", self.path + "/se/log", {"type": "browser"})]

    def screenshot(self, name):
        """The whole page, into the folder $RELIST_SCREENSHOTS, for people."""
        folder = os.environ.get("RELIST_SCREENSHOTS")
        if folder:
            shot = self.command("Page.captureScreenshot", captureBeyondViewport=True)
            pathlib.Path(folder, name + ".png").write_bytes(base64.b64decode(shot["data"]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", self.path)
        finally:
            self.driver.end()
            self.profile.cleanup()
