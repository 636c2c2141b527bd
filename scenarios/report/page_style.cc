#include "scenarios/report/page_style.h"

namespace relist::report {

const std::string_view kPageStyle = R"css(
:root {
  color-scheme: light dark;
  --bg: #fff; --fg: #1b1f24; --soft: #57606a; --line: #d0d7de; --panel: #f6f8fa;
  --link: #0550ae; --good: #116329; --bad: #a40e26; --warn: #7d4e00;
  --add: #116329; --chg: #0550ae; --del: #953800; --step: #6639ba;
  --flt-bg: #ffebe9; --flt-fg: #82071e; --lit-bg: #fff3bf; --lit-fg: #1b1f24; --lit: #cf222e;
  --list: #bf8700; --watch: #2da44e; --wait: #8250df;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #0f1419; --fg: #e6edf3; --soft: #9aa4af; --line: #343b43; --panel: #171d24;
    --link: #79c0ff; --good: #56d364; --bad: #ff8f87; --warn: #e3b341;
    --add: #56d364; --chg: #79c0ff; --del: #ffa657; --step: #d2a8ff;
    --flt-bg: #4a1519; --flt-fg: #ffc9c4; --lit-bg: #4d3d00; --lit-fg: #fff3bf; --lit: #ff8f87;
    --list: #e3b341; --watch: #3fb950; --wait: #a371f7;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 90rem; padding: 1rem 1.5rem 3rem; background: var(--bg); color: var(--fg);
  font: 1rem/1.5 system-ui, "Segoe UI", "Liberation Sans", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; margin: .5rem 0; }
h2 { font-size: 1.35rem; margin: 0 0 .25rem; }
h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
p { margin: .4rem 0; max-width: 60rem; }
a { color: var(--link); }
code, pre { font: max(.875em, 12px)/1.45 ui-monospace, "Liberation Mono", monospace; }
code { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: .1em .35em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem;
  white-space: pre-wrap; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; }
summary { cursor: pointer; }
.soft { color: var(--soft); }
.badge { display: inline-block; border: 1px solid; border-radius: 1em; padding: 0 .6em; font-size: .85rem;
  font-weight: 600; white-space: nowrap; }
.good { color: var(--good); }
.bad > .badge, .badge.bad { color: var(--bad); }
.none { color: var(--soft); }
.index td, .index th { padding: .35rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
nav th:first-child { width: 12rem; }
section { margin-top: 2rem; border-top: 2px solid var(--line); padding-top: 1rem; scroll-margin-top: .5rem; }
.legend { margin-top: 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 8px;
  padding: .6rem 1rem; }
.legend summary { font-weight: 600; }
.legend dl { display: grid; grid-template-columns: 6rem 1fr; gap: .25rem .75rem; margin: .6rem 0; max-width: 70rem; }
.legend .flt { padding: .1rem .4rem; }
.legend dt { font-weight: 600; }
.legend dd { margin: 0; }
.legend ul { list-style: none; margin: .6rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; }
.key { border-left: 5px solid; padding-left: .4rem; }
.key.list { border-color: var(--list); } .key.watch { border-color: var(--watch); }
.key.wait { border-color: var(--wait); }
.finding { border: 1px solid var(--line); border-left: 6px solid var(--soft); border-radius: 6px;
  padding: .6rem 1rem; margin: .75rem 0; scroll-margin-top: .5rem; }
.finding.bad { border-left-color: var(--lit); }
.finding.warn { border-left-color: var(--list); }
.finding:target { outline: 3px solid var(--link); }
.prop { display: inline-block; background: var(--fg); color: var(--bg); border-radius: 4px; padding: 0 .4em; }
.finding.bad .prop { background: var(--lit); color: var(--bg); }
.clash { margin: .3rem 0; padding-left: 1.5rem; }
.clash li { margin: .2rem 0; }
.clash details { font-size: .9375rem; }
.clash code { display: block; padding: .4rem .6rem; }
.lanes { margin-top: 1rem; }
.lanes table { table-layout: fixed; font-size: .8125rem; line-height: 1.4; }
.lanes caption { text-align: left; font-size: 1rem; padding: .25rem 0; }
.c-t { width: 5.8rem; } .c-0 { width: 12%; } .c-1 { width: 15%; } .c-2 { width: 20%; } .c-3 { width: 15%; }
.c-4 { width: 5.2rem; } .c-5 { width: 11%; }
.lanes thead th { position: sticky; top: 0; z-index: 1; background: var(--panel); border-bottom: 2px solid var(--line); }
.lanes th, .lanes td { padding: .3rem .5rem; vertical-align: top; border-bottom: 1px solid var(--line); }
.lanes td { border-left: 1px solid var(--line); }
.lanes tbody th { font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.lanes small { display: block; font-weight: 400; font-size: .75rem; color: var(--soft); }
.run td { background: var(--panel); font-weight: 600; }
.fold td { background: var(--panel); color: var(--soft); }
.fold ol { margin: .3rem 0; padding-left: 1.2rem; }
.e { unicode-bidi: isolate; margin-bottom: .15rem; padding-left: 1em; text-indent: -1em; }
.e > * { text-indent: 0; }
.e.req::before { content: "\2192\a0" / ""; } .e.ans::before, .e.ev::before { content: "\2190\a0" / ""; }
.add { color: var(--add); } .chg { color: var(--chg); } .del { color: var(--del); } .stp { color: var(--step); }
.bm, .more { color: var(--soft); }
.err { color: var(--bad); }
.ph { font-weight: 600; }
.flt { background: var(--flt-bg); color: var(--flt-fg); border-radius: 4px; padding: .15rem .4rem .15rem 1.4em; }
.flt b, .err b { text-transform: uppercase; letter-spacing: .03em; }
.lit, .noted { border-radius: 4px; padding: .25rem .4rem; text-indent: 0; scroll-margin-top: 3rem; }
.lit { background: var(--lit-bg); color: var(--lit-fg); outline: 2px solid var(--lit); }
.noted { outline: 2px dashed var(--soft); }
.mark { display: inline-block; background: var(--lit); color: var(--bg); border-radius: 4px; padding: 0 .35em;
  font-weight: 600; text-decoration: none; scroll-margin-top: 4rem; }
.noted .mark { background: var(--soft); }
.mark:target { outline: 3px solid var(--link); }
.p-list > td:nth-child(5) { box-shadow: inset 5px 0 var(--list); }
.p-watch > td:nth-child(5) { box-shadow: inset 5px 0 var(--watch); }
.p-wait > td:nth-child(5) { box-shadow: inset 5px 0 var(--wait); }
.lanes td:nth-child(5) { padding-left: .8rem; }
@media (min-width: 701px) and (max-width: 1100px) {
  .lanes { overflow-x: auto; }
  .lanes table { min-width: 66rem; }
}
@media (max-width: 700px) {
  body { padding: .5rem .75rem 2rem; }
  .legend dl { grid-template-columns: 1fr; }
  .legend dd { margin-bottom: .3rem; }
  .index thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .index, .index tbody, .index tr, .index td { display: block; }
  .index tr { padding: .4rem 0; border-bottom: 1px solid var(--line); }
  .index td { padding: .1rem 0; border: 0; }
  .index td:empty { display: none; }
  .lanes table, .lanes tbody, .lanes tr, .lanes th, .lanes caption { display: block; }
  .lanes thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .lanes table { font-size: .9375rem; }
  .lanes tr { border: 1px solid var(--line); border-radius: 8px; margin-bottom: .6rem; }
  .lanes tbody th { background: var(--panel); }
  .lanes td { display: grid; grid-template-columns: 5.2rem 1fr; border-left: 0; }
  .lanes tr > :last-child { border-bottom: 0; }
  .lanes td::before { content: attr(data-l); grid-column: 1; grid-row: 1; color: var(--soft); font-size: .8125rem; }
  .lanes td > * { grid-column: 2; min-width: 0; }
  .lanes td:empty { display: none; }
  .run td, .fold td { display: block; }
  .run td::before, .fold td::before { content: none; }
}
@page { size: landscape; margin: 1cm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  .lanes { overflow: visible; }
  .lanes table { min-width: 0; font-size: 7.5pt; }
  .lanes thead th { position: static; }
  .c-t { width: 11%; } .c-1 { width: 14%; } .c-2 { width: 17%; } .c-4 { width: 8%; }
  tr, .finding, .legend { break-inside: avoid; }
}
)css";

}  // namespace relist::report
