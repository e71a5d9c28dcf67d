/** A request of the reference as it is written in four languages. */
import { html } from 'hono/html'
import { type JsonSchema, resolved } from '../../http/json-schema.ts'
import type { OpenApi, OpenApiOperation } from './openapi-markdown.ts'
import type { Html } from './page.ts'

export interface SampleRequest {
  method: string
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  needsToken: boolean
  body: unknown
}

const languages = { curl: asCurl, JavaScript: asJavaScript, Python: asPython, PHP: asPhp }

/** Radio buttons show one language at a time without a script. */
export function samplesPart(request: SampleRequest): Html {
  const parts = Object.entries(languages).map(
    (
      [name, print],
      i,
    ) => html`<input type="radio" name="language" id="language-${name}"${i === 0 && html` checked`}><label for="language-${name}">${name}</label>
<pre tabindex="0"><code>${print(request)}</code></pre>`,
  )
  return html`<div class="samples" role="radiogroup" aria-label="Language">${parts}</div>`
}

export function sampleOf(
  document: OpenApi,
  { method, path, operation }: { method: string; path: string; operation: OpenApiOperation },
): SampleRequest {
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
