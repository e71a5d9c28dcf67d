/** Routes: worlds of the server. */
import { Hono } from 'hono'
import * as z from 'zod'
import type { FileCallbacks } from '../../core/held-addresses.ts'
import { DEFAULT_ORGANISATION } from '../../core/model/organisation.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { NAME_RULES, requireName } from '../../core/model/world-name.ts'
import type { WorldRequest } from '../../core/model/world-request.ts'
import { readBytes } from '../../http/read-body.ts'
import { about } from './about.ts'
import { callbackChoice } from './callback-fields.ts'
import { asks, type ControlContext, type ControlEnv, file, json, takes } from './control-context.ts'
import { asCsv, csv } from './csv-answer.ts'
import { listWorlds, requireNotElsewhere, worldListing, worldSummary } from './listed-worlds.ts'
import { startingInstant } from './time-fields.ts'

/** A world file that is sent here. */
const FILE_MAX_BYTES = 1024 ** 3

const upload = z.strictObject({
  /**
   * Where callbacks go whose addresses are in the file: `hold` sends none before somebody says so, which is what is done
   * without; `as-they-are`; or `FROM=TO` by scheme, host and port, several with commas, with the rest held.
   */
  callbacks: callbackChoice.optional(),
})
const HELD: FileCallbacks = { all: false, rewritten: [] }

const newWorld = z
  .strictObject({
    /** 1 to 63 lower-case letters, digits and inner hyphens; made up without. */
    id: z.string().meta(NAME_RULES).optional(),
    /** A world or a snapshot to go on from, instead of the beginning: its id, its name, or `world/name`. */
    from: z.string().min(1).optional(),
    /** A shipped name, or a scenario as an object or text. */
    scenario: z.union([z.string(), z.looseObject({})]).optional(),
    /** Values for the scenario's parameters. */
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    /** Notes all that comes from outside, for a capsule. */
    record: z.boolean().optional(),
    /** What ids, odds and delays are drawn from; ids come from the world otherwise, and the rest from the scenario. */
    seed: z.int().min(0, 'must be 0 or more').max(0xffff_ffff, 'must be at most 4294967295').optional(),
    /** The seed decides every assumption that the scenario does not. */
    assumptions: z.literal('drawn', 'must be drawn; a scenario chooses alternatives').optional(),
    /** How its time begins and goes; as the scenario says, without. */
    clock: z
      .strictObject({
        /** `frozen` moves only when told, `scaled` goes `rate` times as fast. */
        mode: z.enum(['realtime', 'scaled', 'frozen'], 'must be one of realtime, scaled, frozen').optional(),
        /** World seconds per real second. */
        rate: z.number().gt(0, 'must be greater than 0').max(1_000_000, 'must be at most 1000000').optional(),
        /** When it begins, in simulated time: in the time zone of the scenario unless it has its own. */
        start: startingInstant.optional(),
      })
      .optional(),
  })
  .refine(({ from, seed }) => from === undefined || seed === undefined, {
    path: ['seed'],
    message: 'must be left out beside from: a fork keeps the seed, and with it the outcomes, of what it goes on from',
  })
  .refine(({ from, assumptions }) => from === undefined || assumptions === undefined, {
    path: ['assumptions'],
    message: 'must be left out beside from: a fork goes on in the world that it is made from',
  })
  .refine(({ from, clock }) => from === undefined || clock?.start === undefined, {
    path: ['clock', 'start'],
    message: 'must be left out beside from: a fork goes on at the time of what it goes on from; advance its clock then',
  })

/** Whoever sends a scenario or a seed with a reset means another operation, and would lose the world for it. */
const nothing = z.strictObject({})

