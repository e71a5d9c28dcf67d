/** Routes of the documentation, for people and agents. */
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { grounded, measurementOf } from '../../core/model/assumption.ts'
import { DEFAULT_ORGANISATION } from '../../core/model/organisation.ts'
import { Refusal, refusalCatalogue, refusalCodes } from '../../core/model/refusal.ts'
import type { World } from '../../core/world.ts'
import type { Contract } from '../../http/contract.ts'
import { type ErrorForm, errorBody } from '../../service/error-body.ts'
import { paymentsService } from '../../service/service.ts'
import type { DocFiles } from '../front-ports.ts'
import { API_LIST, badge, CONTROL, docsShell, type NavGroup, SchemaTables, type ShownPage } from './docs-shell.ts'
import { type Contracts, type Document, documents, FOLDER, guideGroups, llmsText } from './documents.ts'
import type { OpenApi } from './openapi-markdown.ts'
import { builtScript, type Html, type PagesContext, type PagesEnv, sendPage, styleOf } from './page.ts'
import { operationList, operationPage, operationsOf, type Reference, referenceNav } from './reference.ts'
import { docsStyle } from './style.ts'

/** For hosts without documentation files: only the contracts are shown. */
const noFiles: DocFiles = { names: () => [], recipes: () => [], read: () => '' }

type Shown = Pick<ShownPage, 'base' | 'at' | 'markdown' | 'body'> & { title: string; reference?: Reference }

export function docsRoutes(app: Hono<PagesEnv>, contract: (c: PagesContext) => Promise<Contract>): void {
  const style = styleOf(docsStyle)
  // Takes long to print, and is the same for every page of a world.
  let printed: { baseUrl: string; document: OpenApi } | undefined
  const controlOf = async (c: PagesContext) => {
    const { baseUrl } = c.env
    if (printed?.baseUrl !== baseUrl) printed = { baseUrl, document: await printControl(c) }
    return printed.document
  }
  const contracts = (c: PagesContext): Contracts => ({ service: () => contract(c), control: () => controlOf(c) })
  const all = (c: PagesContext) => documents(c.env.docs ?? noFiles, contracts(c), c.env.baseUrl)

  const send = async (c: PagesContext, { title, reference, ...shown }: Shown) => {
    const script = await builtScript(c.env.assets, 'docs-script')
    const groups = reference ? groupsOf(reference) : guideGroups(all(c))
    const body = docsShell({ ...shown, groups, hasScript: script !== undefined })
    return sendPage(c, { title: `${title} · mfano`, style, script, body })
  }

  app.get('/llms.txt', (c) =>
    c.body(llmsText(all(c), c.env.baseUrl), 200, { 'content-type': 'text/plain; charset=utf-8' }),
  )

  app.get('/docs', async (c) => {
    const document = await contract(c)
    const body = apiOverview(document, c.env.world, 'docs/')
    const reference = { at: 'api', document } as const
    return send(c, { title: 'API reference', base: 'docs/', at: API_LIST, markdown: 'service.md', reference, body })
  })

  app.get(`/${SKILL_FILE}`, (c) => {
    const { docs = noFiles, baseUrl } = c.env
    return c.body(skillText(docs.read(SKILL_PAGE), baseUrl), 200, { 'content-type': 'text/markdown; charset=utf-8' })
  })

  app.get('/docs/search.json', async (c) => {
    const { findables } = await import('./markdown-page.ts')
    return c.json(await findables(all(c)))
  })

  app.get(`/docs/${CONTROL}`, async (c) => {
    const document = await controlOf(c)
    const reference = { at: 'control', document } as const
    const body = html`<h1>${document.info.title}</h1><p>${document.info.description}</p>
<p class="links"><a href="control-plane">Guide</a> <a href="../_mfano/openapi.json">OpenAPI</a></p>
${operationList(reference, '')}`
    return send(c, { title: 'Control plane', base: '', at: CONTROL, markdown: 'control.md', reference, body })
  })

  app.get('/docs/api/:name', async (c) => {
    const document = await contract(c)
    const own = apiPage(c.req.param('name'), document, c.env.world)
    return inReference(c, { at: 'api', document }, own)
  })

  app.get('/docs/control/:name', async (c) => inReference(c, { at: 'control', document: await controlOf(c) }))

  async function inReference(c: PagesContext, reference: Reference, own?: Html) {
    const { at, document } = reference
    const name = c.req.param('name') ?? ''
    const tables = new SchemaTables(document, '')
    const listed = operationsOf(document).find(({ operation }) => operation.operationId === name)
    const body = own ?? (listed ? operationPage(document, listed, tables) : name === 'records' && tables.records())
    if (!body) return c.text(`There is no operation "${name.slice(0, 80)}"; ${c.env.baseUrl}/docs lists them\n`, 404)
    const markdown = at === 'api' ? 'service.md' : 'control.md'
    const title = listed?.operation.summary ?? name
    return send(c, { title, base: '../', at: `${at}/${name}`, markdown, reference, body })
  }

  app.get('/docs/:page', async (c) => {
    const [, name = '', md] = c.req.param('page').match(/^(.*?)(\.md)?$/) ?? []
    const pages = all(c)
    const found = pages.find((one) => one.name === name)
    if (!found) return c.text(`There is no page "${name.slice(0, 80)}"; there are ${namesOf(pages)}\n`, 404)
    if (md !== undefined) return c.body(await found.markdown(), 200, { 'content-type': 'text/markdown; charset=utf-8' })
    if (name === 'service') return c.redirect('../docs', 302)
    const { htmlOf } = await import('./markdown-page.ts')
    const body = await htmlOf(found, (path) => (c.env.docs ?? noFiles).read(`${FOLDER}${path}`))
    return send(c, { title: found.title, base: '', at: name, markdown: `${name}.md`, body })
  })
}

