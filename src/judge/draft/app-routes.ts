/** Finds an app's routes: from its OpenAPI document, from recorded traffic, or by trying the usual paths. */
import { boundedText } from '../../client/bounded.ts'
import { asJson } from '../../core/model/as-json.ts'
import { isRecord } from '../../core/model/must.ts'
import type { HarRecord } from '../traffic/har.ts'
import { type BodySchema, exampleBody } from './example-body.ts'

export interface AppRoute {
  method: string
  path: string
  body?: unknown
}

/** Where frameworks publish an OpenAPI document. */
const CONTRACTS = ['/openapi.json', '/swagger.json', '/v3/api-docs', '/api-docs', '/docs/openapi.json', '/docs-json']
/** Tried without a document. Reads only, so they are harmless. */
const USUAL_READS = ['/health', '/healthz', '/ready', '/status', '/books', '/ledger', '/payments', '/payouts', '/']
const WITHIN_MS = 5_000

interface ContractDocument {
  paths?: Record<string, Record<string, { requestBody?: { content?: Record<string, Media> } }>>
}
interface Media {
  schema?: BodySchema
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}

/** Rejects if nothing answers. `contract` is the address of the OpenAPI document. */
export async function routesOf(baseUrl: string): Promise<{ contract: string | undefined; routes: AppRoute[] }> {
  for (const path of CONTRACTS) {
    const answer = await ask(baseUrl + path)
    const document = answer.ok ? asContract(await boundedText(answer.body).catch(() => '')) : undefined
    if (document) return { contract: path, routes: declaredIn(document) }
  }
  const routes: AppRoute[] = []
  for (const path of USUAL_READS) if ((await ask(baseUrl + path)).ok) routes.push({ method: 'get', path })
  return { contract: undefined, routes }
}

function ask(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) })
}

function asContract(text: string): ContractDocument | undefined {
  try {
    const document: ContractDocument | null = JSON.parse(text)
    return typeof document?.paths === 'object' ? document : undefined
  } catch {
    return undefined
  }
}

function declaredIn(document: ContractDocument): AppRoute[] {
  const resolve = (ref: string) => {
    const names = ref.replace(/^#\//, '').split('/')
    return names.reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], document) as
      | BodySchema
      | undefined
  }
  return Object.entries(document.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => /^(?:get|post|put|patch|delete)$/.test(method))
      .map(([method, { requestBody }]) => {
        const media = Object.entries(requestBody?.content ?? {}).find(([type]) => type.includes('json'))?.[1]
        const [named] = Object.values(media?.examples ?? {})
        const body = media?.example ?? named?.value ?? (media?.schema && exampleBody(media.schema, resolve))
        return { method, path, ...(body !== undefined && { body }) }
      }),
  )
}

/** Requests that the app took, one of each method and path. Texts that differ from one to the next are numbered: `pay-{n}`. */
export function recordedRoutes(recorded: readonly HarRecord[], host: string): AppRoute[] {
  const taken = recorded.filter((one) => one.host === host && one.status < 400 && one.status > 0)
  const byRoute = Map.groupBy(taken, ({ method, path }) => `${method.toLowerCase()} ${path.split('?')[0]}`)
  return [...byRoute].map(([route, requests]) => {
    const [method = '', path = ''] = route.split(' ')
    const bodies = requests.flatMap(({ body }) => (body === '' ? [] : [asJson(body)]))
    const [first] = bodies
    return { method, path, ...(isRecord(first) && { body: numbered(first, bodies) }) }
  })
}

function numbered(first: Record<string, unknown>, bodies: readonly unknown[]): object {
  const differs = (name: string) => bodies.some((one) => !isRecord(one) || one[name] !== first[name])
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [
      name,
      typeof value === 'string' && differs(name) ? value.replace(/\d(?=\D*$)/, '{n}') : value,
    ]),
  )
}
