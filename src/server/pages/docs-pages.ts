/** The pages of the API reference that are about no single operation. */
import { html } from 'hono/html'
import { DEFAULT_ORGANISATION } from '../../core/model/organisation.ts'
import type { World } from '../../core/world.ts'
import type { Contract } from '../../http/contract.ts'
import { paymentsService } from '../../service/service.ts'
import { assumptionList, errorList } from './docs-lists.ts'
import type { NavGroup } from './docs-shell.ts'
import { badge, SchemaTables } from './docs-tables.ts'
import type { Html } from './page.ts'
import { operationList } from './reference.ts'

/** Besides operations; `webhooks` are calls that no request leads to. */
export const apiPages: NavGroup = {
  title: 'Everywhere',
  links: [
    { to: 'api/errors', text: 'Errors' },
    { to: 'api/webhooks', text: 'Calls that no request leads to' },
    { to: 'api/records', text: 'Shared records' },
    { to: 'api/assumptions', text: 'Assumptions' },
  ],
}

export function apiOverview(contract: Contract, world: World, base: string): Html {
  const baseUrl = contract.servers[0]?.url ?? ''
  return html`<h1>mfano, a simulated payments service</h1>
<p>This is what world <b data-testid="world">${world.id}</b> answers below <code>${baseUrl}</code> in scenario <b>${world.core.scenario.name}</b>. No money moves here.</p>
<p class="links"><a href="${base}outcomes">Numbers that fail</a> <a href="${base}../openapi.json">OpenAPI</a> <span>mfano ${contract.info.version}</span></p>
${start(baseUrl)}
${operationList({ at: 'api', document: contract }, base)}
<section><h2>${apiPages.title}</h2><ul>${apiPages.links.map(({ to, text }) => html`<li id="${to.slice('api/'.length)}"><a href="${base}${to}">${text}</a></li>`)}</ul></section>`
}

/** A page of the reference that is no operation's. */
export function apiPage(name: string, contract: Contract, world: World): Html | undefined {
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
