/** Colours and type of all pages, light and dark. Text has a contrast of at least 4.5 : 1. */
const base = `
:root {
  --paper: #faf9f6; --card: #ffffff; --ink: #1c2422; --soft: #56615d; --line: #dedbd2;
  --accent: #0b6b57; --on-accent: #ffffff; --accent-wash: #e3f1ec;
  --published: #1d5a94; --published-wash: #e4eef8; --assumed: #8a4b08; --assumed-wash: #fbeedc;
  --bad: #a4262c; --bad-wash: #fbe9e9; --code: #f3f1ea; --field: #8b938f;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #111615; --card: #19201e; --ink: #e7ecea; --soft: #a3b0ab; --line: #313b38;
    --accent: #5ccbae; --on-accent: #06251d; --accent-wash: #15332b;
    --published: #8bbdf0; --published-wash: #182c40; --assumed: #eab36a; --assumed-wash: #36280f;
    --bad: #f39a9a; --bad-wash: #3d1c1e; --code: #0d1211; --field: #7d8a85;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1, h2, h3, h4, p { margin: 0; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .875em; }
.unencrypted { background: var(--bad-wash); color: var(--bad); padding: .5rem 1rem; text-align: center; font-size: .875rem; align-self: start; }
`

export const checkoutStyle = `${base}
body { min-height: 100vh; display: grid; grid-template-rows: auto 1fr; }
body:has(> .unencrypted) { grid-template-rows: auto auto 1fr; }
.simulated {
  background: var(--assumed-wash); color: var(--assumed); padding: .5rem 1rem; text-align: center;
  font-size: .875rem; font-weight: 600;
}
main { width: 100%; max-width: 27rem; margin: 0 auto; padding: 1.25rem 1rem 2rem; align-self: center; }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.5rem;
  box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px rgb(0 0 0 / .06);
}
.merchant { font-size: 1.0625rem; font-weight: 600; line-height: 1.35; }
.description { color: var(--soft); margin-top: .125rem; white-space: pre-line; }
.amount { margin-top: 1.25rem; line-height: 1.15; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.amount .currency { display: block; font-size: .875rem; font-weight: 600; color: var(--soft); letter-spacing: .04em; }
.amount .figure { font-size: 2.25rem; font-weight: 650; letter-spacing: -.02em; }
.facts { margin: 1.25rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem; }
.facts div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
form { margin-top: .75rem; }
.methods { margin-top: 1.5rem; }
button, .button {
  display: block; width: 100%; min-height: 3rem; padding: .75rem 1rem; border-radius: 10px; cursor: pointer;
  font: inherit; font-weight: 600; text-align: center; text-wrap: balance; text-decoration: none;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent);
}
button:hover, .button:hover { filter: brightness(1.08); }
button:focus-visible, .button:focus-visible { border-radius: 10px; }
.quiet { font-weight: 500; background: transparent; color: var(--soft); border-color: transparent; }
.quiet:hover { color: var(--ink); text-decoration: underline; filter: none; }
.state { margin-top: 1.5rem; padding: 1rem; border-radius: 10px; background: var(--accent-wash); }
.state h2 { font-size: 1rem; line-height: 1.4; text-wrap: balance; }
.state p { margin-top: .25rem; font-size: .9375rem; }
.state.bad { background: var(--bad-wash); }
.state.bad h2 { color: var(--bad); }
.state.wait { background: var(--assumed-wash); }
.state pre { margin: .75rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; }
.methods { display: grid; gap: .75rem; }
.methods form { margin-top: 0; }
.choices { border: 1px solid var(--line); border-radius: 10px; }
.choices .method { position: relative; }
.choices .method + .method { border-top: 1px solid var(--line); }
.choices .method > input { position: absolute; left: 1rem; top: 1rem; width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); }
.choices .method > label { display: block; padding: .75rem 1rem .75rem 2.625rem; min-height: 3rem; font-weight: 600; cursor: pointer; line-height: 1.5; }
.choices .panel { display: none; padding: .25rem 1rem 1rem; }
.choices :checked ~ .panel { display: block; }
.field { margin-bottom: .25rem; }
.field label { display: block; font-size: .875rem; font-weight: 600; margin-bottom: .25rem; }
.field input {
  width: 100%; min-height: 2.875rem; padding: .5rem .75rem; font: inherit; font-variant-numeric: tabular-nums;
  color: var(--ink); background: var(--paper); border: 1px solid var(--field); border-radius: 8px;
}
.field input::placeholder { color: var(--soft); opacity: 1; }
.field input[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.field:not(:has(.problem)) { margin-bottom: 1rem; }
.field .problem { color: var(--bad); font-size: .8125rem; line-height: 1.3; min-height: 1.3em; margin-top: .375rem; }
.pair .problem { min-height: 2.6em; }
.pair .field { margin-bottom: 0; }
.whole { white-space: nowrap; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.help { font-size: .875rem; }
.help summary { cursor: pointer; color: var(--soft); padding: .25rem 0; }
.help p { color: var(--soft); margin-top: .25rem; }
.help ul { list-style: none; margin: .5rem 0 0; padding: 0; display: grid; gap: .375rem; }
.help code { white-space: nowrap; font-weight: 600; }
button[aria-busy] { opacity: .6; cursor: progress; }
.second { background: transparent; color: var(--accent); }
.countdown { font-variant-numeric: tabular-nums; font-weight: 600; }
.leave { margin-top: 1rem; text-align: center; font-size: .875rem; }
.state + .button, .state + form { margin-top: 1rem; }
`

