#!/usr/bin/env python3
"""The page of `relist run --report FILE.html` in a real browser, at the widths of a laptop and a phone, light and dark."""

import os
import tempfile
import unittest

import harness
from browser import Browser
from harness import RELIST, ROOT, temporary_file
from run_test import HANGS, WRONG_EXPECTATION

CASES = ROOT / "scenarios/cases"
LANES = ("Truth", "Replica", "Wire", "Reflector", "Queue", "Store", "Handlers")
LAPTOP, PHONE, PAPER = (1366, 768), (390, 844), (720, 1000)
LEAST_CONTRAST = 4.5  # WCAG 2, level AA
LEAST_TEXT_PX = 12

# A line that the server sends twice: no right one does.
TWICE = """\
name: a line comes twice
legal: false
clients: [{streaming_list: false, namespace: default}]
objects: [{object: default/a, data: {n: "0"}}]
steps: [{at: 5s, do: write, object: default/a, data: {n: "1"}}]
faults: [{on: watch, events: 0, fault: duplicate}]
expect: {client: {callbacks: [added default/a * initial, modified default/a * -> *]}}
"""

# Elements that show text of their own, as somebody sees them: what is folded, or for screen readers only, is not.
SEEN = """
const seen = element => element.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}) &&
  element.getBoundingClientRect().width > 1 && !element.closest('thead') ;
const texts = [...document.querySelectorAll('body *')].filter(element => seen(element) &&
  [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim()));
"""

CONTRASTS = "(() => {" + SEEN + """
const parse = text => text.match(/[\\d.]+/g).map(Number);
const light = rgb => rgb.slice(0, 3).map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
const ground = element => {
  for (let e = element; e; e = e.parentElement) {
    const color = parse(getComputedStyle(e).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
  }
  return [255, 255, 255];
};
return texts.map(element => {
  const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))];
  return {ratio: (Math.max(a, b) + .05) / (Math.min(a, b) + .05), size: parseFloat(getComputedStyle(element).fontSize),
          text: element.textContent.slice(0, 40), kind: element.className};
});
})()"""

# What sticks out of the screen at its right, or is cut off by a box that does not scroll.
TOO_WIDE = "(() => {" + SEEN + """
return texts.filter(element => element.getBoundingClientRect().right > innerWidth + 1 ||
                               element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== 'inline')
  .map(element => element.outerHTML.slice(0, 200));
})()"""

LIT = "(() => {" + SEEN + """
return [...document.querySelectorAll('.lit')].filter(element => seen(element) && element.querySelector('[id]')).map(element => {
  const style = getComputedStyle(element);
  return {text: element.innerText, outline: style.outlineStyle,
          lit: style.backgroundColor !== getComputedStyle(document.body).backgroundColor};
});
})()"""

