/** Style sheets of the pages. */
import { cardStyle, tokenStyle } from '../../core/model/report-document.ts'

const base = `${tokenStyle}
.unencrypted { background: var(--bad-wash); color: var(--bad); padding: .5rem 1rem; text-align: center; font-size: .875rem; align-self: start; }
.simulated { background: var(--open-wash); color: var(--open); padding: .5rem 1rem; text-align: center; font-size: .875rem; font-weight: 600; }
`

export const checkoutStyle = `${base}
body { min-height: 100vh; display: grid; grid-template-rows: auto 1fr; }
body:has(> .unencrypted) { grid-template-rows: auto auto 1fr; }
main { width: 100%; max-width: 27rem; margin: 0 auto; padding: 1.25rem 1rem 2rem; align-self: center; }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.5rem; display: grid; gap: 1.25rem;
  box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px rgb(0 0 0 / .06);
}
.merchant { font-size: 1.0625rem; font-weight: 600; line-height: 1.35; }
.description { color: var(--soft); margin-top: -1rem; white-space: pre-line; }
.amount { line-height: 1.15; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.amount .currency { display: block; font-size: .875rem; font-weight: 600; color: var(--soft); letter-spacing: .04em; }
.amount .figure { font-size: 2.25rem; font-weight: 650; letter-spacing: -.02em; }
.facts { margin: 0; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: .875rem; }
.facts div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
button, .button {
  display: block; width: 100%; min-height: 3rem; padding: .75rem 1rem; border-radius: 10px; cursor: pointer;
  font: inherit; font-weight: 600; text-align: center; text-wrap: balance; text-decoration: none;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent);
}
button:hover, .button:hover { filter: brightness(1.08); }
button:focus-visible, .button:focus-visible { border-radius: 10px; }
.quiet { font-weight: 500; background: transparent; color: var(--soft); border-color: transparent; }
.quiet:hover { color: var(--ink); text-decoration: underline; filter: none; }
.state { padding: 1rem; border-radius: 10px; background: var(--good-wash); }
.state h2 { font-size: 1rem; line-height: 1.4; text-wrap: balance; }
.state p { margin-top: .25rem; font-size: .9375rem; }
.state.bad { background: var(--bad-wash); }
.state.bad h2 { color: var(--bad); }
.state.wait { background: var(--open-wash); }
.state pre { margin: .75rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8125rem; }
.methods { display: grid; gap: 1.25rem; }
.choices { border: 1px solid var(--line); border-radius: 10px; }
.choices .method { position: relative; }
.choices .method + .method { border-top: 1px solid var(--line); }
.choices .method > input { position: absolute; left: 1rem; top: 1rem; width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); }
.choices .method > label { display: block; padding: .75rem 1rem .75rem 2.625rem; min-height: 3rem; font-weight: 600; cursor: pointer; line-height: 1.5; }
.choices .panel { display: none; padding: .25rem 1rem 1rem; }
.choices :checked ~ .panel { display: block; }
.field, .pair { margin-bottom: 1rem; }
.field label { display: block; font-size: .875rem; font-weight: 600; margin-bottom: .25rem; }
.field input {
  width: 100%; min-height: 2.875rem; padding: .5rem .75rem; font: inherit; font-variant-numeric: tabular-nums;
  color: var(--ink); background: var(--paper); border: 1px solid var(--field); border-radius: 8px;
}
.field input::placeholder { color: var(--soft); opacity: 1; }
.field input[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.field .problem { color: var(--bad); font-size: .8125rem; line-height: 1.3; min-height: 1.3em; margin-top: .375rem; }
/* What can have no problem keeps the gap of the others. */
.field:not(:has(.problem)) { padding-bottom: calc(1.3 * .8125rem + .375rem); }
/* Two lines, because half a card is narrow. */
.pair .problem { min-height: 2.6em; }
.pair .field { margin-bottom: 0; }
.whole { white-space: nowrap; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; }
.help { font-size: .875rem; }
.help { margin-top: 1.25rem; }
.help summary { cursor: pointer; color: var(--soft); min-height: 2.75rem; display: flex; align-items: center; font-weight: 600; }
.help summary::before { content: "▸"; width: 1.1em; }
.help[open] summary::before { content: "▾"; }
.help p { color: var(--soft); margin-top: .25rem; }
.help ul { list-style: none; margin: .5rem 0 0; padding: 0; display: grid; gap: .375rem; }
.help code { white-space: nowrap; font-weight: 600; }
button[aria-busy] { opacity: .6; cursor: progress; }
.second { background: transparent; color: var(--accent); }
.countdown { font-variant-numeric: tabular-nums; font-weight: 600; }
.leave { text-align: center; font-size: .875rem; }
.leave a { display: inline-flex; align-items: center; min-height: 2.75rem; }
`