export const docsStyle = `${base}
html { scroll-padding-top: 1rem; }
.top { border-bottom: 1px solid var(--line); background: var(--card); }
.top .inner { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1.25rem; }
.top h1 { font-size: 1.625rem; line-height: 1.2; letter-spacing: -.015em; }
.top p { color: var(--soft); margin-top: .375rem; max-width: 46rem; }
.top .links { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.shell { max-width: 78rem; margin: 0 auto; padding: 0 1.25rem 4rem; }
@media (min-width: 64rem) {
  .shell { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; }
  .toc.narrow { display: none; }
}
@media (max-width: 63.99rem) { .toc.wide { display: none; } }
.toc { font-size: .875rem; }
.toc.wide { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1.5rem .5rem 2rem 0; }
.toc.narrow { margin-top: 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.toc.narrow summary { padding: .75rem 1rem; min-height: 2.75rem; font-weight: 600; cursor: pointer; }
.toc.narrow nav { padding: 0 1rem 1rem; }
.toc h2 { font-size: .8125rem; margin: 1rem 0 .125rem; color: var(--soft); font-weight: 600; }
.toc ul { list-style: none; margin: 0; padding: 0; }
.toc li a { display: block; padding: .1875rem .5rem; margin-left: -.5rem; border-radius: 6px; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
.toc li a:hover { background: var(--accent-wash); }
main > section { padding-top: 2.25rem; }
main > section > h2 { font-size: 1.3125rem; line-height: 1.25; letter-spacing: -.01em; padding-bottom: .5rem; border-bottom: 2px solid var(--ink); }
main p { max-width: 46rem; }
.lead { margin-top: .75rem; }
.legend { margin: .75rem 0 0; display: grid; gap: .375rem; max-width: 46rem; }
.legend div { display: grid; grid-template-columns: 5.25rem 1fr; gap: .625rem; align-items: baseline; }
.legend dd { margin: 0; }
.operation { padding: 1.75rem 0 2rem; border-bottom: 1px solid var(--line); }
.operation h3 { font-size: 1.0625rem; line-height: 1.35; }
.operation h3 a { color: inherit; text-decoration: none; }
.operation h3 a:hover { text-decoration: underline; }
.operation h4 { font-size: .875rem; margin: 1.25rem 0 .375rem; }
.route { margin-top: .5rem; display: flex; flex-wrap: wrap; gap: .375rem .625rem; align-items: center; }
.route code { overflow-wrap: anywhere; font-size: .9375rem; }
.method { font-weight: 700; font-size: .75rem; letter-spacing: .03em; padding: .125rem .5rem; border-radius: 6px; border: 1px solid currentColor; color: var(--accent); }
.method.get { color: var(--published); }
.method.put { color: var(--assumed); }
.source { font-size: .8125rem; color: var(--soft); margin-top: .5rem; }
.about { margin-top: .5rem; }
.badge { display: inline-block; font-size: .75rem; line-height: 1.5; font-weight: 600; padding: 0 .5rem; border-radius: 99px; white-space: nowrap; }
.badge.specified { color: var(--accent); background: var(--accent-wash); }
.badge.published { color: var(--published); background: var(--published-wash); }
.badge.measured { color: var(--published); background: var(--published-wash); }
.badge.assumed { color: var(--assumed); background: var(--assumed-wash); }
table { width: 100%; border-collapse: collapse; font-size: .875rem; }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: .8125rem; }
th, td { padding: .4375rem .75rem .4375rem 0; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
@media (min-width: 44.01rem) {
  table.fields { table-layout: fixed; }
  .fields th:nth-child(1) { width: 26%; }
  .fields th:nth-child(2) { width: 21%; }
  .fields th:nth-child(3) { width: 5.25rem; }
  .fields th:nth-child(4) { width: 6.5rem; }
}
.choices th:nth-child(1), .choices th:nth-child(2) { width: 22%; }
.choices th:nth-child(3) { width: 11rem; }
td .limits { display: block; color: var(--soft); font-size: .8125rem; }
.need { white-space: nowrap; }
@media (max-width: 44rem) {
  table, tbody, td { display: block; }
  tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: .125rem .875rem; }
  td:first-child, td:last-child, .choices td, .fields td:nth-child(2) { flex-basis: 100%; }
  .fields td .limits { display: inline; margin-left: .5rem; }
  .fields td:last-child:empty { display: none; }
  thead { display: block; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: .625rem 0; border-bottom: 1px solid var(--line); }
  td { border: 0; padding: .0625rem 0; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); }
}
details.more { margin-top: 1.25rem; }
details.more > summary { cursor: pointer; font-weight: 600; font-size: .875rem; padding: .375rem 0; }
pre { margin: .5rem 0 0; padding: .875rem 1rem; background: var(--code); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; line-height: 1.5; }
.chosen { font-weight: 700; color: var(--accent); }
.chosen::before { content: "\\2713\\00a0"; }
`

