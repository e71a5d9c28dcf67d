/** Worlds as the operator sees them: one, those of this process, and those of all processes behind its address. */
import * as z from 'zod'
import { formatInstant } from '../../model/time.ts'
import { DEFAULT_WORLD } from '../../world/names.ts'
import type { ControlContext } from './control-context.ts'
import { listFormat } from './csv-answer.ts'

/** Of the query of a list of worlds. */
export const worldListing = z.strictObject({
  ...listFormat,
  /** `process`: without those of the other processes behind this address. */
  of: z.enum(['process', 'all'], 'must be process or all').default('all'),
})

/** A world as the operator sees it. */
export async function worldSummary(c: ControlContext, id: string) {
  const { scenario, seed, clock } = await c.env.server.describe(id)
  return {
    id,
    baseUrl: baseUrlOf(c, id),
    scenario,
    seed,
    clock: { mode: clock.mode, rate: clock.rate, now: formatInstant(clock.nowUs) },
    /** The process that has it, where several share an address. */
    process: c.env.processName,
  }
}

type WorldSummary = Awaited<ReturnType<typeof worldSummary>>
/** A world in a list; one that cannot be read has a problem instead of the rest. */
type ListedWorld = Pick<WorldSummary, 'id' | 'baseUrl' | 'process'> & Partial<WorldSummary> & { problem?: string }

/**
 * The worlds of this process, and of its peers unless those of this process are asked for. A peer's world is at this very
 * address, as the proxy finds it by its name; only one world is at the plain address, which is ours.
 */
export async function listWorlds(c: ControlContext, of: 'process' | 'all') {
  const ids = await c.env.server.ids()
  const [own, peers] = await Promise.all([
    Promise.all(ids.map((id) => listed(c, id))),
    of === 'all' && c.env.peers ? c.env.peers() : [],
  ])
  const worlds = new Map(own.map((world) => [keyOf(world), world]))
  const unanswered: { address: string; problem: string }[] = []
  for (const peer of peers) {
    if ('problem' in peer) unanswered.push(peer)
    else
      for (const world of peer.worlds)
        if (world.id !== DEFAULT_WORLD && !worlds.has(keyOf(world)))
          worlds.set(keyOf(world), { ...world, baseUrl: baseUrlOf(c, world.id) })
  }
  const all = [...worlds.values()]
  // The default one first; the others as they are called, whoever has them.
  if (all.length > own.length)
    all.sort((one, other) => rankOf(one) - rankOf(other) || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0))
  return {
    worlds: all,
    /** Processes behind this address whose worlds are missing here, by their own addresses. */
    unanswered,
  }
}

const rankOf = ({ id }: { id: string }) => (id === DEFAULT_WORLD ? 0 : 1)

/** A process may be its own peer, so that all are told the same addresses. */
function keyOf({ process, id }: { process: string | null; id: string }): string {
  return `${process ?? ''}/${id}`
}

/** One that cannot be read, newer than this mfano perhaps, keeps nobody from seeing the others. */
async function listed(c: ControlContext, id: string): Promise<ListedWorld> {
  try {
    return await worldSummary(c, id)
  } catch (error) {
    return { id, baseUrl: baseUrlOf(c, id), process: c.env.processName, problem: (error as Error).message }
  }
}

function baseUrlOf(c: ControlContext, id: string): string {
  return id === DEFAULT_WORLD ? c.env.origin : `${c.env.origin}/w/${id}`
}
