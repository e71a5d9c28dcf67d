/** Colours and type of all pages. A colour is [light, dark]; text keeps a contrast of 4.5 : 1 on paper, card and its wash. */
import { keysIn } from './must.ts'

export const colours = {
  paper: ['#faf9f6', '#111615'],
  card: ['#ffffff', '#19201e'],
  code: ['#f3f1ea', '#0d1211'],
  ink: ['#1c2422', '#e7ecea'],
  soft: ['#56615d', '#a3b0ab'],
  line: ['#dedbd2', '#313b38'],
  field: ['#7d8581', '#7d8a85'],
  accent: ['#0b6b57', '#5ccbae'],
  'on-accent': ['#ffffff', '#06251d'],
  good: ['#0b6b57', '#5ccbae'],
  'good-wash': ['#e3f1ec', '#15332b'],
  bad: ['#a4262c', '#f39a9a'],
  'bad-wash': ['#fbe9e9', '#3d1c1e'],
  open: ['#8a4b08', '#eab36a'],
  'open-wash': ['#fbeedc', '#36280f'],
  info: ['#1d5a94', '#8bbdf0'],
  'info-wash': ['#e4eef8', '#182c40'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

export const sansFamily = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
export const monoFamily = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'

const variables = keysIn(colours).map((name) => `--${name}:light-dark(${colours[name].join(',')});`)

/** The start of every style sheet. `data-theme` on the root overrides the reader's system. */
export const tokenStyle = `:root{color-scheme:light dark;${variables.join('')}
--h1:1.75rem;--h2:1.3125rem;--h3:1.0625rem;--small:.875rem;--tiny:.8125rem}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 ${sansFamily}}
h1,h2,h3,h4,p{margin:0;overflow-wrap:anywhere}
h1{font-size:var(--h1);line-height:1.2;letter-spacing:-.015em}h2{font-size:var(--h2);line-height:1.25;letter-spacing:-.01em}
h3{font-size:var(--h3);line-height:1.35}h4{font-size:var(--small)}
a{color:var(--accent);text-underline-offset:2px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:4px}
code,pre{font-family:${monoFamily};font-size:.875em}
@media (prefers-reduced-motion:reduce){*,*::before,*::after{animation:none!important;transition:none!important}}
`

/** Tables become cards where there is no room for their columns; each cell has its column in `data-label`. */
export function cardStyle(table: string): string {
  return `${table},${table} tbody,${table} tr{display:block}
${table} thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
${table} tr{padding:.625rem 0;border-bottom:1px solid var(--line)}
${table} td{display:block;border:0;padding:.0625rem 0;text-align:left;white-space:normal;min-width:0}${table} td:empty{display:none}
${table} td[data-label]::before{content:attr(data-label) ": ";color:var(--soft)}
`
}
