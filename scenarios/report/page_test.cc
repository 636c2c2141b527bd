#include "scenarios/report/page.h"

#include <gmock/gmock.h>

namespace relist::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Outcome = PageSection::Outcome;

std::vector<PageSection> ThreeSections() {
  return {{.name = "a", .file = "a.yaml", .world = "sim", .verdict = "good", .story = {"", "<p>A"}},
          {.name = "b",
           .file = "b.yaml",
           .world = "sim",
           .about = "why <b>b</b> matters",
           .reports = {"https://example.com/1?a&b"},
           .verdict = "safety broken",
           .outcome = Outcome::kBad,
           .story = {"C3 and <i>C4</i>", "<p>B"}},
          {.name = "<c>",
           .file = "'c'.yaml",
           .world = "http",
           .verdict = "skipped",
           .outcome = Outcome::kNotRun,
           .text = "needs the <simulation>"}};
}

TEST(Page, TheIndexSaysWhatEachIsAndLeadsThere) {
  const std::string page = Page(ThreeSections());
  EXPECT_THAT(page, HasSubstr("<h1>Relist: 1 of 3 scenarios good, 1 not run</h1>"));
  EXPECT_THAT(page, HasSubstr("<tr><td><span class=\"badge good\">good</span></td><td><a "
                              "href=\"#s1\">a</a></td><td></td></tr>"));
  EXPECT_THAT(page, HasSubstr("<tr><td><span class=\"badge bad\">safety broken</span></td><td><a "
                              "href=\"#s2\">b</a></td><td>C3 and &lt;i&gt;C4&lt;/i&gt;</td></tr>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"#s3\">&lt;c&gt;</a>"));
  for (const char* section : {"<section id=\"s1\"", "<section id=\"s2\"", "<section id=\"s3\""})
    EXPECT_THAT(page, HasSubstr(section));
}

TEST(Page, OfManyTheGoodOnesAreFoldedAndOneAloneIsNot) {
  const std::string page = Page(ThreeSections());
  EXPECT_THAT(page, HasSubstr("<summary>What happened</summary>\n<p>A</details>"));
  EXPECT_THAT(page, HasSubstr("a&amp;b</a></p>\n<p>B</section>"));
  const std::string alone = Page({ThreeSections()[0]});
  EXPECT_THAT(alone, Not(HasSubstr("What happened")));
  EXPECT_THAT(alone, HasSubstr("<h1>Relist: 1 of 1 scenario good</h1>"));
}

TEST(Page, WhatScenariosSayIsText) {
  const std::string page = Page(ThreeSections());
  EXPECT_THAT(page, HasSubstr("why &lt;b&gt;b&lt;/b&gt; matters"));
  EXPECT_THAT(page, HasSubstr("Reported: <a href=\"https://example.com/1?a&amp;b\">"));
  EXPECT_THAT(page, HasSubstr("&#39;c&#39;.yaml, in the world http"));
  EXPECT_THAT(page, HasSubstr("<pre>needs the &lt;simulation&gt;</pre>"));
}

TEST(Page, AsksNothingOfANetworkAndRunsNoScript) {
  std::vector<PageSection> sections = ThreeSections();
  for (PageSection& section : sections)
    section.reports.clear();  // links, for who wants to go there
  const std::string page = Page(sections);
  EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; style-src 'unsafe-inline'; "
                              "img-src data:\""));
  for (const char* never : {"<script", "http:", "https:", "@import", "url(", "src=", "<iframe"})
    EXPECT_THAT(page, Not(HasSubstr(never)));
}

TEST(Page, ExplainsEveryLane) {
  const std::string page = Page({});
  for (const char* lane : {"Truth", "Replica", "Wire", "Reflector", "Queue", "Store", "Handlers"})
    EXPECT_THAT(page, HasSubstr(std::string("<dt>") + lane + "</dt>"));
}

}  // namespace
}  // namespace relist::report
