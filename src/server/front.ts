/** The entry of a server: finds the world of a request, and passes it to the service, the control plane or a page. */
import { once } from '../core/model/must.ts'
import { Refusal } from '../core/model/refusal.ts'
import { DEFAULT_WORLD, noSuchWorld } from '../core/new-world.ts'
import { storageRefusal } from '../core/sql.ts'
import type { World } from '../core/world.ts'
import type { Connection, RequestEvent } from '../http/operation.ts'
import { serviceApp } from '../http/serve.ts'
import { paymentsService } from '../service/service.ts'
import { type ControlEnv, refusedResponse } from './control/control-context.ts'
import { addRoutes, controlApp, controlBase } from './control/route.ts'
import { readHealth } from './control/server.ts'
import type { FrontOptions } from './front-ports.ts'

const NOT_LOADED = 'a part of mfano could not be loaded; its log says why, and asking again has it tried again'

export function front(options: FrontOptions): (request: Request, by?: Connection) => Response | Promise<Response> {
  const service = serviceApp(paymentsService)
  // Alone, so that it loads nothing else of the control plane.
  const health = controlBase()
  addRoutes(health, [readHealth])
  const { host } = options.worlds
  const populating = new Set<string>()
  const { agents, version, adminToken } = options
  // Begun for want of files, a load would fail, and Node 22 would not try that again before it is started anew.
  const loaded = <T>(load: () => Promise<T>) =>
    once(async () => {
      const lack = host.lack?.()
      if (lack) throw lack
      return load()
    })
  // Each is loaded with the first request for it: a simulator that starts should answer, not read code.
  const pages = loaded(() => import('./pages/pages-app.ts').then(({ pagesApp }) => pagesApp()))
  const declared = async () => {
    const [{ controlOperations: operations }, { asRequest }] = await Promise.all([
      import('./control-operations.ts'),
      import('./control/placed.ts'),
    ])
    return { operations, show: asRequest(operations) }
  }
  const withHints = async (error: Refusal) => refusedResponse(error, (await declared()).show)
  const control = loaded(() => declared().then(({ operations, show }) => controlApp(operations, show)))

  const self = (request: Request, connection: Connection = {}): Response | Promise<Response> => {
    const startedMs = options.nowMs()
    const pathStart = request.url.indexOf('/', 8)
    const full = pathStart === -1 ? '/' : request.url.slice(pathStart)
    const [worldId, path] = splitWorld(full)
    const id = worldId ?? DEFAULT_WORLD
    let world: World | undefined
    let unreadable: Refusal | undefined
    try {
      // Without the token, which is not asked for yet, nobody is told what worlds there are.
      if (options.adminToken !== undefined && worldId !== undefined && !options.worlds.has(worldId))
        throw noSuchWorld(worldId, [])
      world = options.worlds.get(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // One that cannot be opened can still be reset, replaced or removed, and keeps nobody from the others.
      const forPeople = isPage(path, request.headers) && (request.headers.get('accept') ?? '').includes('text/html')
      if (!forPeople && (error.code !== 'WORLD_UNREADABLE' || !path.startsWith('/_mfano')))
        return error.hints.length === 0 ? refusedResponse(error) : withHints(error)
      unreadable = error
    }
    const publicUrl = options.publicUrl ?? (options.trustProxy ? forwardedUrl(request) : undefined)
    const origin = publicUrl ?? request.url.slice(0, pathStart === -1 ? undefined : pathStart)
    const baseUrl = worldId === undefined ? origin : `${origin}/w/${worldId}`
    const page = isPage(path, request.headers)
    if (world && !page && !path.startsWith('/_mfano')) {
      const observe = (event: RequestEvent) => options.observe(event, options.nowMs() - startedMs)
      return service.fetch(request, { world, baseUrl, path, connection, observe })
    }
    const env = {
      ...options,
      id,
      world: world as World,
      zone: () => world?.core.scenario.zone,
      path,
      baseUrl,
      server: options.server ?? options.worlds,
      serverLevel: worldId === undefined,
      origin,
      populating,
      publicUrl,
      ...(agents && {
        answerAgent: (asked: Request) => agents(asked, { baseUrl: origin, version, adminToken, fetch: inProcess }),
      }),
      ...(connection.sever && { sever: connection.sever.bind(connection) }),
      ...(unreadable && unreadable.code !== 'WORLD_UNREADABLE' && { missing: unreadable }),
    } satisfies ControlEnv['Bindings']
    if (!world) {
      const get = () => {
        throw unreadable
      }
      Object.defineProperty(env, 'world', { get })
    }
    const notLoaded = (error: unknown) => {
      options.worlds.failed(id, error, `loading what answers ${request.method} ${path.split('?')[0]}`)
      const told = storageRefusal(error)
      return refusedResponse(told instanceof Refusal ? told : new Refusal('SERVICE_UNAVAILABLE', NOT_LOADED))
    }
    const answer = () => {
      const ask = (app: FetchTarget) => app.fetch(request, env)
      if (page) return pages().then(ask, notLoaded)
      return /^\/_mfano\/health(?:\?|$)/.test(path) ? ask(health) : control().then(ask, notLoaded)
    }
    return world ? keepOpen(world, answer) : answer()
  }
  const inProcess = async (address: string | URL | Request, init?: RequestInit) => self(new Request(address, init))
  return self
}

/** An app with any bindings, because `bindings` has those of all. */
interface FetchTarget {
  fetch(request: Request, bindings: object): Response | Promise<Response>
}

function keepOpen(world: World, answer: () => Response | Promise<Response>): Response | Promise<Response> {
  const release = world.leases.take()
  try {
    const answering = answer()
    if (answering instanceof Promise) return answering.finally(release)
    release()
    return answering
  } catch (error) {
    release()
    throw error
  }
}

/** The first proxy names the address that a person asked for, and each adds to the list behind it. */
function forwardedUrl({ url, headers }: Request): string | undefined {
  const first = (name: string) => headers.get(`x-forwarded-${name}`)?.split(',')[0]?.trim() || undefined
  const [host, scheme, prefix = ''] = [first('host'), first('proto'), first('prefix')]
  if (host === undefined && scheme === undefined && prefix === '') return undefined
  const asked = new URL(url)
  const forwarded = URL.parse(`${scheme ?? asked.protocol.slice(0, -1)}://${host ?? asked.host}`)
  if (!forwarded || !/^https?:$/.test(forwarded.protocol) || !/^[\w.~/-]*$/.test(prefix)) return undefined
  return `${forwarded.origin}${prefix === '' ? '' : `/${prefix.replace(/^\/+|\/+$/g, '')}`}`.replace(/\/$/, '')
}

function splitWorld(full: string): [string | undefined, string] {
  if (!full.startsWith('/w/')) return [undefined, full]
  const end = full.slice(3).search(/[/?]/)
  if (end === -1) return [full.slice(3), '/']
  const rest = full.slice(3 + end)
  return [full.slice(3, 3 + end), rest.startsWith('/') ? rest : `/${rest}`]
}

function isPage(path: string, headers: Headers): boolean {
  if (
    path.startsWith('/session/') ||
    /^\/(?:docs(?:\/[\w./-]+)?|llms\.txt|SKILL\.md|openapi\.json|favicon\.ico)?(?:\?|$)/.test(path)
  )
    return true
  if (!path.startsWith('/_mfano')) return false
  if (/^\/_mfano\/(?:app\/|handset\/[^/?]+\/(?:\?|$)|(?:login|logout)(?:\?|$))/.test(path)) return true
  // One address for people and programs: a browser gets the dashboard, anybody else the list of what there is.
  return /^\/_mfano\/?(?:\?|$)/.test(path) && (headers.get('accept') ?? '').includes('text/html')
}