function groupsOf(reference: Reference): NavGroup[] {
  const { at } = reference
  const top: NavGroup =
    at === 'api'
      ? { title: 'API reference', links: [{ to: API_LIST, text: 'All operations' }] }
      : { title: 'Control plane', links: [{ to: CONTROL, text: 'All operations' }] }
  const behind =
    at === 'api' ? apiPages : { title: 'Everywhere', links: [{ to: 'control/records', text: 'Shared records' }] }
  return [top, ...referenceNav(reference), behind]
}

function namesOf(pages: readonly Document[]): string {
  return pages.map(({ name }) => name).join(', ')
}

async function printControl(c: PagesContext): Promise<OpenApi> {
  const [{ controlOperations }, { controlContract }] = await Promise.all([
    import('../control-operations.ts'),
    import('../control/control-contract.ts'),
  ])
  const { baseUrl, version } = c.env
  return controlContract(controlOperations, { baseUrl, version })
}

// The pages of the API reference that are about no single operation.

/** Besides operations; `webhooks` are calls that no request leads to. */
const apiPages: NavGroup = {
  title: 'Everywhere',
  links: [
    { to: 'api/errors', text: 'Errors' },
    { to: 'api/webhooks', text: 'Calls that no request leads to' },
    { to: 'api/records', text: 'Shared records' },
    { to: 'api/assumptions', text: 'Assumptions' },
  ],
}

function apiOverview(contract: Contract, world: World, base: string): Html {
  const baseUrl = contract.servers[0]?.url ?? ''
  return html`<h1>mfano, a simulated payments service</h1>
<p>This is what world <b data-testid="world">${world.id}</b> answers below <code>${baseUrl}</code> in scenario <b>${world.core.scenario.name}</b>. No money moves here.</p>
<p class="links"><a href="${base}outcomes">Numbers that fail</a> <a href="${base}../openapi.json">OpenAPI</a> <span>mfano ${contract.info.version}</span></p>
${start(baseUrl)}
${operationList({ at: 'api', document: contract }, base)}
<section><h2>${apiPages.title}</h2><ul>${apiPages.links.map(({ to, text }) => html`<li id="${to.slice('api/'.length)}"><a href="${base}${to}">${text}</a></li>`)}</ul></section>`
}

/** A page of the reference that is no operation's. */
function apiPage(name: string, contract: Contract, world: World): Html | undefined {
  if (name === 'errors') return errorList(contract)
  if (name === 'assumptions') return assumptionList(world)
  if (name === 'webhooks') return webhookList(contract)
  return undefined
}

function start(baseUrl: string): Html {
  const { apiKey, apiSecret } = DEFAULT_ORGANISATION
  return html`<section id="start"><h2>Start here</h2>
<p>Every operation and every field says how it is known.</p>
<dl class="legend">
<div><dt>${badge('specified')}</dt><dd>The service interface document shows it.</dd></div>
<div><dt>${badge('published')}</dt><dd>The provider's published reference shows it.</dd></div>
<div><dt>${badge('measured')}</dt><dd>The service showed it at its sandbox, when <code>mfano calibrate</code> asked.</dd></div>
<div><dt>${badge('assumed')}</dt><dd>Neither shows it. This is the least surprising alternative; a scenario can choose another.</dd></div>
</dl>
<p>Get a token first. It lasts for 300 seconds of simulated time, and the examples use it. Ids in them stand for yours, as a creation answered them.</p>
<pre tabindex="0"><code>TOKEN=$(curl -s -X POST '${baseUrl}/api/v1/get-token' \\
  -H 'Content-Type: application/json' \\
  -d '{"apiKey":"${apiKey}","apiSecret":"${apiSecret}"}' |
  sed -E 's/.*"access_token":"([^"]+)".*/\\1/')</code></pre>
<p>Callbacks of the examples go to an inbox of this world: <code>curl '${baseUrl}/_mfano/inbox/docs'</code> shows what came.</p></section>`
}

function webhookList(contract: Contract): Html {
  const tables = new SchemaTables(contract, '')
  const sent = paymentsService.webhooks.flatMap((webhook) => {
    const post = contract.webhooks?.[webhook.name]?.post
    return post ? [{ ...webhook, post }] : []
  })
  return html`<h1>Calls that no request leads to</h1>
${sent.map(
  ({
    name,
    title,
    to,
    post,
  }) => html`<section id="${name}Callback"><h2>${title} ${badge(post['x-basis'], post['x-source'])}</h2>
<p class="route"><span class="method">POST</span> <code>${to}</code></p>
<p>${post.summary}</p>
${tables.fields(post.requestBody.content['application/json'].schema)}</section>`,
)}`
}

// Lists of errors and assumptions for the contract page.

function errorList(contract: Contract): Html {
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

function assumptionList({ core, host }: World): Html {
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

// Makes an agent's skill of its page: with the head that agents look for, and the addresses of this server.

const SKILL_FILE = 'SKILL.md'
const SKILL_PAGE = 'src/docs/skill.md'

const HEAD = `---
name: mfano
description: Test code that pays, collects or receives callbacks against mfano, a simulator of an East African payments service. Use it when you write, debug or judge code that creates payments, reads their status, or handles their callbacks.
---

`

function skillText(page: string, baseUrl: string): string {
  return HEAD + page.replaceAll('http://localhost:8080', baseUrl)
}
