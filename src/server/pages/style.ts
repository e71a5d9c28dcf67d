import { tokenStyle } from '../../inspect/report-document.ts'

export const base = `${tokenStyle}
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
.field .problem { color: var(--bad); font-size: .8125rem; line-height: 1.3; margin-top: .375rem; }
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
