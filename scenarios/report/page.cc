#include "scenarios/report/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "scenarios/report/html.h"
#include "scenarios/report/page_style.h"

namespace relist::report {
namespace {

using Outcome = PageSection::Outcome;

// Nothing may be asked for, from anywhere; not even a browser's own wish for an icon.
constexpr std::string_view kPageHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Relist: )";

constexpr std::string_view kLegend = R"(<details class="legend" open>
<summary>How to read this</summary>
<p>A controller keeps a copy of what is in a cluster. It asks for everything once (a list), then for what changes (a
watch). A scenario breaks that on purpose; the lanes show what happened, from the truth on the left to the program on the
right. Time runs downwards, in seconds since the start. Every write gets a number, its version: "at 7".</p>
<dl>
<dt>Truth</dt><dd>what was written, whoever saw it</dd>
<dt>Replica</dt><dd>the API server that was asked, its answers, and what is done to it; #2 is the second request</dd>
<dt>Wire</dt><dd>what the client asks for, and what comes back: answers, and the lines of a watch. A bookmark is a line without
an object: "you have seen all up to here". 410 says that a version is too old to go on from</dd>
<dt>Reflector</dt><dd>the part of the client that lists and watches: what it does now, how far it has come, and why it lists
again where it does</dd>
<dt>Queue</dt><dd>changes that it took in and that no handler was told yet: before &#8594; at most &#8594; after</dd>
<dt>Store</dt><dd>the client's copy, as it is after that</dd>
<dt>Handlers</dt><dd>what the program that uses the client is told</dd>
</dl>
<p>At the end an object called relist-sentinel is written, which has to come through, too. Quiet stretches are folded: open
them to see their lines. <code>relist replay FILE</code> shows every line.</p>
<ul>
<li><span class="add">added</span></li>
<li><span class="chg">changed</span></li>
<li><span class="del">deleted</span></li>
<li><span class="stp">done to the server</span></li>
<li><span class="flt"><b>fault</b> by the script</span></li>
<li><span class="err"><b>error</b> as somebody was told</span></li>
<li><span class="lit"><span class="mark">C3 &#183; line 1</span> a line that clashes</span></li>
<li><span class="key list">the reflector lists</span></li>
<li><span class="key watch">watches</span></li>
<li><span class="key wait">waits before it tries again</span></li>
</ul>
</details>
)";

const char* ClassOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kGood:
      return "good";
    case Outcome::kBad:
      return "bad";
    case Outcome::kNotRun:
      break;
  }
  return "none";
}

std::string BadgeOf(const PageSection& section) {
  return fmt::format("<span class=\"badge {}\">{}</span>", ClassOf(section.outcome),
                     EscapeHtml(section.verdict));
}

// "17 of 18 scenarios good, 1 not run".
std::string TotalText(const std::vector<PageSection>& sections) {
  const auto count = [&sections](Outcome outcome) {
    return std::count_if(sections.begin(), sections.end(), [outcome](const PageSection& section) {
      return section.outcome == outcome;
    });
  };
  const auto not_run = count(Outcome::kNotRun);
  return fmt::format("{} of {} scenario{} good{}", count(Outcome::kGood), sections.size(),
                     sections.size() == 1 ? "" : "s",
                     not_run > 0 ? fmt::format(", {} not run", not_run) : "");
}

void AppendIndex(std::string* html, const std::vector<PageSection>& sections) {
  *html +=
      "<nav aria-label=\"Scenarios\">\n<table class=\"index\">\n<thead><tr><th "
      "scope=\"col\">Verdict</th><th scope=\"col\">Scenario</th><th scope=\"col\">What is "
      "wrong</th></tr></thead>\n<tbody>\n";
  for (size_t i = 0; i < sections.size(); ++i) {
    *html += fmt::format("<tr><td>{}</td><td><a href=\"#s{}\">{}</a></td><td>{}</td></tr>\n",
                         BadgeOf(sections[i]), i + 1, EscapeHtml(sections[i].name),
                         EscapeHtml(sections[i].story.brief));
  }
  *html += "</tbody>\n</table>\n</nav>\n";
}

// Of many, those that are good are there for who asks.
void AppendSection(std::string* html, const PageSection& section, size_t number, bool alone) {
  *html += fmt::format(
      "<section id=\"s{0}\" aria-labelledby=\"s{0}-h\">\n<h2 id=\"s{0}-h\">{1} {2}</h2>\n"
      "<p class=\"soft\">{3}, in the world {4}</p>\n",
      number, EscapeHtml(section.name), BadgeOf(section), EscapeHtml(section.file),
      EscapeHtml(section.world));
  if (!section.about.empty()) *html += fmt::format("<p>{}</p>\n", EscapeHtml(section.about));
  for (const std::string& url : section.reports)
    *html += fmt::format("<p>Reported: <a href=\"{0}\">{0}</a></p>\n", EscapeHtml(url));
  if (!section.text.empty()) *html += fmt::format("<pre>{}</pre>\n", EscapeHtml(section.text));
  if (!section.story.html.empty()) {
    const bool open = alone || section.outcome == Outcome::kBad;
    *html += open ? "" : "<details>\n<summary>What happened</summary>\n";
    *html += section.story.html;
    *html += open ? "" : "</details>\n";
  }
  *html += "</section>\n";
}

}  // namespace

std::string Page(const std::vector<PageSection>& sections) {
  const std::string total = TotalText(sections);
  std::string html(kPageHead);
  html += fmt::format(
      "{}</title>\n<style>{}</style>\n</head>\n<body>\n<header>\n<h1>Relist: {}"
      "</h1>\n</header>\n",
      total, kPageStyle, total);
  AppendIndex(&html, sections);
  html += kLegend;
  html += "<main>\n";
  for (size_t i = 0; i < sections.size(); ++i)
    AppendSection(&html, sections[i], i + 1, sections.size() == 1);
  html += "</main>\n</body>\n</html>\n";
  return html;
}

}  // namespace relist::report
