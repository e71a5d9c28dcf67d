/** Worlds as the operator sees them: one, those of this process, and those of all processes behind its address. */
import * as z from 'zod'
import { hintOf } from '../../../core/model/hint.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { isoInstant } from '../../../core/model/time.ts'
import { DEFAULT_WORLD } from '../../../core/model/world-name.ts'
import type { PeerWorld } from '../../front-ports.ts'
import type { ControlContext } from '../control-context.ts'

/** Of the query of a list of worlds. */
export const worldListing = z.strictObject({
  of: z
    .enum(['process', 'all'], 'must be process or all')
    .default('all')
    .describe('`process`: without those of the other processes behind this address.'),
})

/** A world as the operator sees it. */
export async function worldSummary(c: ControlContext, id: string) {
  const { scenario, seed, clock } = await c.env.server.describe(id)
  return {
    id,
    baseUrl: baseUrlOf(c, id),
    scenario,
    seed,
    clock: { mode: clock.mode, rate: clock.rate, now: isoInstant(clock.nowUs) },
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
  const others = new Map<string, ListedWorld>()
  const unanswered: { address: string; problem: string }[] = []
  for (const peer of peers) {
    if ('problem' in peer) unanswered.push(peer)
    else
      for (const world of elsewhere(c, peer))
        others.set(`${world.process ?? peer.address}/${world.id}`, { ...world, baseUrl: baseUrlOf(c, world.id) })
  }
  const worlds: ListedWorld[] = [...own, ...others.values()]
  // The default one first; the others as they are called, whoever has them.
  if (others.size > 0)
    worlds.sort((one, other) => rankOf(one) - rankOf(other) || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0))
  return {
    worlds,
    unanswered,
  }
}

const rankOf = ({ id }: { id: string }) => (id === DEFAULT_WORLD ? 0 : 1)

/** What of a peer is not of this process, which may be its own peer, so that all are told the same addresses. */
function elsewhere(c: ControlContext, { address, worlds }: { address: string; worlds: readonly PeerWorld[] }) {
  const { processName, worlds: here } = c.env
  const isOwn = (process: string | null) =>
    process === null ? here.host.isHere?.(new URL(address)) : process === processName
  return worlds.filter(({ id, process }) => id !== DEFAULT_WORLD && !isOwn(process))
}

/**
 * Refuses to make a world here, at the address of all processes, whose name another one has: its own address leads there.
 * At that address it is made wherever that leads.
 */
export async function requireNotElsewhere(c: ControlContext, id: string): Promise<void> {
  const { peers, serverLevel, worlds } = c.env
  if (!peers || !serverLevel || worlds.has(id)) return
  for (const peer of await peers()) {
    const found = 'worlds' in peer && elsewhere(c, peer).find((world) => world.id === id)
    if (!found) continue
    const at = baseUrlOf(c, id)
    throw new Refusal(
      'WORLD_EXISTS',
      `The process ${found.process === null ? `at ${peer.address}` : `"${found.process}"`} has a world "${id}" already, and ${at} leads there. Choose another id, or make it there:`,
      {
        hints: [
          { ...hintOf('{} first, then', 'world.delete', { id }), at },
          { ...hintOf('{}.', 'world.create', { id }), at },
        ],
      },
    )
  }
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
