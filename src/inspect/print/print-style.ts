/** The style sheet of reports, for screens in both themes and for paper. */
import { cardStyle, tokenStyle } from '../../core/model/design-tokens.ts'

export const reportStyle = `${tokenStyle}
main{max-width:78rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}
p{max-width:60rem}main>section,main>.worst>section{margin-top:2rem}h2 small{color:var(--soft);font-weight:400;font-size:var(--h3)}
.kind,.when{color:var(--soft);font-size:var(--small)}.when{margin-top:.25rem}.lead{margin-top:1.5rem}.lead p+p{margin-top:.375rem}
.good{--mood:var(--good);--wash:var(--good-wash)}.bad{--mood:var(--bad);--wash:var(--bad-wash)}.open{--mood:var(--open);--wash:var(--open-wash)}.none{--mood:var(--soft);--wash:var(--code)}
.mark{color:var(--mood);font-weight:600;white-space:nowrap}.mark i{font-style:normal;display:inline-block;min-width:1.1em;text-align:center;font-weight:700}
.first{display:grid;gap:.75rem;margin:1rem 0}.first>*{border-radius:10px;padding:.875rem 1.125rem}
.first .verdict{background:var(--wash);border-left:6px solid var(--mood);font-size:var(--h3);max-width:none}.verdict .mark{font-size:var(--h2);display:block;white-space:normal}
.risk{border:1px solid var(--line);background:var(--card)}.risk b{display:block;font-size:var(--h2);line-height:1.25;font-variant-numeric:tabular-nums}.risk span{color:var(--soft);font-size:var(--small)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(6.5rem,1fr));gap:.75rem;margin:1.25rem 0}
.figures div{border:1px solid var(--line);background:var(--card);border-radius:10px;padding:.5rem .875rem}.figures b{display:block;font-size:var(--h2);font-variant-numeric:tabular-nums}.figures span{color:var(--soft);font-size:var(--small)}
.bar{display:flex;height:.75rem;border-radius:.375rem;overflow:hidden;gap:2px;margin-top:1rem}.bar i{min-width:3px;background:var(--mood)}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:.5rem 0;font-size:var(--small)}
article{border:1px solid var(--line);border-radius:10px;background:var(--card);padding:.875rem 1.125rem;margin:.75rem 0}article h3+*,article p,article ul,article pre,article .told{margin-top:.5rem}
article,section>p{white-space:pre-line}article>div{white-space:normal}ul{padding-left:1.25rem;margin:.5rem 0}li{overflow-wrap:anywhere}
pre{overflow-wrap:anywhere;white-space:pre-wrap;background:var(--code);border-radius:8px;padding:.625rem .875rem;margin:.5rem 0;font-size:var(--tiny)}
.command code{background:var(--code);border-radius:6px;padding:.1875rem .5rem;overflow-wrap:anywhere;-webkit-box-decoration-break:clone;box-decoration-break:clone}.command span{color:var(--soft);font-size:var(--small)}
.sequence{display:block;width:100%;max-width:34rem;margin:.75rem auto 0}.sequence text{font:11px system-ui,sans-serif;fill:var(--ink);text-anchor:middle;paint-order:stroke;stroke:var(--card);stroke-width:3px}.sequence .name{font-weight:600;stroke:none}
.sequence .lane{stroke:var(--line)}.sequence .head{fill:var(--code);stroke:var(--line)}.sequence .note{fill:var(--open-wash)}.sequence .note~text{stroke-width:0}.sequence .arrow{stroke:var(--ink);stroke-width:1.2}.sequence .answer{stroke-dasharray:4 3}.sequence .tip{fill:var(--ink)}.sequence .lost{stroke:var(--bad);stroke-width:1.6;fill:none}
table{border-collapse:collapse;width:100%;font-size:var(--small);margin-top:.5rem}
th{text-align:left;color:var(--soft);font-weight:600;font-size:var(--tiny)}td,th{padding:.375rem .875rem .375rem 0;border-bottom:1px solid var(--line);vertical-align:top}td{overflow-wrap:break-word}.wild{overflow-wrap:anywhere}td:last-child,th:last-child{padding-right:0}
.number{text-align:right;font-variant-numeric:tabular-nums}.exact{font-family:ui-monospace,monospace;font-size:.92em}.tiny{white-space:nowrap}.long{min-width:14rem}
summary{cursor:pointer;min-height:2.75rem;display:list-item;line-height:2.75rem;font-weight:600;color:var(--accent)}
footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.75rem}dl{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;margin:0;font-size:var(--small)}dl div{display:flex;gap:.375rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
@media screen and (max-width:44rem){${cardStyle('table')}.number{text-align:left}}
@media screen and (max-width:64rem){${cardStyle('table.many')}.many .number{text-align:left}}
@media screen and (min-width:48rem){.first{grid-template-columns:minmax(0,3fr) minmax(14rem,1fr)}.first>:only-child{grid-column:1/-1}
.story:has(.sequence){display:grid;grid-template-columns:minmax(0,1fr) minmax(0,20rem);gap:0 1.5rem;align-content:start}.story:has(.sequence)>*{grid-column:1}.story:has(.sequence)>.sequence{grid-column:2;grid-row:1/30;margin-top:0}}
@media screen and (min-width:64rem){.worst.two{display:grid;grid-template-columns:minmax(0,1fr) 24rem;gap:0 2rem;align-items:start}}
@page{size:A4;margin:15mm 14mm}
@media print{details::details-content{content-visibility:visible;display:block}summary{display:none}:root,:root[data-theme]{color-scheme:light;--paper:#fff}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:9.5pt}main{max-width:none;padding:0}h1{font-size:18pt}h2{font-size:12pt;break-after:avoid}.figures{grid-template-columns:repeat(6,1fr)}.figures b{font-size:14pt}.sequence{max-width:90mm}
table{font-size:7.5pt}.tiny{white-space:normal}.long{min-width:0}dl{font-size:7.5pt}thead{display:table-header-group}tr,.figures,.first,.sequence,footer{break-inside:avoid}}
`
