/** What operations of the control plane have in common: their context, and some of their answers. */
import type { Context } from 'hono'
import type { Zone } from '../../core/model/calendar.ts'
import { hintOf } from '../../core/model/hint.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { ServerWorlds } from '../../core/server-worlds.ts'
import type { World } from '../../core/world.ts'
import type { Worlds } from '../../core/worlds.ts'
import type { Sever } from '../../http/http-service.ts'
import { jsonResponse } from '../../http/read-body.ts'
import type { ShowHint } from '../../inspect/explain-payment.ts'
import type { ServedService } from '../../service/parts.ts'
import type { DocFiles, Metrics, Peers, Populate } from '../front-ports.ts'
import type { PopulateProgress } from '../populate.ts'
import type { Guesses } from './guesses.ts'

/** What every control-plane request is given. */
export interface ControlEnv {
  Bindings: {
    /** What is simulated. */
    service: ServedService
    /** The world's. */
    id: string
    /** Refuses where the world cannot be opened. */
    world: World
    /** The zone of the world's scenario, in which people are shown its times; none where there is no such world. */
    zone(): Zone | undefined
    worlds: Worlds
    /** All worlds of the server, some of which may be elsewhere. */
    server: ServerWorlds
    /** Makes worlds with a past where they are not made here. */
    populate?: Populate
    /** The world's base URL as the caller reaches it, and that of the server. */
    baseUrl: string
    origin: string
    path: string
    /** The request came to the plain base URL, not below `/w/{world}`. */
    serverLevel: boolean
    adminToken: string | undefined
    guesses: Guesses
    /** Worlds whose past is being made up, and how far that is. */
    populating: Map<string, PopulateProgress>
    /** Tells apart who asks, as far as the host can. */
    caller(): string
    /** The base URL that mfano was told that it has. */
    publicUrl: string | undefined
    /** Of the authority that vouches for mfano's certificate, as PEM; undefined where it speaks no TLS. */
    authority?: string
    /** What the process has counted, for Prometheus, where it counts. */
    metrics?: Metrics
    /** The files of documentation, where the host has them. */
    docs?: DocFiles
    /** Answers an agent, where the process offers that. */
    answerAgent?: (request: Request) => Promise<Response>
    /** Ends the connection of this request, on hosts that can. */
    sever?: Sever
    version: string
    /** What this process is called among others; null where it has no name. */
    processName: string | null
    /** Asks the other processes behind the same address for their worlds, where it knows of any. */
    peers?: Peers
  }
}
export type ControlContext = Context<ControlEnv>

/** A file to keep. */
export function file(c: ControlContext, name: string, bytes: Uint8Array): Response {
  return c.body(bytes as Uint8Array<ArrayBuffer>, 200, {
    'content-type': 'application/vnd.mfano.world',
    'content-disposition': `attachment; filename="${name}.mfano"`,
  })
}

/** The organisation that an optional uuid names; the default one without. */
export function organisationOf(world: World, uuid: string | undefined): Organisation {
  const { organisations } = world.core.store
  if (uuid === undefined) return organisations.byId(1)
  const found = organisations.byUuid(uuid.toLowerCase())
  if (!found)
    throw new Refusal('NOT_FOUND', `organisationId: no organisation has the id "${uuid}";`, {
      hints: [hintOf('{} lists them', 'organisation.list')],
    })
  return found
}

/** A refusal in the control plane's one form. `show`: says its hints as requests. */
export function refusedResponse(refusal: Refusal, show?: ShowHint): Response {
  const { code, message, status } = refusal
  const hints = show ? refusal.hints.map(show) : []
  const details = [refusal.details, ...hints.map(({ text }) => text)].join(' ')
  const error = { code, message, details, ...(hints.length > 0 && { hints }) }
  return jsonResponse({ error }, { status, headers: retryAfterHeader(refusal) })
}

/** The header that says when to ask again. */
export function retryAfterHeader({ retryAfterS }: Refusal): Record<string, string> {
  return retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
}
