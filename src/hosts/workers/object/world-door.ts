/** Questions between the objects of two worlds, and their answers. */

import { inSteps } from '../../../core/host.ts'
import { errorOf, must } from '../../../core/model/must.ts'
import { type Problem, ScenarioError } from '../../../core/model/problems.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import type { ForkRequest, WorldRequest } from '../../../core/new-world.ts'
import { unpackWorld } from '../../../core/world-image.ts'
import type { Worlds } from '../../../core/worlds.ts'
import type { PopulateRequest } from '../../../server/populate.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Counts, type FigureSource, lagOf } from '../../node/metrics/figures.ts'

/** Every question that another object may ask. Files travel as bytes, of which a call takes 32 MB. */
export function worldDoor(id: string, worlds: Worlds, counts: Counts) {
  return {
    /** Since the object came to life. */
    figures: (): FigureSource => ({
      labels: { world: id },
      counts: JSON.parse(JSON.stringify(counts)),
      lagS: lagOf(worlds.open),
    }),
    has: () => worlds.has(id),
    describe: () => worlds.describe(id),
    create: (request: WorldRequest) => {
      worlds.create({ ...request, id })
    },
    goOn: async (change: Omit<ForkRequest, 'from' | 'id'>, file: Uint8Array) => {
      await worlds.goOn({ ...change, id }, await unpackWorld(file))
    },
    file: () => worlds.file(id),
    putFile: async (file: Uint8Array) => {
      await worlds.putFile(id, file)
    },
    populate: async ({ profile, ...request }: Omit<PopulateRequest, 'profile'> & { profile: string }) => {
      const [{ populate }, profiles] = await Promise.all([
        import('../../../server/populate.ts'),
        paymentsService.profiles(),
      ])
      const found = must(profiles.find(({ name }) => name === profile))
      const { core, host } = await populate(
        worlds,
        { ...request, world: id, profile: found },
        () => {},
        new AbortController().signal,
      )
      return inSteps(host, core.store.payments.countingByStatus())
    },
    remove: () => {
      worlds.remove(id)
      return worlds.snapshots.names().length > 0
    },
    snapshots: () => worlds.snapshots.list(),
    snapshot: (name: string) => worlds.snapshots.get(id, name),
    snapshotFile: (name: string) => worlds.snapshots.file(id, name),
    removeSnapshot: (name: string) => {
      worlds.snapshots.remove(id, name)
      return worlds.has(id) || worlds.snapshots.names().length > 0
    },
  }
}
export type WorldDoor = ReturnType<typeof worldDoor>
export type Question = keyof WorldDoor

/** As data, because a call passes only the message of an error. */
export type Reply =
  | { value: unknown }
  | { refused: Pick<Refusal, 'code' | 'details' | 'status' | 'message'> }
  | { problems: Problem[] }
  | { failed: string }

export async function reply(door: WorldDoor, question: Question, given: readonly unknown[]): Promise<Reply> {
  try {
    const answer = door[question] as (...given: readonly unknown[]) => unknown
    return { value: await answer(...given) }
  } catch (error) {
    if (error instanceof ScenarioError) return { problems: error.problems }
    if (!(error instanceof Refusal)) return { failed: errorOf(error).message }
    const { code, details, status, message } = error
    return { refused: { code, details, status, message } }
  }
}

export function replyValue(answer: Reply): unknown {
  if ('value' in answer) return answer.value
  if ('problems' in answer) throw new ScenarioError(answer.problems)
  if ('failed' in answer) throw new Error(answer.failed)
  const { code, details, ...rest } = answer.refused
  throw Refusal.named(code, details, rest)
}