export const docStyle = `${docsStyle}
.doc { padding-top: 1.75rem; min-width: 0; }
.doc h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.015em; }
.doc h2 { font-size: 1.3125rem; line-height: 1.25; margin-top: 2.25rem; padding-bottom: .375rem; border-bottom: 1px solid var(--line); }
.doc h3 { font-size: 1.0625rem; margin-top: 1.75rem; }
.doc p, .doc li { max-width: 46rem; overflow-wrap: anywhere; }
.doc p, .doc ul, .doc ol, .doc pre, .doc table { margin: .75rem 0 0; }
.doc ul ul { margin-top: .25rem; }
@media (min-width: 44.01rem) {
  .doc th, .doc td { overflow-wrap: break-word; }
  .doc td:first-child { min-width: 8rem; }
  .doc td code { overflow-wrap: anywhere; }
}
.doc blockquote { margin: .75rem 0 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.toc a[aria-current] { font-weight: 700; color: var(--accent); }
.search { position: relative; margin-top: .75rem; max-width: 30rem; }
.search label { display: block; font-size: .8125rem; color: var(--soft); font-weight: 600; }
.search input { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--field); border-radius: 8px; background: var(--paper); color: var(--ink); font: inherit; }
.search ul { position: absolute; z-index: 1; left: 0; right: 0; list-style: none; margin: .25rem 0 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 12px 32px rgb(0 0 0 / .18); max-height: 60vh; overflow-y: auto; }
.search ul:empty { display: none; }
.search li a { display: block; padding: .5rem .75rem; text-decoration: none; overflow-wrap: anywhere; }
.search li a:hover, .search li a:focus-visible { background: var(--accent-wash); }
`

