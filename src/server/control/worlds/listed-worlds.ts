/** Lists worlds: one, those of this process, or those of all processes behind its address. */

import * as z from 'zod'
import { hintOf } from '../../../core/model/hint.ts'
import { errorOf } from '../../../core/model/must.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { isoInstant } from '../../../core/model/time.ts'
import { DEFAULT_WORLD } from '../../../core/model/world-name.ts'
import type { PeerWorld } from '../../front-ports.ts'
import type { ControlContext } from '../control-context.ts'

export const worldListing = z.strictObject({
  of: z
    .enum(['process', 'all'], 'must be process or all')
    .default('all')
    .describe('`process`: without those of the other processes behind this address.'),
})

export async function worldSummary(c: ControlContext, id: string) {
  const { scenario, seed, clock, beganUs, payments, callbacksPaused } = await c.env.server.describe(id)
  return {
    id,
    baseUrl: baseUrlOf(c, id),
    scenario,
    seed,
    clock: { mode: clock.mode, rate: clock.rate, now: isoInstant(clock.nowUs) },
    beganAt: isoInstant(beganUs),
    payments,
    callbacksPaused,
    process: c.env.processName,
  }
}

type WorldSummary = Awaited<ReturnType<typeof worldSummary>>
/** A world that cannot be read has `problem` instead of the other fields. */
type ListedWorld = Pick<WorldSummary, 'id' | 'baseUrl' | 'process'> & Partial<WorldSummary> & { problem?: string }

/**
 * `process`: this process only. `all`: its peers too. A peer's world gets an address here, because the proxy routes by
 * the world's name. The plain address is always this process's default world.
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

/** Leaves out this process's own worlds, because all processes may get the same list of peers, themselves included. */
function elsewhere(c: ControlContext, { address, worlds }: { address: string; worlds: readonly PeerWorld[] }) {
  const { processName, worlds: here } = c.env
  const isOwn = (process: string | null) =>
    process === null ? here.host.isHere?.(new URL(address)) : process === processName
  return worlds.filter(({ id, process }) => id !== DEFAULT_WORLD && !isOwn(process))
}

/**
 * Refuses a name that a peer's world has, because the world's address leads to that peer. A request to that address
 * itself is allowed, because it reaches the right process.
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

/** An unreadable world, for example of a newer mfano, must not hide the others. */
async function listed(c: ControlContext, id: string): Promise<ListedWorld> {
  try {
    return await worldSummary(c, id)
  } catch (error) {
    return { id, baseUrl: baseUrlOf(c, id), process: c.env.processName, problem: errorOf(error).message }
  }
}

function baseUrlOf(c: ControlContext, id: string): string {
  return id === DEFAULT_WORLD ? c.env.origin : `${c.env.origin}/w/${id}`
}
