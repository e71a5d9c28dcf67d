/** Lists worlds of the server. */

import { errorOf } from '../../../core/model/must.ts'
import { isoInstant } from '../../../core/model/time.ts'
import { DEFAULT_WORLD } from '../../../core/model/world-name.ts'
import type { ControlContext } from '../control-context.ts'

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
  }
}

type WorldSummary = Awaited<ReturnType<typeof worldSummary>>
/** A world that cannot be read has `problem` instead of the other fields. */
type ListedWorld = Pick<WorldSummary, 'id' | 'baseUrl'> & Partial<WorldSummary> & { problem?: string }

export async function listWorlds(c: ControlContext, of?: readonly string[]): Promise<ListedWorld[]> {
  const ids = of ?? (await c.env.server.ids())
  return Promise.all(ids.map((id) => listed(c, id)))
}

/** An unreadable world, for example of a newer mfano, must not hide the others. */
async function listed(c: ControlContext, id: string): Promise<ListedWorld> {
  try {
    return await worldSummary(c, id)
  } catch (error) {
    return { id, baseUrl: baseUrlOf(c, id), problem: errorOf(error).message }
  }
}

function baseUrlOf(c: ControlContext, id: string): string {
  return id === DEFAULT_WORLD ? c.env.origin : `${c.env.origin}/w/${id}`
}
