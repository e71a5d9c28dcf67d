/** Routes requests to a service's operations. World and path come with each request. */
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import { tryDecodeURIComponent } from 'hono/utils/url'
import { ServiceRequest, type Unrouted } from './exchange.ts'
import { type Env, type HttpService, pathOf, type TakenFor } from './http-service.ts'
import type { Operation } from './operation.ts'
import { operationsAt, respelled, spellingOutcome } from './road/paths.ts'
import { serve, serveUnknown } from './road/serve.ts'

export interface Road {
  serve: typeof serve
  serveUnknown: typeof serveUnknown
}

export interface ServiceApp {
  fetch(request: Request, env: Env): Promise<Response>
}

export function serviceApp(service: HttpService, road: Road = { serve, serveUnknown }): ServiceApp {
  const { operations } = service
  const router = new SmartRouter<Operation>({ routers: [new RegExpRouter(), new TrieRouter()] })
  for (const operation of operations)
    router.add(operation.method.toUpperCase(), operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), operation)

  function answer(request: Request, env: Env, path: string, takenFor?: TakenFor): Promise<Response> {
    const isHead = request.method === 'HEAD'
    const [[first] = [], values] = router.match(isHead ? 'GET' : request.method, path)
    const unknown = (unrouted: Unrouted, taken = takenFor) =>
      road.serveUnknown(new ServiceRequest(request, env, path, {}, taken), service, unrouted)
    if (first) {
      const [operation, named] = first
      return road.serve(new ServiceRequest(request, env, path, decoded(named, values), takenFor), service, operation)
    }
    const there = operationsAt(operations, path)
    const spelling = there.length === 0 && !takenFor ? respelled(operations, path) : undefined
    if (!spelling) return unknown({ operations: there })
    const outcome = spellingOutcome(spelling, env.world.core.scenario.assumptions)
    if (outcome === 'same') return answer(request, env, spelling.path, spelling)
    const redirect =
      outcome === '404' ? undefined : ({ status: outcome === '301' ? 301 : 308, path: spelling.path } as const)
    return unknown({ operations: [], ...(redirect && { redirect }) }, spelling)
  }

  return {
    fetch: (request, env) => {
      const answering = answer(request, env, pathOf(env.path))
      // HEAD: the answer of a GET, without its body.
      return request.method === 'HEAD' ? answering.then((whole) => new Response(null, whole)) : answering
    },
  }
}

const NONE: Readonly<Record<string, string>> = Object.freeze({})

function decoded(named: Readonly<Record<string, string | number>>, values: readonly string[] | undefined) {
  const places = Object.entries(named)
  if (places.length === 0) return NONE
  const parts = places.map(([name, at]) => [name, typeof at === 'number' ? values?.[at] : at] as const)
  return Object.fromEntries(
    parts.flatMap(([name, part]) => (part === undefined ? [] : [[name, tryDecodeURIComponent(part)]])),
  )
}
