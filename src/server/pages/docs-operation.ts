/** Renders one operation for the contract page. */

import { html } from 'hono/html'
import { must } from '../../core/model/must.ts'
import type { Contract, ContractCallback, ContractOperation } from '../../http/contract.ts'
import { badge, type SchemaTables } from './docs-tables.ts'
import type { Html } from './page.ts'

export interface ListedOperation {
  method: string
  path: string
  operation: ContractOperation
}

export function operationSection(
  listed: ListedOperation,
  contract: Contract,
  tables: SchemaTables,
  baseUrl: string,
): Html {
  const { method, path, operation } = listed
  const { operationId, summary, description, parameters, requestBody } = operation
  const [status, answer] = must(Object.entries(operation.responses).find(([key]) => key < '300'))
  const media = answer.content?.['application/json']
  const assumption = operation['x-assumption']
  return html`<article class="operation" id="${operationId}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code> ${badge(operation['x-basis'], operation['x-source'])}</p>
${description !== undefined && html`<p class="about">${description}</p>`}
<p class="source">Known from: ${operation['x-source']}.${assumption && ` Here because assumption ${assumption.id} is ${assumption.value}.`}${operation.security.length === 0 && ' Needs no token.'}</p>
${parameters && html`<h4>Parameters</h4>${tables.parameters(parameters)}`}
${requestBody && html`<h4>Request body</h4>${tables.fields(requestBody.content['application/json'].schema)}`}
<h4>Example</h4>
<pre tabindex="0"><code>${curl(listed, baseUrl)}</code></pre>
<h4>Answer ${status}</h4>
${shown(media?.example)}
${media && html`<details class="more"><summary>Fields of the answer</summary>${tables.fields(media.schema)}</details>`}
${callbacksOf(operation).map(([address, post]) => callbackPart(address, post, tables))}
<p class="source">Errors: ${errorsOf(operation, contract).join(', ')}. <a href="#errors">What they look like</a></p>
</article>
`
}

function shown(example: unknown): Html | false {
  return example !== undefined && html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`
}

function curl({ method, path, operation }: ListedOperation, baseUrl: string): string {
  const example = (place: string) => (operation.parameters ?? []).filter(({ in: where }) => where === place)
  const query = example('query').map(({ name, example = '…' }) => `${name}=${encodeURIComponent(String(example))}`)
  const filled = example('path').reduce(
    (text, { name, example = `{${name}}` }) => text.replace(`{${name}}`, String(example)),
    path,
  )
  const body = operation.requestBody?.content['application/json'].example
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${baseUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}'`,
    ...(operation.security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...example('header').map(({ name, example }) => `-H '${name}: ${example ?? '…'}'`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
  ]
  return lines.join(' \\\n  ')
}

function callbacksOf({ callbacks }: ContractOperation): [string, ContractCallback][] {
  return Object.values(callbacks ?? {}).flatMap((one) =>
    Object.entries(one).map(([address, { post }]): [string, ContractCallback] => [address, post]),
  )
}

function callbackPart(address: string, post: ContractCallback, tables: SchemaTables): Html {
  const { schema, example } = post.requestBody.content['application/json']
  // `{$request.body#/callbackUrl}` names a field of the request.
  const field = address.match(/#\/(\w+)/)?.[1] ?? address
  return html`<h4>Callback to <code>${field}</code> ${badge(post['x-basis'], post['x-source'])}</h4>
<p>${post.summary}, sent as POST. ${post.description}</p>
${shown(example)}
<details class="more"><summary>Fields of the callback</summary>${post.parameters && tables.parameters(post.parameters)}${tables.fields(schema)}</details>
`
}

function errorsOf({ responses }: ContractOperation, contract: Contract): string[] {
  return Object.entries(responses).flatMap(([status, { $ref }]) => {
    if ($ref === undefined) return []
    const codes = contract.components.responses[$ref.slice($ref.lastIndexOf('/') + 1)]?.['x-codes'] ?? []
    return [`${status} ${codes.join(' or ')}`]
  })
}
