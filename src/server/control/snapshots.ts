import * as z from 'zod'
import { must } from '../../core/model/must.ts'
import { hintOf } from '../../core/model/problems.ts'
import type { WorldSnapshot } from '../../core/world-image.ts'
import { type AnswerOf, type Reader, shape, view } from '../../inspect/view.ts'
import { type ControlBindings, file } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { clockRateShape, nameField } from './fields.ts'
import { worldSummary, worldSummaryShape } from './worlds.ts'

const newSnapshot = z.strictObject({
  name: nameField,
  note: z.string().max(1000, 'must be at most 1000 characters').optional().describe('For those who read the list.'),
  replace: z.boolean().optional().describe('One of that name gives way.'),
})

const whose = z.strictObject({ world: z.string().optional().describe('The id of a world.') })

const ofSnapshot = { params: { name: 'A snapshot.' }, query: whose, errors: ['SNAPSHOT_NOT_FOUND'] } as const

const snapshotView = view('Snapshot', (read: Reader<Identity, WorldSnapshot>) => ({
  name: read(z.string(), (_, { name }) => name),
  world: read(z.string(), (_, { world }) => world),
  note: z.string().nullable(),
  now: z.string(),
  clock: clockRateShape(),
  scenario: z.string(),
  seed: z.number(),
  bytes: z.number(),
  version: z.string(),
  schemaVersion: z.number(),
}))

/** A snapshot whose file cannot be read has `problem` instead of the other fields. */
const savedSnapshotShape = shape('SavedSnapshot', () =>
  snapshotView.schema().partial().required({ name: true, world: true }).extend({ problem: z.string().optional() }),
)

export const snapshotOperations = [
  controlOperation('snapshot.list', 'GET /snapshots', {
    summary: 'List snapshots of the server or of this world',
    answer: () => z.object({ snapshots: z.array(savedSnapshotShape()) }),
    list: {
      rows: 'snapshots',
      none: hintOf('No snapshots yet. Save one: {}', 'snapshot.save', { name: 'before-payday' }),
      columns: ['world', 'name=snapshot:word', 'note', 'now', 'scenario', 'bytes=size', 'problem'],
    },
    async run({ env: { server, id, serverLevel } }) {
      const snapshots = await server.snapshots.list(serverLevel ? undefined : id)
      return { snapshots: snapshots.map(presentSnapshot) }
    },
  }),
  controlOperation('snapshot.save', 'POST /snapshots', {
    summary: 'Save a snapshot of this world',
    body: newSnapshot,
    answer: snapshotView.schema,
    status: 201,
    errors: ['SNAPSHOT_EXISTS', 'SNAPSHOTS_FULL', 'WORLD_TOO_LARGE', 'NOT_SUPPORTED'],
    screen: {
      words: ['name'],
      says: ({ name, world, now }) =>
        hintOf(`Saved world ${world} at ${now} as ${name}. Restore it: {}`, 'snapshot.restore', { name }),
      examples: ['before-payday', "before-payday --replace --note 'all are paid but one'"],
    },
    async run({ env, world, body }) {
      const saved = await env.worlds.snapshots.save(world, body)
      return snapshotView(must(saved.identity), saved)
    },
  }),
  controlOperation('snapshot.download', 'GET /snapshots/:name/file', {
    summary: 'Download a snapshot as a file',
    ...ofSnapshot,
    answers: { 'application/vnd.mfano.world': 'The world, as one file.' },
    screen: { examples: ['before-payday', 'before-payday /tmp/payday.mfano --replace'] },
    async run({ c, env, params, query }) {
      const { world, name } = meant(env, params, query)
      return file(c, name, await env.server.snapshots.file(world, name))
    },
  }),
  controlOperation('snapshot.restore', 'POST /snapshots/:name/restore', {
    summary: 'Restore this world from a snapshot',
    ...ofSnapshot,
    answer: worldSummaryShape,
    errors: [...ofSnapshot.errors, 'BAD_WORLD_FILE', 'NOT_SUPPORTED'],
    screen: {
      says: ({ id, clock }) => `World ${id} is restored. Its clock shows ${clock.now}.`,
      examples: ['before-payday', 'before-payday --world shop'],
    },
    async run({ env, params, query }) {
      const { id } = await env.server.restore(env.id, meant(env, params, query))
      return await worldSummary(env, id)
    },
  }),
  controlOperation('snapshot.delete', 'DELETE /snapshots/:name', {
    summary: 'Delete a snapshot',
    ...ofSnapshot,
    answer: () => z.object({ removed: z.string(), world: z.string() }),
    screen: {
      says: ({ removed, world }) => `Snapshot ${removed} of world ${world} is deleted.`,
      examples: ['before-payday --world shop'],
    },
    async run({ env, params, query }) {
      const { world, name } = meant(env, params, query)
      await env.server.snapshots.remove(world, name)
      return { removed: name, world }
    },
  }),
  controlOperation('capsule.download', 'GET /capsule', {
    summary: 'Download a capsule of a recorded world',
    query: z.strictObject({
      why: z.string().max(2000).optional().describe('Kept in the file, for those who open it.'),
    }),
    answers: { 'application/vnd.mfano.capsule': 'For `mfano replay`.' },
    errors: ['NOT_RECORDED', 'RECORDING_FULL'],
    async run({ c, env: { version }, world, query }) {
      // Loaded with the first capsule, so that a start need not wait for it.
      const { capsuleOf, packCapsule } = await import('../capsule.ts')
      const capsule = await packCapsule(await capsuleOf(world, { version, why: query.why }))
      return file(c, world.id, capsule, 'capsule', 'capsule')
    },
  }),
] as const

function meant(env: ControlBindings, { name }: { name: string }, { world = env.id }: z.output<typeof whose>) {
  return { world, name }
}

type Identity = NonNullable<WorldSnapshot['identity']>

function presentSnapshot(snapshot: WorldSnapshot): AnswerOf<typeof savedSnapshotShape> {
  const { world, name, identity } = snapshot
  if (identity) return snapshotView(identity, snapshot)
  return { name, world, problem: 'its file does not begin like that of a world' }
}
