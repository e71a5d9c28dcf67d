/** What a running app answers: by its own contract, where it has one, and by asking at the usual addresses. */
import { type BodySchema, exampleBody } from './example-body.ts'

/** A request that the app takes. */
export interface AppRoute {
  method: string
  path: string
  body?: unknown
}

/** Where frameworks serve a contract. */
const CONTRACTS = ['/openapi.json', '/swagger.json', '/v3/api-docs', '/api-docs', '/docs/openapi.json', '/docs-json']
/** Reads that harm nobody, tried where there is no contract. */
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

/** Rejects where nobody answers. `contract`: where its own was found. */
export async function routesOf(baseUrl: string): Promise<{ contract: string | undefined; routes: AppRoute[] }> {
  for (const path of CONTRACTS) {
    const answer = await ask(baseUrl + path)
    const document = answer.ok ? asContract(await answer.text()) : undefined
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
    const document = JSON.parse(text) as ContractDocument
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