export const docsStyle = `${base}
html { scroll-padding-top: 1rem; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: .5rem; padding: .5rem 1rem; background: var(--card); z-index: 2; }
.top { border-bottom: 1px solid var(--line); background: var(--card); }
.top .inner { max-width: 90rem; margin: 0 auto; padding: .5rem 1.25rem; display: flex; flex-wrap: wrap; gap: 0 1.25rem; align-items: center; }
.top a { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--ink); text-decoration: none; }
.top a:hover { text-decoration: underline; }
.brand { font-size: 1.25rem; font-weight: 700; letter-spacing: -.01em; }
.brand a { color: var(--accent); }
.top nav { display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: var(--small); }
.theme, .copy, .search input { min-height: 2.75rem; border: 1px solid var(--field); border-radius: 8px; background: var(--paper); color: var(--ink); font: inherit; font-size: var(--small); padding: 0 .75rem; }
.theme, .copy { cursor: pointer; }
.search { position: relative; flex: 1 1 10rem; max-width: 24rem; margin-left: auto; }
.search label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.search input { width: 100%; }
.search input::placeholder { color: var(--soft); opacity: 1; }
.search ul { position: absolute; z-index: 3; left: 0; right: 0; list-style: none; margin: .25rem 0 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 12px 32px rgb(0 0 0 / .18); max-height: 60vh; overflow-y: auto; }
.search ul:empty { display: none; }
.search li a { padding: .5rem .75rem; overflow-wrap: anywhere; display: flex; flex-direction: column; }
.search li small { color: var(--soft); }
.search li a:hover, .search li a:focus-visible { background: var(--good-wash); }
.shell { max-width: 90rem; margin: 0 auto; padding: 0 1.25rem 4rem; }
#menu { position: absolute; opacity: 0; pointer-events: none; }
label[for=menu] { display: flex; align-items: center; min-height: 2.75rem; margin-top: 1rem; padding: 0 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); font-weight: 600; cursor: pointer; }
label[for=menu]::before { content: "☰"; margin-right: .625rem; }
#menu:focus-visible + label { outline: 3px solid var(--accent); outline-offset: 2px; }
.toc { font-size: var(--small); padding: .75rem 0; }
.toc summary { min-height: 2rem; display: flex; align-items: center; font-weight: 600; color: var(--soft); cursor: pointer; }
.toc summary::before { content: "▸"; width: 1.1em; }
.toc [open] > summary::before { content: "▾"; }
.toc ul { list-style: none; margin: 0 0 .5rem; padding: 0; }
.toc li a { display: flex; align-items: center; min-height: 1.75rem; padding: .125rem .5rem .125rem 1rem; border-radius: 6px; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
.toc li a:hover { background: var(--good-wash); }
.toc a[aria-current] { font-weight: 700; color: var(--accent); background: var(--good-wash); }
@media (max-width: 63.99rem) {
  #menu:not(:checked) ~ .toc { display: none; }
  .toc summary, .toc li a, .doc .copy, .doc .operations a, .doc .links a, .doc .beside a { min-height: 2.75rem; }
}
@media (min-width: 64rem) {
  label[for=menu], #menu { display: none; }
  .shell { display: grid; grid-template-columns: 16rem minmax(0, 1fr); gap: 3rem; }
  .toc { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-top: 1.5rem; }
}
.doc { padding-top: 1.75rem; min-width: 0; outline: none; }
.doc h2 { margin-top: 2.25rem; padding-bottom: .375rem; border-bottom: 1px solid var(--line); }
.doc h3 { margin-top: 1.75rem; }
.doc p, .doc li { max-width: 46rem; overflow-wrap: anywhere; }
.doc p, .doc ul, .doc ol, .doc pre, .doc table, .doc dl, .code { margin: .75rem 0 0; }
.doc ul ul { margin-top: .25rem; }
.doc blockquote { margin: .75rem 0 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.anchor { color: var(--soft); text-decoration: none; font-weight: 400; padding: 0 .25rem; opacity: .75; }
.anchor:hover, .anchor:focus-visible { opacity: 1; }
.picture { display: block; width: 100%; max-width: 32rem; margin-top: .75rem; }
.picture text { fill: var(--ink); font-size: 13px; }
.picture .soft { fill: var(--soft); }
.picture rect, .picture path, .picture circle { fill: none; stroke: var(--soft); stroke-width: 1.5; }
.picture .on { stroke: var(--accent); fill: var(--good-wash); }
pre { padding: .875rem 1rem; background: var(--code); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; line-height: 1.5; }
.code { position: relative; background: var(--code); border: 1px solid var(--line); border-radius: 8px; }
.doc .code pre { margin: 0; border: 0; padding-top: 0; }
.copy { display: block; margin-left: auto; min-height: 1.75rem; border: 0; background: none; color: var(--soft); }
.copy:hover { color: var(--ink); text-decoration: underline; }
.links, .beside { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; }
.links a, .beside a { display: inline-flex; align-items: center; gap: .375rem; min-height: 1.75rem; }
.beside { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); justify-content: space-between; }
.beside [rel=next] { margin-left: auto; flex-direction: row-reverse; }
.source { font-size: var(--tiny); color: var(--soft); }
.legend { display: grid; gap: .375rem; max-width: 46rem; }
.legend div { display: grid; grid-template-columns: 5.5rem 1fr; gap: .625rem; align-items: baseline; }
.legend dd { margin: 0; }
.operations { list-style: none; padding: 0; display: grid; gap: .375rem; }
.operations li { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; justify-content: space-between; max-width: none; }
.operations li:target { background: var(--good-wash); }
.operations a { display: inline-flex; align-items: center; min-height: 1.75rem; }
.route { display: inline-flex; flex-wrap: wrap; gap: .375rem .625rem; align-items: center; }
.route code { overflow-wrap: anywhere; }
.method { font-weight: 700; font-size: .75rem; letter-spacing: .03em; padding: .125rem .5rem; border-radius: 6px; border: 1px solid currentColor; color: var(--accent); }
.method.get { color: var(--info); }
.method.put, .method.patch, .method.delete { color: var(--open); }
.badge { display: inline-block; font-size: .75rem; line-height: 1.5; font-weight: 600; padding: 0 .5rem; border-radius: 99px; white-space: nowrap; }
.badge.specified, .badge.own { color: var(--good); background: var(--good-wash); }
.badge.published, .badge.measured { color: var(--info); background: var(--info-wash); }
.badge.assumed { color: var(--open); background: var(--open-wash); }
@media (min-width: 80rem) {
  .sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); gap: 2.5rem; }
}
.sides h2 { font-size: var(--h3); margin-top: 1.5rem; }
.samples { margin-top: .75rem; display: flex; flex-wrap: wrap; gap: .25rem; position: relative; }
.samples > input { position: absolute; opacity: 0; pointer-events: none; }
.samples > label { order: 0; display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 .75rem; border-radius: 8px; font-size: var(--small); cursor: pointer; }
.samples > input:checked + label { background: var(--good-wash); color: var(--good); font-weight: 600; }
.samples > input:focus-visible + label { outline: 3px solid var(--accent); }
.samples > pre, .samples > .code { order: 1; flex-basis: 100%; min-width: 0; margin: 0; display: none; }
.samples > input:checked + label + pre, .samples > input:checked + label + .code { display: block; }
table { width: 100%; border-collapse: collapse; font-size: var(--small); }
th { text-align: left; font-weight: 600; color: var(--soft); font-size: var(--tiny); }
th, td { padding: .4375rem .75rem .4375rem 0; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
td code { overflow-wrap: anywhere; }
.fields td:first-child { min-width: 9rem; }
.fields td:first-child code { overflow-wrap: break-word; font-weight: 600; }
.fields td:nth-child(2) { min-width: 8rem; }
td .limits { display: block; color: var(--soft); font-size: var(--tiny); }
details.record { border-bottom: 1px solid var(--line); }
.doc p + details.record { margin-top: 1rem; }
.record summary { min-height: 2.75rem; display: flex; flex-wrap: wrap; align-items: center; gap: .625rem; cursor: pointer; }
.record summary::before { content: "▸"; }
.record summary h3 { margin: 0; }
.doc h2, .doc h3 { overflow-wrap: anywhere; min-width: 0; }
.record summary span { color: var(--soft); font-size: var(--small); flex: 1 1 14rem; }
.record[open] > summary::before { content: "▾"; }
.chosen { font-weight: 700; color: var(--accent); }
.chosen::before { content: "\\2713\\00a0"; }
@media (max-width: 44rem) {
  ${cardStyle('.doc table')}
  td .limits { display: inline; margin-left: .5rem; }
  .record summary span { flex-basis: 100%; }
  .search { order: 3; flex-basis: 100%; max-width: none; margin-bottom: .5rem; }
  .theme { margin-left: auto; }
  .brand { flex: 1; }
  .top nav { order: 2; flex-basis: 100%; }
}
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
main { width: 100%; max-width: 25rem; margin: 0 auto; padding: 1.25rem .75rem 2rem; }
.phone { background: #0d1211; border: 2px solid var(--field); border-radius: 36px; padding: .625rem; box-shadow: 0 18px 48px rgb(0 0 0 / .18); }
.bar { display: flex; justify-content: space-between; padding: .25rem 1.25rem .5rem; color: #e7ecea; font-size: .8125rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.screen { background: var(--card); border-radius: 26px; padding: 1.25rem 1rem; min-height: 34rem; }
h1 { font-size: 1.125rem; line-height: 1.3; }
h2 { font-size: 1rem; line-height: 1.35; }
.number, .what { color: var(--soft); font-size: .875rem; font-variant-numeric: tabular-nums; }
.balance { font-size: 1.5rem; font-weight: 650; letter-spacing: -.01em; font-variant-numeric: tabular-nums; margin: .25rem 0 1rem; }
.notice { background: var(--open-wash); color: var(--open); border-radius: 10px; padding: .625rem .875rem; margin-bottom: .75rem; font-size: .9375rem; }
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
.pad button:hover { background: var(--good-wash); }
.answers { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem; margin-top: .75rem; }
.answers button, .quiet { min-height: 2.875rem; width: 100%; font: inherit; font-weight: 600; border-radius: 10px; cursor: pointer; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
.answers .second { background: transparent; color: var(--accent); }
.quiet { font-weight: 500; background: transparent; color: var(--soft); border-color: transparent; margin-top: .25rem; }
.quiet:hover { color: var(--ink); text-decoration: underline; }
.quiet-line { color: var(--soft); font-size: .875rem; margin-top: .375rem; }
.countdown { font-variant-numeric: tabular-nums; font-weight: 600; }
.prompt details { font-size: .875rem; color: var(--soft); margin-top: .375rem; }
.prompt summary { cursor: pointer; min-height: 2.75rem; display: flex; align-items: center; }
section { margin-top: 1.25rem; }
section > h2 { font-size: .875rem; color: var(--soft); }
.messages { list-style: none; margin: .5rem 0 0; padding: 0; display: grid; gap: .5rem; }
.messages li { background: var(--code); border-radius: 4px 14px 14px 14px; padding: .625rem .875rem; font-size: .9375rem; line-height: 1.45; }
.messages .from { display: flex; justify-content: space-between; font-size: .8125rem; font-weight: 600; color: var(--soft); }
.aside { text-align: center; margin-top: 1rem; font-size: .875rem; }
.aside a { display: inline-flex; align-items: center; min-height: 2.75rem; }
`
