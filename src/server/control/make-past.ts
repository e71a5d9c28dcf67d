import type { Core } from '../../core/core.ts'
import { inSteps } from '../../core/host.ts'
import { Chance } from '../../core/model/chance.ts'
import { LANE } from '../../core/model/due.ts'
import { moneyIn } from '../../core/model/kind.ts'
import { must } from '../../core/model/must.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { textOf } from '../../core/model/text.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { Command } from '../../core/perform.ts'
import { perform, takeDue } from '../../core/perform.ts'
import type { Scenario } from '../../core/scenario.ts'
import type { World } from '../../core/world.ts'
import type { Worlds } from '../../core/worlds.ts'
import { brokenOff } from '../../http/read-body.ts'
import type { Act, Profile } from '../../service/parts.ts'
import { paymentsService } from '../../service/service.ts'
import { openCollectionCommand } from './payments.ts'

/** Acts and steps per commit, so that other worlds' requests are served in between. */
const BATCH = 500

export interface PopulateRequest {
  world: string
  profile: Profile
  fromUs: InstantUs
  untilUs: InstantUs
  /** By default the present, once the past is made. */
  goesOnUs: InstantUs | undefined
  payments: number
  seed: number
  /** In force from then on. */
  later: Scenario
}

/**
 * Payments go through scenario, ledger and lifecycle as usual, but nobody gets callbacks, and the journal has no
 * requests, because there were none. Afterwards the clock runs as in a new world. Made aside, so that nobody sees an
 * incomplete world, and none is left when the process dies or the caller leaves.
 * @param signal aborted when the caller leaves
 */
export async function populate(worlds: Worlds, request: PopulateRequest, signal: AbortSignal): Promise<World> {
  const { fromUs, untilUs, payments, seed, profile, later } = request
  // A request that cannot be met is refused before anything is made.
  worlds.requireNew(request.world)
  try {
    const steps = profile.past({ fromUs, untilUs, payments, chance: new Chance(seed) })
    const past = await inSteps(worlds.host, steps, signal)
    const clock = { mode: 'frozen', startUs: fromUs } as const
    return await worlds.createPopulated({ id: request.world, scenario: past.scenario, seed, clock }, async (world) => {
      await run(world, past.acts, untilUs, signal)
      const { mode, rate } = later.clock
      await world.perform({ command: 'set-scenario', scenario: later.withSeed(seed) })
      await world.perform({ command: 'set-clock', mode, rate, nowUs: request.goesOnUs ?? worlds.host.wallUs() })
    })
  } catch (error) {
    throw signal.aborted ? brokenOff() : error
  }
}

async function run({ core, commit }: World, acts: readonly Act[], untilUs: InstantUs, signal: AbortSignal) {
  let done = 0
  for (let isOver = false; !isOver; ) {
    signal.throwIfAborted()
    await commit.submit(() => {
      for (let left = BATCH; left > 0 && !isOver; ) {
        const act = acts[done]
        const dueUs = core.store.agenda.earliest(LANE.steps)
        if (dueUs <= (act?.atUs ?? untilUs)) {
          core.clock.pause(Math.max(dueUs, core.clock.now()))
          left -= takeDue(core, dueUs, left)
          continue
        }
        left--
        isOver = !act
        if (!act) continue
        done++
        core.clock.pause(act.atUs)
        const outcome = commit.attempt(() => perform(core, opening(core, act)))
        // A refusal, such as one of the scenario, is no failure: it happens to businesses, too.
        if (!outcome.ok && !(outcome.error instanceof Refusal)) throw outcome.error
      }
    })
  }
  core.clock.resume(untilUs)
}

function opening(core: Core, act: Act): Command<'open-payment'> {
  const organisation = core.store.organisations.byId(1)
  if ('way' in act) {
    const collection = must(paymentsService.collections.find(({ way }) => way === act.way))
    return openCollectionCommand(core, collection, organisation, collection.given.parse(act.given))
  }
  const { kind, request } = act
  const referenceId = textOf(request['referenceId'] ?? request['externalReference'])
  const money = moneyIn(paymentsService.kinds.of(kind), request)
  return { command: 'open-payment', organisationId: organisation.id, kind, ...money, request, referenceId }
}