/** Making, forking, listing, resetting and removing worlds; and worlds as files. */
export function worldRoutes() {
  return new Hono<ControlEnv>()
    .get(
      '/_mfano/worlds',
      about('Worlds of this server', { errors: ['404 SERVER_LEVEL'], answers: asCsv }),
      csv('worlds'),
      asks(worldListing),
      async (c) => {
        serverLevel(c)
        return json(c, await listWorlds(c, c.req.valid('query').of))
      },
    )

    .post(
      '/_mfano/worlds',
      about('Make a world, or fork one', {
        description:
          'Below /w/{id}, of a world that there is not yet, it makes the world of that id: for proxies that spread requests by their path.',
        errors: [
          '400 INVALID_SCENARIO',
          '409 WORLD_EXISTS',
          '404 SOURCE_NOT_FOUND',
          '409 AMBIGUOUS_NAME',
          '413 WORLD_TOO_LARGE',
          '501 NOT_SUPPORTED',
          '507 SNAPSHOTS_FULL',
        ],
      }),
      takes(newWorld),
      async (c) => {
        const { server } = c.env
        const { from, scenario, clock, ...given } = ofOwnId(c, c.req.valid('json'))
        if (given.id !== undefined) await requireNotElsewhere(c, given.id)
        const request: WorldRequest = {
          ...given,
          scenario: typeof scenario === 'object' ? JSON.stringify(scenario) : scenario,
          clock: clock && { mode: clock.mode, rate: clock.rate, startUs: clock.start },
        }
        const { id } = await (from === undefined ? server.create(request) : server.fork({ ...request, from }))
        return json(c, await made(c, id), 201)
      },
    )

    .delete(
      '/_mfano/worlds/:id',
      about('Remove a world and all that is in it', {
        path: { id: 'A world.' },
        errors: ['404 SERVER_LEVEL', '400 INVALID_FIELD', '409 WORLD_NEEDED'],
      }),
      async (c) => {
        ownOrServerLevel(c, c.req.param('id'))
        await c.env.server.remove(c.req.param('id'))
        return json(c, { removed: c.req.param('id') })
      },
    )

    .get(
      '/_mfano/worlds/:id/file',
      about('A world as one file', {
        path: { id: 'A world.' },
        errors: ['404 SERVER_LEVEL', '400 INVALID_FIELD', '413 WORLD_TOO_LARGE', '501 NOT_SUPPORTED'],
        answers: { 'application/vnd.mfano.world': 'The world, as one file.' },
      }),
      async (c) => {
        const id = c.req.param('id')
        ownOrServerLevel(c, id)
        return file(c, id, await c.env.server.file(id))
      },
    )

    .put(
      '/_mfano/worlds/:id/file',
      about('Make or replace a world by a file', {
        path: { id: 'A world.' },
        body: { 'application/vnd.mfano.world': 'The world, as one file.' },
        errors: ['404 SERVER_LEVEL', '400 BAD_WORLD_FILE', '409 WORLD_EXISTS', '501 NOT_SUPPORTED'],
      }),
      asks(upload),
      async (c) => {
        const id = c.req.param('id')
        ownOrServerLevel(c, id)
        const { server } = c.env
        await requireNotElsewhere(c, id)
        const status = (await server.has(id)) ? 200 : 201
        const { callbacks = HELD } = c.req.valid('query')
        await server.putFile(id, await readBytes(c.req.raw, FILE_MAX_BYTES), callbacks)
        return json(c, { ...(await made(c, id)), callbacks: await server.fileAddresses(id) }, status)
      },
    )

    .post('/_mfano/reset', about("Back to the scenario's beginning"), takes(nothing), async (c) => {
      const { id } = c.env.worlds.reset(c.env.id)
      return json(c, await worldSummary(c, id))
    })
}

/** One that can be used now, with what to log in. */
async function made(c: ControlContext, id: string) {
  const { apiKey, apiSecret, uuid: companyId } = DEFAULT_ORGANISATION
  const credentials: { apiKey: string; apiSecret: string; companyId: string } = { apiKey, apiSecret, companyId }
  return { ...(await worldSummary(c, id)), credentials }
}

/** Below a world, its own id; refuses another one there. */
function ofOwnId<T extends { id?: string | undefined }>(c: ControlContext, request: T): T {
  const { serverLevel, id } = c.env
  if (serverLevel) return request
  if (request.id === undefined || request.id === id) return { ...request, id }
  requireName('id', request.id)
  throw new Refusal('INVALID_FIELD', `id: must be left out or "${id}" below /w/${id}, got "${request.id.slice(0, 80)}"`)
}

/** Refuses what concerns another world than the one below whose address it was asked. */
function ownOrServerLevel(c: ControlContext, id: string): void {
  if (c.env.id === id || c.env.serverLevel) return
  requireName('id', id)
  serverLevel(c)
}

/** Refuses what concerns the whole server and was asked below a world: says what is where. */
export function serverLevel(c: ControlContext, what = 'worlds are made and removed at', where = 'worlds'): void {
  if (c.env.serverLevel) return
  throw new Refusal('SERVER_LEVEL', `${what} ${c.env.origin}/_mfano/${where}, not below a world`, {
    status: 404,
    message: 'Not found',
  })
}