export const loginStyle = `${base}
body { min-height: 100vh; display: grid; place-items: center; padding: 1rem; }
.card {
  width: 100%; max-width: 24rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px;
  padding: 1.75rem; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px rgb(0 0 0 / .06);
}
.card h1 { font-size: 1.375rem; letter-spacing: -.01em; color: var(--accent); }
.card p { color: var(--soft); margin-top: .375rem; }
label { display: block; margin-top: 1.25rem; font-weight: 600; font-size: .875rem; }
input {
  width: 100%; min-height: 2.75rem; margin-top: .375rem; padding: .5rem .75rem; font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--soft); border-radius: 8px;
}
input[aria-invalid] { border-color: var(--bad); }
.card .wrong { color: var(--bad); font-size: .875rem; }
button {
  width: 100%; min-height: 2.75rem; margin-top: 1.25rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px;
}
`

export const handsetStyle = `${base}
body { min-height: 100vh; }
.simulated {
  background: var(--assumed-wash); color: var(--assumed); padding: .5rem 1rem; text-align: center;
  font-size: .875rem; font-weight: 600;
}
main { width: 100%; max-width: 25rem; margin: 0 auto; padding: 1.25rem .75rem 2rem; }
.phone { background: #0d1211; border: 2px solid var(--field); border-radius: 36px; padding: .625rem; box-shadow: 0 18px 48px rgb(0 0 0 / .18); }
.bar { display: flex; justify-content: space-between; padding: .25rem 1.25rem .5rem; color: #e7ecea; font-size: .8125rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.screen { background: var(--card); border-radius: 26px; padding: 1.25rem 1rem; min-height: 34rem; }
h1 { font-size: 1.125rem; line-height: 1.3; }
h2 { font-size: 1rem; line-height: 1.35; }
.number, .what { color: var(--soft); font-size: .875rem; font-variant-numeric: tabular-nums; }
.balance { font-size: 1.5rem; font-weight: 650; letter-spacing: -.01em; font-variant-numeric: tabular-nums; margin: .25rem 0 1rem; }
.notice { background: var(--assumed-wash); color: var(--assumed); border-radius: 10px; padding: .625rem .875rem; margin-bottom: .75rem; font-size: .9375rem; }
.prompt { border: 1px solid var(--line); background: var(--paper); border-radius: 16px; padding: 1rem; margin-bottom: .75rem; }
.prompt form { margin-top: .75rem; }
.prompt label { font-size: .875rem; font-weight: 600; }
.pin {
  display: block; width: 100%; min-height: 2.875rem; margin-top: .25rem; text-align: center; font-size: 1.375rem; letter-spacing: .5em;
  color: var(--ink); background: var(--card); border: 1px solid var(--field); border-radius: 10px;
}
.pad:not([hidden]) { display: grid; grid-template-columns: repeat(3, 1fr); gap: .375rem; margin-top: .5rem; }
.pad button { min-height: 2.75rem; font: inherit; font-size: 1.125rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
.pad button:nth-child(10) { grid-column: 2; }
.pad button:hover { background: var(--accent-wash); }
.answers { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; margin-top: .75rem; }
.answers button, .quiet { min-height: 2.875rem; width: 100%; font: inherit; font-weight: 600; border-radius: 10px; cursor: pointer; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
.answers .second { background: transparent; color: var(--accent); }
.quiet { font-weight: 500; background: transparent; color: var(--soft); border-color: transparent; margin-top: .25rem; }
.quiet:hover { color: var(--ink); text-decoration: underline; }
.quiet-line { color: var(--soft); font-size: .875rem; margin-top: .375rem; }
.countdown { font-variant-numeric: tabular-nums; font-weight: 600; }
.prompt details { font-size: .875rem; color: var(--soft); margin-top: .375rem; }
.prompt summary { cursor: pointer; }
section { margin-top: 1.25rem; }
section > h2 { font-size: .875rem; color: var(--soft); }
.messages { list-style: none; margin: .5rem 0 0; padding: 0; display: grid; gap: .5rem; }
.messages li { background: var(--code); border-radius: 4px 14px 14px 14px; padding: .625rem .875rem; font-size: .9375rem; line-height: 1.45; }
.messages .from { display: flex; justify-content: space-between; font-size: .8125rem; font-weight: 600; color: var(--soft); }
.aside { text-align: center; margin-top: 1rem; font-size: .875rem; }
`
