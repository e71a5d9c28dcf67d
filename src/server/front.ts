import type { Hono } from 'hono'
import type { RequestEvent, Env as ServiceEnv, Sever } from '../http/env.ts'
import type { HttpService } from '../http/http-service.ts'
import { serviceApp } from '../http/service-app.ts'
import { Refusal } from '../model/refusal.ts'
import type { World } from '../world/world.ts'
import type { Worlds } from '../world/worlds.ts'
import { type ControlEnv, controlApp } from './control/control-app.ts'
import type { Assets } from './pages/page.ts'
import type { PagesEnv } from './pages/pages-app.ts'

export interface FrontOptions {
  worlds: Worlds
  /** What is simulated. */
  service: HttpService
  /** Guards the control plane and the dashboard. */
  adminToken: string | undefined
  /** Stands in for the address that a request came to. */
  publicUrl: string | undefined
  observe(event: RequestEvent & { tookMs: number }): void
  /** Real milliseconds. */
  nowMs(): number
  version: string
  /** The dashboard's files; without them it says how to build it. */
  assets?: Assets
}

/** The front door: finds the world of a request, and whom to ask: service, control plane or pages. */
export function front(options: FrontOptions): (request: Request, sever?: Sever) => Response | Promise<Response> {
  const service = serviceApp(options.service)
  const control = controlApp()
  // Loaded with the first page that somebody looks at: most processes serve none.
  let pages: Promise<Hono<PagesEnv>> | undefined
  const loadPages = () => {
    pages ??= import('./pages/pages-app.ts').then(({ pagesApp }) => pagesApp())
    return pages
  }

  return (request, sever) => {
    const startedMs = options.nowMs()
    const pathStart = request.url.indexOf('/', 8)
    const full = pathStart === -1 ? '/' : request.url.slice(pathStart)
    const [worldId, path] = splitWorld(full)
    let world: World
    try {
      world = worldId === undefined ? options.worlds.default : options.worlds.get(worldId)
    } catch (error) {
      if (error instanceof Refusal) return noWorld(error)
      throw error
    }
    const origin = options.publicUrl ?? request.url.slice(0, pathStart === -1 ? undefined : pathStart)
    const env = {
      world,
      service: options.service,
      path,
      baseUrl: worldId === undefined ? origin : `${origin}/w/${worldId}`,
      observe: (event: RequestEvent) => options.observe({ ...event, tookMs: options.nowMs() - startedMs }),
      worlds: options.worlds,
      serverLevel: worldId === undefined,
      origin,
      adminToken: options.adminToken,
      publicUrl: options.publicUrl,
      version: options.version,
      ...(sever && { sever }),
      ...(options.assets && { assets: options.assets }),
    } satisfies ServiceEnv['Bindings'] & ControlEnv['Bindings'] & PagesEnv['Bindings']
    const answer = () => {
      if (isPage(path, request.headers)) return loadPages().then((app) => app.fetch(request, env))
      return (path.startsWith('/_mfano') ? control : service).fetch(request, env as never)
    }
    return held(world, answer)
  }
}

/** Keeps a world open until its request is answered. */
function held(world: World, answer: () => Response | Promise<Response>): Response | Promise<Response> {
  const release = world.lease()
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

/** `/w/{world}/rest` names a world; anything else is the default one. */
function splitWorld(full: string): [string | undefined, string] {
  if (!full.startsWith('/w/')) return [undefined, full]
  const end = full.slice(3).search(/[/?]/)
  if (end === -1) return [full.slice(3), '/']
  const rest = full.slice(3 + end)
  return [full.slice(3, 3 + end), rest.startsWith('/') ? rest : `/${rest}`]
}

function noWorld(refusal: Refusal): Response {
  return Response.json(
    { error: { code: refusal.code, message: refusal.message, details: refusal.details } },
    { status: refusal.status },
  )
}

function isPage(path: string, headers: Headers): boolean {
  if (path.startsWith('/session/') || /^\/(?:docs|openapi\.json|favicon\.ico)?(?:\?|$)/.test(path)) return true
  if (!path.startsWith('/_mfano')) return false
  if (/^\/_mfano\/(?:app\/|handset\/[^/?]+\/(?:\?|$)|(?:login|logout)(?:\?|$))/.test(path)) return true
  // One address for people and programs: a browser gets the dashboard, anybody else the list of what there is.
  return /^\/_mfano\/?(?:\?|$)/.test(path) && (headers.get('accept') ?? '').includes('text/html')
}
