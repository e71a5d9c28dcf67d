/** The pages of the service's reference that are about no single operation. */
import { html } from 'hono/html'
import { defaultsOf } from '../../../src/core/model/assumption.ts'
import { DEFAULT_ORGANISATION } from '../../../src/core/model/payment.ts'
import { Refusal, refusalCatalogue, refusalCodes } from '../../../src/core/model/refusal.ts'
import type { Contract, ContractExamples } from '../../../src/http/contract.ts'
import { grounded } from '../../../src/http/json-schema.ts'
import { BASE_URL } from '../../../src/server/pages/filled.ts'
import { type ErrorForm, errorBody } from '../../../src/service/contract/facts.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { everyOperation } from '../examples.ts'
import { conditionOf } from './openapi-markdown.ts'
import { operationList, type Reference } from './reference.ts'
import { badge, SchemaTables } from './schema-tables.ts'
import { filledIn, type Html, type NavGroup, where } from './shell.ts'

/** With the usual assumptions, but that every operation is there. */
export function serviceContract(examples: ContractExamples): Contract {
  const assumptions = { ...defaultsOf(paymentsService.assumptions), ...everyOperation }
  return paymentsService.contract({ baseUrl: BASE_URL, version: '', assumptions, examples })
}

/** Besides operations; `webhooks` are calls that no request leads to. */
export const everywhere: NavGroup = {
  title: 'Everywhere',
  links: [
    { to: 'api/errors', text: 'Errors' },
    { to: 'api/webhooks', text: 'Calls that no request leads to' },
    { to: 'api/records', text: 'Shared records' },
    { to: 'api/assumptions', text: 'Assumptions' },
  ],
}

export function apiOverview(reference: Reference): Html {
  const base = 'docs/'
  return html`<h1>mfano, a simulated payments service</h1>
<p>This is what world <b data-testid="world">${filledIn('world')}</b> answers below <code>${BASE_URL}</code> in scenario <b>${filledIn('scenario')}</b>. No money moves here.</p>
<p class="links"><a href="${base}outcomes">Numbers that fail</a> <a href="${base}../openapi.json">OpenAPI</a> <span>mfano ${filledIn('version')}</span></p>
${start()}
${operationList(reference, base)}
<section><h2>${everywhere.title}</h2><ul>${everywhere.links.map(({ to, text }) => html`<li id="${to.slice('api/'.length)}"><a href="${base}${to}">${text}</a></li>`)}</ul></section>`
}

/** By name. */
export function apiPages(contract: Contract): Record<string, Html> {
  return { errors: errorList(contract), assumptions: assumptionList(), webhooks: webhookList(contract) }
}

function start(): Html {
  const { apiKey, apiSecret } = DEFAULT_ORGANISATION
  return html`<section id="start"><h2>Start here</h2>
<p>Every operation and every field says how it is known.</p>
<dl class="legend">
<div><dt>${badge({ 'x-basis': 'specified' })}</dt><dd>The service interface document shows it.</dd></div>
<div><dt>${badge({ 'x-basis': 'published' })}</dt><dd>The provider's published reference shows it.</dd></div>
<div><dt>${badge({ 'x-basis': 'measured' })}</dt><dd>The service showed it at its sandbox, when <code>mfano calibrate</code> asked.</dd></div>
<div><dt>${badge({ 'x-basis': 'assumed' })}</dt><dd>Neither shows it. This is the least surprising alternative; a scenario can choose another.</dd></div>
</dl>
<p>Get a token first. It lasts for 300 seconds of simulated time, and the examples use it. Ids in them stand for yours, as a creation answered them.</p>
<pre tabindex="0"><code>TOKEN=$(curl -s -X POST '${BASE_URL}/api/v1/get-token' \\
  -H 'Content-Type: application/json' \\
  -d '{"apiKey":"${apiKey}","apiSecret":"${apiSecret}"}' |
  sed -E 's/.*"access_token":"([^"]+)".*/\\1/')</code></pre>
<p>Callbacks of the examples go to an inbox of this world: <code>curl '${BASE_URL}/_mfano/inbox/docs'</code> shows what came.</p></section>`
}

