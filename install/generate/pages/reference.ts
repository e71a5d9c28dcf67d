/** The pages of an OpenAPI document: a list of its operations, and a page for each. */
import { html } from 'hono/html'
import { must } from '../../../src/core/model/must.ts'
import type { ContractCallback, OpenApi, OpenApiOperation } from '../../../src/http/contract.ts'
import { type JsonSchema, resolved } from '../../../src/http/json-schema.ts'
import {
  answersOf,
  conditionOf,
  conditionOfAll,
  type ListedOperation,
  mediaOf,
  taggedOperations,
} from './openapi-markdown.ts'
import { badge, type SchemaTables } from './schema-tables.ts'
import { type Html, type NavGroup, where } from './shell.ts'

/** `at`: the folder of its pages, below that of the documentation. */
export interface Reference {
  at: 'api' | 'control'
  document: OpenApi
}

export function referenceNav({ at, document }: Reference): NavGroup[] {
  return taggedOperations(document).map(([tag, listed]) => ({
    title: tag,
    only: conditionOfAll(listed),
    links: listed.map(({ operation }) => ({
      to: `${at}/${operation.operationId}`,
      text: operation.summary,
      only: conditionOf(operation),
    })),
  }))
}

/** The ids are those of a time when one page had all of it, so that old links still lead there. */
export function operationList({ at, document }: Reference, base: string): Html {
  return html`${taggedOperations(document).map(([tag, listed]) =>
    where(
      conditionOfAll(listed),
      html`<section id="${anchorOfTag(tag)}"><h2>${tag}</h2>
<ul class="operations">${listed.map(({ method, path, operation }) =>
        where(
          conditionOf(operation),
          html`<li id="${operation.operationId}"><a href="${base}${at}/${operation.operationId}">${operation.summary}</a> <span class="route">${methodPart(method)} <code>${path}</code></span></li>`,
        ),
      )}</ul></section>`,
    ),
  )}`
}

function anchorOfTag(tag: string): string {
  return `tag-${tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
}

function methodPart(method: string): Html {
  return html`<span class="method ${method}">${method.toUpperCase()}</span>`
}

export function operationPage(document: OpenApi, listed: ListedOperation, tables: SchemaTables): Html {
  const { method, path, operation } = listed
  const { summary, description, parameters, requestBody } = operation
  const answers = answersOf(document, operation)
  const [status, answer] = must(answers.find(([key]) => key < '300') ?? answers[0])
  const media = answer.content?.['application/json']
  return html`<h1>${summary}</h1>
<p class="route">${methodPart(method)} <code>${path}</code> ${operation['x-basis'] !== undefined && badge(operation)}</p>
${description !== undefined && html`<p>${description}</p>`}
<p class="source">${knownFrom(operation)}</p>
<div class="sides"><div>
${parameters && parameters.length > 0 && html`<h2 id="parameters">Parameters</h2>${tables.parameters(parameters)}`}
${mediaOf(requestBody?.content).map(([type, { schema }]) => html`<h2>Request body${type}</h2>${tables.fields(schema)}`)}
${mediaOf(answer.content).map(([type, { schema }]) => html`<h2>Answer ${status}${type}</h2>${tables.fields(schema)}`)}
${callbacksOf(operation).map(([address, post]) => callbackPart(address, post, tables))}
<h2 id="errors">Errors</h2>
<table class="errors"><thead><tr><th scope="col">HTTP</th><th scope="col">Codes</th></tr></thead><tbody>${answers
    .filter(([key]) => key >= '400')
    .map(
      ([key, one]) =>
        html`<tr><td data-label="HTTP">${key === 'default' ? 'by scenario' : key}</td><td>${(one['x-codes'] ?? []).map((code) => html`<code>${code}</code> `)}</td></tr>`,
    )}</tbody></table>
</div><div class="examples">
<h2 id="request">Request</h2>
${samplesPart(sampleOf(document, listed))}
<h2 id="answer">Answer ${status}</h2>
${media?.example === undefined ? html`<p>${answer.description}</p>` : json(media.example)}
${callbacksOf(operation).map(
  ([
    ,
    {
      requestBody: { content },
    },
  ]) => html`<h2>Callback</h2>${json(content['application/json'].example)}`,
)}
</div></div>`
}

function knownFrom(operation: OpenApiOperation): Html | string {
  const { 'x-source': source, 'x-assumption': assumption, security } = operation
  return [
    ...(source === undefined ? [] : [`Known from: ${source}.`]),
    ...(assumption ? [`Here because assumption ${assumption.id} is ${assumption.value}.`] : []),
    ...(security?.length === 0 ? ['Needs no token.'] : []),
  ].join(' ')
}

function json(example: unknown): Html | false {
  return example !== undefined && html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`
}

function callbacksOf({ callbacks }: OpenApiOperation): [string, ContractCallback][] {
  return Object.values(callbacks ?? {}).flatMap((one) =>
    Object.entries(one).map(([address, { post }]): [string, ContractCallback] => [address, post]),
  )
}

