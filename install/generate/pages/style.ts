/** Style sheet of the documentation. */
import { cardStyle } from '../../../src/inspect/report-document.ts'
import { base } from '../../../src/server/pages/style.ts'

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
