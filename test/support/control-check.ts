/** Holds answers of the control plane against its contract. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApi, OpenApiOperation } from '../../src/http/contract.ts'
import { controlContract } from '../../src/server/control/control-contract.ts'
import { controlOperations } from '../../src/server/control-operations.ts'

/** An answer with the request that it is for; the path is below the base URL and has no query. */
interface ControlExchange {
  method: string
  path: string
  status: number
  type: string | null
  text: string
}

interface Judge {
  /** Those with fewer names in their path first, so that `/callbacks/secret` is not taken for an id. */
  places: { method: string; path: RegExp; template: string; operation: OpenApiOperation }[]
  ajv: Ajv2020
  compiled: Map<string, ValidateFunction>
}

let judge: Judge | undefined

/** The contract of the control plane of the payments service. */
export function controlDocument(): OpenApi {
  return controlContract(controlOperations, { baseUrl: 'http://localhost:8080', version: 'test' })
}

function theJudge(): Judge {
  if (judge) return judge
  const document = controlDocument()
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema(document, 'control')
  const places = Object.entries(document.paths)
    .flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
        template,
        operation,
      })),
    )
    .sort((a, b) => names(a.template) - names(b.template))
  judge = { places, ajv, compiled: new Map() }
  return judge
}

function names(template: string): number {
  return template.split('{').length
}

/** What an answer does that the contract does not say; empty when it keeps to it. */
export function againstControlContract(exchange: ControlExchange): string[] {
  const { method, path, status, type, text } = exchange
  const what = `${method} ${path} ${status}`
  const { places, ajv, compiled } = theJudge()
  const place = places.find((one) => one.method === method && one.path.test(path))
  // Nothing is there, or what only our own programs ask.
  if (!place) return []
  const media = (type ?? '').split(';', 1)[0] as string
  const { responses } = place.operation
  const listed = responses[status]
  const code = codeOf(text)
  const isListed = listed !== undefined && (code === undefined || listed['x-codes']?.includes(code) === true)
  const response = isListed ? listed : (responses['default'] ?? listed)
  if (!response) return status === 302 ? [] : [`${what}: the contract has no such answer: ${text.slice(0, 200)}`]
  if (!response.content?.[media]) return [`${what}: the contract says nothing of ${media}`]
  if (media !== 'application/json') return []
  const body = JSON.parse(text)
  if (response === listed && !isListed) return [`${what}: the contract has no ${text.slice(0, 200)}`]
  const step = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
  const key = response === listed ? String(status) : 'default'
  const at = ['paths', place.template, method.toLowerCase(), 'responses', key, 'content', media, 'schema']
  const pointer = `control#/${at.map(step).join('/')}`
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: pointer })
  compiled.set(pointer, validate)
  if (validate(body)) return []
  return (validate.errors ?? []).map(
    (error) => `${what}: ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  )
}

/** The code of an error, if it is one. */
function codeOf(text: string): string | undefined {
  return text.match(/^\{"error":\{"code":"(\w+)"/)?.[1]
}

/** Fetches, and notes what answers of control planes do that their contract does not say. */
export const checkedFetch =
  (note: (found: string[]) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const type = response.headers.get('content-type')
    const below = pathname.replace(/^\/w\/[^/]+/, '')
    if (!below.startsWith('/_mfano') || type?.startsWith('text/event-stream')) return response
    const text = type?.startsWith('application/json') ? await response.clone().text() : ''
    note(againstControlContract({ method: init?.method ?? 'GET', path: below, status: response.status, type, text }))
    return response
  }
