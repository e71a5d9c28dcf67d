import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import type { Zone } from '../../core/model/calendar.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { hintOf } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { storageRefusal } from '../../core/sql.ts'
import type { World } from '../../core/world.ts'
import type { ServerWorlds } from '../../core/worlds.ts'
import type { Sever } from '../../http/operation.ts'
import { jsonResponse } from '../../http/read-body.ts'
import type { ShowHint } from '../../inspect/explain-payment.ts'
import type { FrontOptions } from '../front-ports.ts'

export interface ControlBindings extends FrontOptions {
  id: string
  /** Throws a `Refusal` if the world cannot be opened. */
  world: World
  /** Why it cannot, where a page is asked for. */
  missing?: Refusal
  zone(): Zone | undefined
  server: ServerWorlds
  /** Base URLs of the world and of the server, as the caller reaches them. */
  baseUrl: string
  origin: string
  path: string
  serverLevel: boolean
  /** Ids of worlds whose past is being made. */
  populating: Set<string>
  answerAgent?: (request: Request) => Promise<Response>
  /** Closes the request's connection. Undefined on hosts that cannot. */
  sever?: Sever
}

export interface ControlEnv {
  Bindings: ControlBindings
}
export type ControlContext = Context<ControlEnv>

/** Whether the Accept header asks for this type rather than for JSON. */
export function prefers(c: ControlContext, type: string): boolean {
  const json = 'application/json'
  return accepts(c, { header: 'Accept', supports: [json, type], default: json }) === type
}

export function file(c: ControlContext, name: string, bytes: Uint8Array, type = 'world', ending = 'mfano'): Response {
  return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
    'content-type': `application/vnd.mfano.${type}`,
    'content-disposition': `attachment; filename="${name}.${ending}"`,
  })
}

export function organisationOf(world: World, uuid: string | undefined): Organisation {
  const { organisations } = world.core.store
  if (uuid === undefined) return organisations.byId(1)
  const found = organisations.byUuid(uuid.toLowerCase())
  if (!found) throw notFound(`organisationId: no organisation has the id "${uuid}";`, 'organisation.list')
  return found
}

export function invalidField(details: string): Refusal {
  return new Refusal('INVALID_FIELD', details)
}

export function notFound(details: string, listing: string): Refusal {
  return new Refusal('NOT_FOUND', details, { hints: [hintOf('{} lists them', listing)] })
}

/** The caller is told no more of an error that is no refusal; the log has the rest. */
export function refusalOf(error: unknown): Refusal {
  const told = storageRefusal(error)
  if (told instanceof Refusal) return told
  return new Refusal('SERVER_ERROR', 'mfano failed; its log says why', { message: 'Internal error' })
}

/** All control errors have this one form. `show` prints hints as requests. */
export function refusedResponse(refusal: Refusal, show?: ShowHint): Response {
  const { code, message, status } = refusal
  const hints = show ? refusal.hints.map(show) : []
  const details = [refusal.details, ...hints.map(({ text }) => text)].join(' ')
  const error = { code, message, details, ...(hints.length > 0 && { hints }) }
  return jsonResponse({ error }, { status })
}

export function serverLevel(env: ControlBindings, what = 'worlds are made and removed at', where = 'worlds'): void {
  if (env.serverLevel) return
  throw new Refusal('SERVER_LEVEL', `${what} ${env.origin}/_mfano/${where}, not below a world`)
}
