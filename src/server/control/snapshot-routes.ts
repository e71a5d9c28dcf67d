/** Routes: snapshots. */
import { Hono } from 'hono'
import * as z from 'zod'
import { NAME_RULES } from '../../core/model/world-name.ts'
import type { Snapshot } from '../../core/world-file.ts'
import { about } from './about.ts'
import { asks, type ControlContext, type ControlEnv, file, json, takes } from './control-context.ts'
import { asCsv, csv, plainList } from './csv-answer.ts'
import { worldSummary } from './listed-worlds.ts'

const newSnapshot = z.strictObject({
  /** 1 to 63 lower-case letters, digits and inner hyphens; made up without. */
  name: z.string().meta(NAME_RULES).optional(),
  /** For those who read the list. */
  note: z.string().max(1000, 'must be at most 1000 characters').optional(),
  /** One of that name gives way. */
  replace: z.boolean().optional(),
})
/** Whose snapshot is meant; the world's own unless said. */
const whose = z.strictObject({
  /** The id of a world. */
  world: z.string().optional(),
})

/** Saving a world under a name, and going back to it. */
export function snapshotRoutes() {
  return new Hono<ControlEnv>()
    .get(
      '/_mfano/snapshots',
      about('Snapshots: of every world at the server, of this one below a world', { answers: asCsv }),
      csv('snapshots'),
      asks(plainList),
      async (c) => {
        const { server, id, serverLevel } = c.env
        const snapshots = await server.snapshots.list(serverLevel ? undefined : id)
        return json(c, { snapshots: snapshots.map(show) })
      },
    )

    .post(
      '/_mfano/snapshots',
      about('Save this world under a name', {
        errors: ['409 SNAPSHOT_EXISTS', '507 SNAPSHOTS_FULL', '413 WORLD_TOO_LARGE', '501 NOT_SUPPORTED'],
      }),
      takes(newSnapshot),
      async (c) => {
        const { name, note, replace } = c.req.valid('json')
        const saved = await c.env.worlds.snapshots.save(c.env.world, { name, note, replace })
        return json(c, inFull(saved.world, saved.name, saved.identity as Identity), 201)
      },
    )

    .get(
      '/_mfano/snapshots/:name',
      about('One snapshot', { path: { name: 'A snapshot.' }, errors: ['404 SNAPSHOT_NOT_FOUND'] }),
      asks(whose),
      async (c) => {
        const { world, name } = meant(c, c.req.valid('query').world)
        return json(c, show(await c.env.server.snapshots.get(world, name)))
      },
    )

    .get(
      '/_mfano/snapshots/:name/file',
      about('A snapshot as one file', {
        path: { name: 'A snapshot.' },
        errors: ['404 SNAPSHOT_NOT_FOUND'],
        answers: { 'application/vnd.mfano.world': 'The world, as one file.' },
      }),
      asks(whose),
      async (c) => {
        const { world, name } = meant(c, c.req.valid('query').world)
        return file(c, name, await c.env.server.snapshots.file(world, name))
      },
    )

    .post(
      '/_mfano/snapshots/:name/restore',
      about('Take this world back to a snapshot', {
        path: { name: 'A snapshot.' },
        errors: ['404 SNAPSHOT_NOT_FOUND', '400 BAD_WORLD_FILE', '501 NOT_SUPPORTED'],
      }),
      asks(whose),
      async (c) => {
        const { id } = await c.env.server.restore(c.env.id, meant(c, c.req.valid('query').world))
        return json(c, await worldSummary(c, id))
      },
    )

    .delete(
      '/_mfano/snapshots/:name',
      about('Remove a snapshot', { path: { name: 'A snapshot.' }, errors: ['404 SNAPSHOT_NOT_FOUND'] }),
      asks(whose),
      async (c) => {
        const { world, name } = meant(c, c.req.valid('query').world)
        await c.env.server.snapshots.remove(world, name)
        return json(c, { removed: name, world })
      },
    )
}

function meant(c: ControlContext, world: string | undefined): { world: string; name: string } {
  return { world: world ?? c.env.id, name: c.req.param('name') as string }
}

type SavedWorld = ReturnType<typeof inFull>
/** A snapshot in a list; one whose file cannot be read has a problem instead of the rest. */
export type ListedSnapshot = Pick<SavedWorld, 'name' | 'world'> & Partial<SavedWorld> & { problem?: string }
type Identity = NonNullable<Snapshot['identity']>

function show({ world, name, identity }: Snapshot): ListedSnapshot {
  if (identity) return inFull(world, name, identity)
  return { name, world, problem: 'its file does not begin like that of a world' }
}

function inFull(world: string, name: string, identity: Identity) {
  const { note, now, scenario, seed, clock, version, schemaVersion, bytes } = identity
  return { name, world, note, now, clock, scenario, seed, bytes, version, schemaVersion }
}