FILLED_LANES = "(() => {" + SEEN + """
return [...new Set([...document.querySelectorAll('td[data-l]')].filter(cell => seen(cell) && cell.innerText.trim())
  .map(cell => cell.dataset.l))];
})()"""


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = None
        cls.folder = tempfile.mkdtemp()

    def setUp(self):
        chromium, chromedriver = harness.foreign(self, "chromium")
        if ReportTest.browser is None:
            ReportTest.browser = Browser(chromium, chromedriver)
            self.addClassCleanup(ReportTest.browser.__exit__)

    def page(self, name, *files, status=0):
        path = os.path.join(self.folder, name + ".html")
        code, _, errors = harness.run([RELIST, "run", *files, "--report", path])
        self.assertEqual(status, code, errors)
        return path

    def bad_page(self):
        files = [temporary_file(text, ".yaml") for text in (HANGS, TWICE, WRONG_EXPECTATION)]
        return self.page("bad", *files, CASES / "two_informers.yaml", CASES / "stale_replica.yaml", status=2)

    def looks_right(self, path, name):
        browser = self.browser
        for size, dark in ((LAPTOP, False), (LAPTOP, True), (PHONE, False), (PHONE, True)):
            what = f"{name}-{size[0]}-{'dark' if dark else 'light'}"
            browser.screen(*size, dark=dark)
            browser.open(path)
            browser.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)")
            browser.screenshot(what)
            self.assertEqual(size[0], browser.evaluate("document.documentElement.scrollWidth"), what)
            self.assertEqual([], browser.evaluate(TOO_WIDE), what)
            texts = browser.evaluate(CONTRASTS)
            self.assertGreater(len(texts), 100, what)
            self.assertEqual([], [text for text in texts if text["ratio"] < LEAST_CONTRAST], what)
            self.assertEqual([], [text for text in texts if text["size"] < LEAST_TEXT_PX], what)
            self.assertEqual(sorted(LANES), sorted(browser.evaluate(FILLED_LANES)), what)
            self.assertEqual([], browser.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)"), what)
            self.assertEqual([], browser.console(), what)

    def test_bad_runs_at_every_size_in_light_and_dark(self):
        self.looks_right(self.bad_page(), "bad")

    def test_every_shipped_case_at_every_size_in_light_and_dark(self):
        self.looks_right(self.page("cases", *sorted(CASES.glob("*.yaml"))), "cases")

    def test_the_lines_that_clash_are_lit_and_a_key_leads_to_them(self):
        path = self.bad_page()
        for size in (LAPTOP, PHONE):
            self.browser.screen(*size)
            self.browser.open(path)
            lit = self.browser.evaluate(LIT)
            self.assertGreaterEqual(len(lit), 3, size)
            for line in lit:
                self.assertEqual(("solid", True), (line["outline"], line["lit"]), line)
                self.assertRegex(line["text"], "^((C|W)\\d+|(C|W)\\d+ · line [123]|Not expected)\\s")
            for link in ("s1t1f1l1", "s1f1"):
                self.browser.evaluate(f"document.querySelector('a[href=\"#{link}\"]').focus()")
                self.browser.press("Enter")
                where = self.browser.evaluate("(() => { const box = document.querySelector(':target').getBoundingClientRect();"
                                              "return box.top >= 0 && box.top < innerHeight && box.left >= 0 && "
                                              "box.left < innerWidth; })()")
                self.assertEqual((f"#{link}", True), (self.browser.evaluate("location.hash"), where), size)

    def test_a_name_that_looks_like_markup_is_shown_as_it_is(self):
        self.browser.screen(*LAPTOP)
        self.browser.open(self.bad_page())
        self.assertEqual(0, self.browser.evaluate("document.scripts.length"))
        self.assertIn("the watch says <script>nothing</script> any more", self.browser.evaluate("document.querySelector('#s1 h2').innerText"))

    def test_a_screen_reader_is_told_of_tables_headings_and_names_at_every_size(self):
        path = self.bad_page()
        for size in (LAPTOP, PHONE):
            self.browser.screen(*size)
            self.browser.open(path)
            shown = "[...document.querySelectorAll('table')].filter(table => table.checkVisibility()).length"
            tables = self.browser.evaluate(shown)
            self.assertGreaterEqual(tables, 4)
            roles = self.browser.roles()
            self.assertEqual(tables, roles["table"], roles)
            self.assertGreaterEqual(roles["rowheader"], 10, roles)
            self.assertGreaterEqual(roles["columnheader"], 8 * (tables - 1), roles)
            for role, least in (("navigation", 1), ("main", 1), ("article", 4), ("heading", 9), ("region", tables - 1)):
                self.assertGreaterEqual(roles[role], least, (role, roles))

    def test_the_keyboard_comes_to_the_index_first(self):
        self.browser.screen(*LAPTOP)
        self.browser.open(self.bad_page())
        self.browser.press("Tab")
        self.assertEqual("#s1", self.browser.evaluate("document.activeElement.getAttribute('href')"))

    def test_on_paper_nothing_is_cut_off(self):
        self.browser.screen(*PAPER, media="print")
        self.browser.open(self.bad_page())
        self.browser.screenshot("paper")
        self.assertEqual(PAPER[0], self.browser.evaluate("document.documentElement.scrollWidth"))
        self.assertEqual([], self.browser.evaluate(TOO_WIDE))
        self.assertEqual(sorted(LANES), sorted(self.browser.evaluate(FILLED_LANES)))


if __name__ == "__main__":
    harness.main()
