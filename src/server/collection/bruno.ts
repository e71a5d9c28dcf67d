/** The requests of the contract as a Bruno collection: a folder of files, to be kept with an app's own. */
import { wayTo } from './postman.ts'
import { SERVER, type Step } from './steps.ts'

/** File names with their text. The order is that of the numbers before their names. */
export function brunoCollection(steps: readonly Step[], server: string): Map<string, string> {
  const files = new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: 'mfano', type: 'collection' }, null, 2)}\n`],
    ['environments/local.bru', block('vars', [`${SERVER}: ${server}`])],
  ])
  for (const [i, step] of steps.entries()) files.set(fileName(i + 1, step), requestText(i + 1, step))
  return files
}

function fileName(n: number, { name }: Step): string {
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${String(n).padStart(2, '0')}-${words}.bru`
}

function requestText(
  n: number,
  { name, method, path, to, query, headers, body, authorised, status, gives }: Step,
): string {
  const pairs = Object.entries(query)
  const search = pairs.map(([key, value]) => `${key}=${value}`).join('&')
  const lines = (record: Record<string, string>) => Object.entries(record).map(([key, value]) => `${key}: ${value}`)
  return [
    block('meta', [`name: ${name}`, 'type: http', `seq: ${n}`]),
    block(method.toLowerCase(), [
      `url: {{${to}}}${path}${search === '' ? '' : `?${search}`}`,
      `body: ${body === undefined ? 'none' : 'json'}`,
      `auth: ${authorised ? 'bearer' : 'none'}`,
    ]),
    ...(pairs.length > 0 ? [block('params:query', lines(query))] : []),
    ...(Object.keys(headers).length > 0 ? [block('headers', lines(headers))] : []),
    ...(authorised ? [block('auth:bearer', ['token: {{token}}'])] : []),
    ...(body === undefined ? [] : [block('body:json', JSON.stringify(body, null, 2).split('\n'))]),
    ...(Object.keys(gives).length > 0
      ? [
          block(
            'vars:post-response',
            Object.entries(gives).map(([variable, at]) => `${variable}: res.body${wayTo(at)}`),
          ),
        ]
      : []),
    block('assert', [`res.status: eq ${status}`]),
  ].join('\n')
}

function block(name: string, lines: readonly string[]): string {
  return `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
}
