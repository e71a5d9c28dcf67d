/** Lists of errors and assumptions for the contract page. */
import { html } from 'hono/html'
import { grounded, measurementOf } from '../../core/model/basis.ts'
import { Refusal, refusalCatalogue, refusalCodes } from '../../core/model/refusal.ts'
import type { World } from '../../core/world.ts'
import type { Contract } from '../../http/contract.ts'
import { type ErrorForm, errorBody } from '../../service/error-body.ts'
import { paymentsService } from '../../service/service.ts'
import { badge } from './docs-tables.ts'
import type { Html } from './page.ts'

export function errorList(contract: Contract): Html {
  const chosen = contract['x-assumptions'] as Record<'error-body' | 'checkout-error-body', ErrorForm>
  const example = new Refusal('REQ_INVALID_FIELD', 'amount: must be greater than 0, got -5', {
    fields: [{ field: 'amount', message: 'amount must be greater than 0' }],
  })
  const shown = (form: ErrorForm) => JSON.stringify(errorBody(example, form), null, 2)
  return html`<h1>Errors</h1>
<p class="lead">Every error looks like this (assumption <a href="assumptions#assumption-error-body">error-body</a>):</p>
<pre tabindex="0"><code>${shown(chosen['error-body'])}</code></pre>
<p class="lead">The checkout operations answer (assumption <a href="assumptions#assumption-checkout-error-body">checkout-error-body</a>):</p>
<pre tabindex="0"><code>${shown(chosen['checkout-error-body'])}</code></pre>
<p class="lead">The published list does not say which operation answers which code. A scenario may refuse with any of them, or with a code of its own.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Message</th><th scope="col">Basis</th></tr></thead>
<tbody>${refusalCodes.map((code) => {
    const { status, message, ground } = refusalCatalogue[code]
    return html`<tr><td><code>${code}</code></td><td data-label="HTTP">${status}</td><td>${message}</td><td>${badge(grounded(ground)['x-basis'])}</td></tr>
`
  })}</tbody>
</table>
<p class="lead">Requests are checked in this order, and refused for the first of these that is so:</p>
<table>
<thead><tr><th scope="col">When</th><th scope="col">Answer</th><th scope="col">Basis</th></tr></thead>
<tbody>${contract['x-facts']
    .filter(({ about }) => about === 'refusal')
    .map(
      ({ name, value, basis, assumption }) =>
        html`<tr><td>${name}</td><td data-label="Answer"><code>${value}</code></td><td>${badge(basis)}${assumption && html` <a href="assumptions#assumption-${assumption}">${assumption}</a>`}</td></tr>
`,
    )}</tbody>
</table>`
}

export function assumptionList({ core, host }: World): Html {
  const { assumptions: registry, facts } = paymentsService
  const { assumptions: chosen, measured } = core.scenario
  const measurements = { measured, wallUs: host.wallUs() }
  return html`<h1>Assumptions</h1>
<p class="lead">What no source shows. The first alternative is the default; the one in force is marked. A scenario changes them: <code>assumptions: { error-body: flat }</code></p>
<table class="choices">
<thead><tr><th scope="col">Assumption</th><th scope="col">Question</th><th scope="col">Alternatives</th><th scope="col">Meaning</th></tr></thead>
<tbody>${Object.entries(registry).map(([id, { question, alternatives, note, area }]) => {
    const on = measurementOf(id, measurements)
    const how = on !== undefined && html`<span class="limits">measured ${on}</span>`
    const shown = alternatives.map((one) =>
      one === chosen[id] ? html`<div class="chosen">${one}${how}</div>` : html`<div>${one}</div>`,
    )
    return html`<tr id="assumption-${id}"><td><code>${id}</code><span class="limits">${area}</span></td><td>${question}</td><td>${shown}</td><td>${note}</td></tr>
`
  })}</tbody>
</table>
<h2 id="conventions">Conventions</h2>
<p class="lead">What no source shows either, and cannot hurt an app. A convention has no alternative.</p>
<table>
<thead><tr><th scope="col">About</th><th scope="col">Convention</th><th scope="col">Reason</th></tr></thead>
<tbody>${facts
    .filter(({ about }) => about === 'convention')
    .map(
      ({
        name,
        value,
        meaning,
      }) => html`<tr><td>${name}</td><td data-label="Convention">${value}</td><td>${meaning}</td></tr>
`,
    )}</tbody>
</table>`
}