function callbackPart(address: string, post: ContractCallback, tables: SchemaTables): Html {
  // `{$request.body#/callbackUrl}` names a field of the request.
  const field = address.match(/#\/(\w+)/)?.[1] ?? address
  return html`<h2>Callback to <code>${field}</code> ${badge(post)}</h2>
<p>${post.summary}, sent as POST. ${post.description}</p>
${post.parameters && tables.parameters(post.parameters)}${tables.fields(post.requestBody.content['application/json'].schema)}`
}

// A request of the reference as it is written in four languages.

interface SampleRequest {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  needsToken: boolean
  body: unknown
}

const languages = { curl: asCurl, JavaScript: asJavaScript, Python: asPython, PHP: asPhp }

/** Radio buttons show one language at a time without a script. */
function samplesPart(request: SampleRequest): Html {
  const parts = Object.entries(languages).map(
    (
      [name, print],
      i,
    ) => html`<input type="radio" name="language" id="language-${name}"${i === 0 && html` checked`}><label for="language-${name}">${name}</label>
<pre tabindex="0"><code>${print(request)}</code></pre>`,
  )
  return html`<div class="samples" role="radiogroup" aria-label="Language">${parts}</div>`
}

function sampleOf(document: OpenApi, { method, path, operation }: ListedOperation): SampleRequest {
  const { parameters = [], requestBody, security } = operation
  const at = (place: string) => parameters.filter(({ in: where }) => where === place)
  const query = at('query').flatMap(({ name, required, example }) =>
    example === undefined && !required ? [] : [`${name}=${encodeURIComponent(String(example ?? '…'))}`],
  )
  const filled = at('path').reduce(
    (text, { name, example = `{${name}}` }) => text.replace(`{${name}}`, String(example)),
    path,
  )
  const media = requestBody?.content['application/json']
  return {
    method: method.toUpperCase(),
    url: `${document.servers[0]?.url ?? ''}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    headers: at('header').map(({ name, example }) => [name, String(example ?? '…')]),
    needsToken: security !== undefined && security.length > 0,
    body: media && (media.example ?? smallest(media.schema, document.components.schemas)),
  }
}

/** Only what is required. */
function smallest(schema: JsonSchema, known: Record<string, JsonSchema>): unknown {
  const { type, properties = {}, required = [], enum: words, const: only, anyOf } = resolved(schema, known)
  if (anyOf?.[0]) return smallest(anyOf[0], known)
  if (only !== undefined) return only
  if (words !== undefined) return words[0]
  if (type === 'array') return []
  if (type === 'string') return '…'
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return 1
  return Object.fromEntries(required.map((name) => [name, smallest(properties[name] ?? {}, known)]))
}

function asCurl({ method, url, headers, needsToken, body }: SampleRequest): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
  ]
  return lines.join(' \\\n  ')
}

function sent({ headers, body }: SampleRequest): (readonly [name: string, value: string])[] {
  return [...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]), ...headers]
}

function asJavaScript(request: SampleRequest): string {
  const { method, url, needsToken, body } = request
  const headers = [
    ...sent(request).map(([name, value]) => `'${name}': '${value}'`),
    ...(needsToken ? ["Authorization: 'Bearer ' + token"] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${indented(JSON.stringify(body, null, 2))})`]),
  ]
  const given = options.length === 0 ? '' : `, {\n${options.map((one) => `  ${one},\n`).join('')}}`
  return `const answer = await fetch('${url}'${given})\nconsole.log(answer.status, await answer.json())`
}

function asPython(request: SampleRequest): string {
  const { method, url, needsToken, body } = request
  const headers = [
    ...request.headers.map(([name, value]) => `'${name}': '${value}'`),
    ...(needsToken ? ["'Authorization': f'Bearer {token}'"] : []),
  ]
  const given = [
    `'${url}'`,
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}}`] : []),
    ...(body === undefined ? [] : [`json=${indented(literal(body, python))}`]),
  ]
  return `import requests\n\nanswer = requests.${method.toLowerCase()}(\n${given.map((one) => `  ${one},\n`).join('')})\nprint(answer.status_code, answer.json())`
}

function asPhp(request: SampleRequest): string {
  const { method, url, needsToken, body } = request
  const headers = [
    ...sent(request).map(([name, value]) => `'${name}: ${value}'`),
    ...(needsToken ? ['"Authorization: Bearer $token"'] : []),
  ]
  const options = [
    'CURLOPT_RETURNTRANSFER => true',
    ...(method === 'GET' ? [] : [`CURLOPT_CUSTOMREQUEST => '${method}'`]),
    ...(headers.length > 0 ? [`CURLOPT_HTTPHEADER => [${headers.join(', ')}]`] : []),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${indented(literal(body, php))})`]),
  ]
  return `$request = curl_init('${url}');\ncurl_setopt_array($request, [\n${options.map((one) => `  ${one},\n`).join('')}]);\necho curl_exec($request);`
}

interface Notation {
  words: Readonly<Record<string, string>>
  pair: string
  object: readonly [open: string, close: string]
}

const python: Notation = { words: { true: 'True', false: 'False', null: 'None' }, pair: ': ', object: ['{', '}'] }
const php: Notation = { words: {}, pair: ' => ', object: ['[', ']'] }

function literal(value: unknown, notation: Notation): string {
  const { words, pair, object } = notation
  if (typeof value === 'string') return `'${value.replaceAll(/['\\]/g, (sign) => `\\${sign}`)}'`
  if (typeof value !== 'object' || value === null) return words[String(value)] ?? String(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : object
  const inner = Object.entries(value).map(([name, one]) => {
    const shown = indented(literal(one, notation))
    return `  ${isList ? shown : `'${name}'${pair}${shown}`},\n`
  })
  return inner.length === 0 ? `${open}${close}` : `${open}\n${inner.join('')}${close}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
