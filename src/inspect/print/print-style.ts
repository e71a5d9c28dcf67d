/** The style sheet of reports, for screens in both themes and for paper. */

/** `data-theme` on the root overrides the reader's system. */
export const reportStyle = `
:root{color-scheme:light dark;--ink:light-dark(#1b1b1f,#e6e6ea);--soft:light-dark(#5f5f6b,#a2a2b0);--paper:light-dark(#fff,#17171b);
--line:light-dark(#dcdce3,#35353d);--good:light-dark(#1a7f4b,#4cc38a);--bad:light-dark(#b42318,#ff8a7a);--open:light-dark(#9a6700,#e2b340);--shade:light-dark(#f5f5f8,#212127)}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0}
main{max-width:72rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.9rem;line-height:1.2;margin:.1rem 0 .6rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2rem 0 .5rem}
h2 small{color:var(--soft);font-weight:400}p{margin:.4rem 0;max-width:60rem;overflow-wrap:anywhere}
.kind{color:var(--soft);font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;margin:0}.when{color:var(--soft);font-size:.9rem}
.verdict{font-weight:600;border-left:5px solid var(--soft);background:var(--shade);padding:.6rem .9rem;border-radius:4px}
.verdict.good{border-color:var(--good)}.verdict.bad{border-color:var(--bad)}.verdict.open{border-color:var(--open)}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.6rem;margin:1.2rem 0}
.figures div{border:1px solid var(--line);border-radius:6px;padding:.5rem .7rem}.figures b{display:block;font-size:1.5rem;line-height:1.2}
.figures span{color:var(--soft);font-size:.85rem}
.bar{display:flex;height:.8rem;border-radius:.4rem;overflow:hidden;gap:2px}.bar i{min-width:3px;background:var(--line)}
.bar .good,.legend .good::before{background:var(--good)}.bar .bad,.legend .bad::before{background:var(--bad)}.bar .open,.legend .open::before{background:var(--open)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;list-style:none;padding:0;margin:.4rem 0;font-size:.9rem;color:var(--soft)}
.legend li::before{content:"";display:inline-block;width:.7rem;height:.7rem;border-radius:2px;margin-right:.4rem;background:var(--line)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.88rem}
th{text-align:left;color:var(--soft);font-weight:600;white-space:nowrap}td,th{padding:.32rem .7rem .32rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td{overflow-wrap:break-word}.number{text-align:right;font-variant-numeric:tabular-nums}.exact{font-family:ui-monospace,monospace;font-size:.92em}.long{min-width:18rem}.tiny,.short{white-space:nowrap}
tr.error td:first-child{color:var(--bad);font-weight:600}tr.warning td:first-child{color:var(--open);font-weight:600}
footer{margin-top:2.5rem;border-top:1px solid var(--line);padding-top:.8rem}dl{display:flex;flex-wrap:wrap;gap:.3rem 1.6rem;margin:0;font-size:.85rem}
dl div{display:flex;gap:.4rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
article{border-left:4px solid var(--line);padding:.1rem 1rem;margin:1rem 0}h3{font-size:1rem;margin:.4rem 0;overflow-wrap:anywhere}
article,section>p{white-space:pre-line}pre{overflow:auto;background:var(--shade);padding:.6rem;border-radius:4px;font-size:.85rem}
@page{size:A4;margin:15mm 14mm}
@media print{:root,:root[data-theme]{color-scheme:light}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:9.5pt}main{max-width:none;padding:0}h1{font-size:18pt}h2{font-size:12pt;break-after:avoid;margin-top:7mm}
.figures{grid-template-columns:repeat(6,1fr)}.figures b{font-size:14pt}.figures div{padding:1.5mm 2mm}.figures span{font-size:7.5pt}
.scroll{overflow:visible}table{font-size:7.5pt}th{white-space:normal}td,th{padding:1mm 2mm 1mm 0}.exact{font-size:.9em}.long{min-width:0}.short{white-space:normal;overflow-wrap:anywhere;min-width:24mm}.when{font-size:8pt}dl{font-size:7.5pt}
thead{display:table-header-group}tr,.figures,.verdict,footer{break-inside:avoid}}
`
