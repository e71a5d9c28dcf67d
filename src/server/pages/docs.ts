/** Renders the contract. */
import { html } from 'hono/html'
import { DEFAULT_ORGANISATION } from '../../core/model/organisation.ts'
import type { World } from '../../core/world.ts'
import type { Contract } from '../../http/contract.ts'
import type { ServedService } from '../../service/parts.ts'
import { assumptionList, errorList } from './docs-lists.ts'
import { type ListedOperation, operationSection } from './docs-operation.ts'
import { badge, SchemaTables } from './docs-tables.ts'
import type { Html } from './page.ts'

/** Made from the OpenAPI document alone, so that both always agree. */
export function docsPage(contract: Contract, service: ServedService, world: World): Html {
  const baseUrl = contract.servers[0]?.url ?? ''
  const tables = new SchemaTables(contract.components.schemas)
  const byTag = contract.tags.map(({ name }) => ({ name, listed: listedUnder(contract, name) }))
  const sections = byTag.map(
    ({ name, listed }) => html`<section id="${anchor(name)}" aria-labelledby="${anchor(name)}-title">
<h2 id="${anchor(name)}-title">${name}</h2>
${listed.map((one) => operationSection(one, contract, tables, baseUrl))}
</section>`,
  )
  return html`<header class="top"><div class="inner">
<h1>mfano, a simulated payments service</h1>
<p>This is what world <b data-testid="world">${world.id}</b> answers below <code>${baseUrl}</code> in scenario <b>${world.core.scenario.name}</b>. No money moves here.</p>
<p class="links"><a href="docs/readme">Guides</a> <a href="docs/outcomes">Numbers that fail</a> <a href="docs/control">Control plane</a> <a href="_mfano/">Dashboard</a> <a href="openapi.json">OpenAPI</a> <a href="docs/mfano.postman_collection.json">Postman and Bruno</a> <span>mfano ${contract.info.version}</span></p>
</div></header>
<div class="shell">
<details class="toc narrow"><summary>Contents</summary>${contents(byTag, 'Contents')}</details>
<div class="toc wide">${contents(byTag, 'Contents, beside the page')}</div>
<main>
${start(baseUrl)}
${sections}
${webhookSection(contract, service, tables)}
${errorList(contract)}
${tables.sharedSection()}
${assumptionList(service.assumptions, world)}
</main>
</div>`
}

function listedUnder(contract: Contract, tag: string): ListedOperation[] {
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.tags.includes(tag) ? [{ method, path, operation }] : [],
    ),
  )
}

function anchor(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
}

function contents(byTag: { name: string; listed: ListedOperation[] }[], label: string): Html {
  const groups = byTag.map(
    ({ name, listed }) => html`<h2>${name}</h2>
<ul>${listed.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}</ul>`,
  )
  return html`<nav aria-label="${label}">
<ul><li><a href="#start">Start here</a></li></ul>
${groups}
<h2>Everywhere</h2>
<ul><li><a href="#errors">Errors</a></li><li><a href="#assumptions">Assumptions</a></li></ul>
</nav>`
}

function start(baseUrl: string): Html {
  const { apiKey, apiSecret } = DEFAULT_ORGANISATION
  return html`<section id="start" aria-labelledby="start-title">
<h2 id="start-title">Start here</h2>
<p class="lead">Every operation and every field says how it is known.</p>
<dl class="legend">
<div><dt>${badge('specified')}</dt><dd>The service interface document shows it.</dd></div>
<div><dt>${badge('published')}</dt><dd>The provider's published reference shows it.</dd></div>
<div><dt>${badge('measured')}</dt><dd>The service showed it at its sandbox, when <code>mfano calibrate</code> asked.</dd></div>
<div><dt>${badge('assumed')}</dt><dd>Neither shows it. This is the least surprising alternative; a scenario can choose another.</dd></div>
</dl>
<p class="lead">Get a token first. It lasts for 300 seconds of simulated time, and the examples below use it. Ids in them stand for yours, as a creation answered them.</p>
<pre tabindex="0"><code>TOKEN=$(curl -s -X POST '${baseUrl}/api/v1/get-token' \\
  -H 'Content-Type: application/json' \\
  -d '{"apiKey":"${apiKey}","apiSecret":"${apiSecret}"}' |
  sed -E 's/.*"access_token":"([^"]+)".*/\\1/')</code></pre>
<p class="lead">Callbacks of the examples go to an inbox of this world: <code>curl '${baseUrl}/_mfano/inbox/docs'</code> shows what came.</p>
</section>`
}

function webhookSection(contract: Contract, service: ServedService, tables: SchemaTables): Html | false {
  const sent = service.webhooks.flatMap((webhook) => {
    const post = contract.webhooks?.[webhook.name]?.post
    return post ? [{ ...webhook, post }] : []
  })
  if (sent.length === 0) return false
  return html`<section id="webhooks" aria-labelledby="webhooks-title">
<h2 id="webhooks-title">Calls that no request leads to</h2>
${sent.map(
  ({ name, title, to, post }) => html`<article class="operation" id="${name}Callback">
<h3>${title}</h3>
<p class="route"><span class="method">POST</span> <code>${to}</code> ${badge(post['x-basis'], post['x-source'])}</p>
<p class="about">${post.summary}</p>
<details class="more"><summary>Body</summary>${tables.fields(post.requestBody.content['application/json'].schema)}</details>
</article>`,
)}
</section>`
}