function webhookList(contract: Contract): Html {
  const tables = new SchemaTables(contract, '')
  const sent = paymentsService.webhooks.flatMap((webhook) => {
    const post = contract.webhooks?.[webhook.name]?.post
    return post ? [{ ...webhook, post }] : []
  })
  return html`<h1>Calls that no request leads to</h1>
${sent.map(({ name, title, to, post }) =>
  where(
    conditionOf(post),
    html`<section id="${name}Callback"><h2>${title} ${badge(post)}</h2>
<p class="route"><span class="method">POST</span> <code>${to}</code></p>
<p>${post.summary}</p>
${tables.fields(post.requestBody.content['application/json'].schema)}</section>`,
  ),
)}`
}

// Lists of errors and assumptions for the contract page.

function errorList(contract: Contract): Html {
  const example = new Refusal('REQ_INVALID_FIELD', 'amount: must be greater than 0, got -5', {
    fields: [{ field: 'amount', message: 'amount must be greater than 0' }],
  })
  const shown = (id: 'error-body' | 'checkout-error-body') =>
    paymentsService.assumptions[id]?.alternatives.map((form) => {
      const body = errorBody(example, form as ErrorForm)
      return where(`${id}=${form}`, html`<pre tabindex="0"><code>${JSON.stringify(body, null, 2)}</code></pre>`)
    })
  return html`<h1>Errors</h1>
<p class="lead">Every error looks like this (assumption <a href="assumptions#assumption-error-body">error-body</a>):</p>
${shown('error-body')}
<p class="lead">The checkout operations answer (assumption <a href="assumptions#assumption-checkout-error-body">checkout-error-body</a>):</p>
${shown('checkout-error-body')}
<p class="lead">The published list does not say which operation answers which code. A scenario may refuse with any of them, or with a code of its own.</p>
<table>
<thead><tr><th scope="col">Code</th><th scope="col">HTTP</th><th scope="col">Message</th><th scope="col">Basis</th></tr></thead>
<tbody>${refusalCodes.map((code) => {
    const { status, message, ground } = refusalCatalogue[code]
    return html`<tr><td><code>${code}</code></td><td data-label="HTTP">${status}</td><td>${message}</td><td>${badge(grounded(ground))}</td></tr>
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
        html`<tr><td>${name}</td><td data-label="Answer"><code>${value}</code></td><td>${badge({ 'x-basis': basis, 'x-assumption': assumption })}${assumption && html` <a href="assumptions#assumption-${assumption}">${assumption}</a>`}</td></tr>
`,
    )}</tbody>
</table>`
}

function assumptionList(): Html {
  const { assumptions: registry, facts } = paymentsService
  return html`<h1>Assumptions</h1>
<p class="lead">What no source shows. The first alternative is the default; the one in force is marked. A scenario changes them: <code>assumptions: { error-body: flat }</code></p>
<table class="choices">
<thead><tr><th scope="col">Assumption</th><th scope="col">Question</th><th scope="col">Alternatives</th><th scope="col">Meaning</th></tr></thead>
<tbody>${Object.entries(registry).map(([id, { question, alternatives, note }]) => {
    const measured = `measured:${id}`
    const how = where(measured, html`<span class="limits">measured ${filledIn(measured)}</span>`)
    const shown = alternatives.map((one) =>
      where(`${id}=${one}`, html`<div class="chosen">${one}${how}</div>`, html`<div>${one}</div>`),
    )
    return html`<tr id="assumption-${id}"><td><code>${id}</code></td><td>${question}</td><td>${shown}</td><td>${note}</td></tr>
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
      (one) => html`<tr><td>${one.name}</td><td data-label="Convention">${one.value}</td><td>${one.meaning}</td></tr>
`,
    )}</tbody>
</table>`
}
