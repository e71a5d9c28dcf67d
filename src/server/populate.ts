/** Makes a world with a past: months of payments, made by the real commands at their instants. */
import type { Command } from '../core/commands.ts'
import { inSteps } from '../core/host.ts'
import type { GivenParameters } from '../core/model/assumption.ts'
import { Chance } from '../core/model/chance.ts'
import { LANE } from '../core/model/due.ts'
import { moneyIn } from '../core/model/kind.ts'
import type { JsonObject, Organisation } from '../core/model/payment.ts'
import { Refusal } from '../core/model/refusal.ts'
import { textOf } from '../core/model/text.ts'
import type { InstantUs } from '../core/model/time.ts'
import { perform, takeDue } from '../core/perform.ts'
import type { World } from '../core/world.ts'
import type { Worlds } from '../core/worlds.ts'
import { brokenOff } from '../http/read-body.ts'
import type { Act, Collected, Opened, PaidSession, Profile } from '../service/parts.ts'
import { paymentsService } from '../service/service.ts'

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
  scenario?: string | undefined
  parameters?: GivenParameters | undefined
}

export interface PopulateProgress {
  done: number
  all: number
  /** World time. */
  nowUs: InstantUs
}

/**
 * Payments go through scenario, ledger and lifecycle as usual, but nobody gets callbacks, and the journal has no
 * requests, because there were none. Afterwards the clock runs as in a new world. Made aside, so that nobody sees an
 * incomplete world, and none is left when the process dies or the caller leaves.
 * @param signal aborted when the caller leaves
 */
export async function populate(
  worlds: Worlds,
  request: PopulateRequest,
  told: (progress: PopulateProgress) => void,
  signal: AbortSignal,
): Promise<World> {
  const { fromUs, untilUs, payments, seed, profile, scenario, parameters } = request
  // Requests that cannot be met are refused before anything is made.
  const later = scenario === undefined ? worlds.usualScenario(parameters) : worlds.parseScenario(scenario, parameters)
  worlds.requireNew(request.world)
  try {
    const steps = profile.past({ fromUs, untilUs, payments, chance: new Chance(seed) })
    const past = await inSteps(worlds.host, steps, signal)
    const clock = { mode: 'frozen', startUs: fromUs } as const
    return await worlds.createPopulated({ id: request.world, scenario: past.scenario, seed, clock }, async (world) => {
      await new Populating(world).run(past.acts, untilUs, told, signal)
      const { mode, rate } = later.clock
      await world.perform({ command: 'set-scenario', scenario: later.withSeed(seed) })
      await world.perform({ command: 'set-clock', mode, rate, nowUs: request.goesOnUs ?? worlds.host.wallUs() })
    })
  } catch (error) {
    throw signal.aborted ? brokenOff() : error
  }
}

class Populating {
  readonly #world: World
  readonly #organisation: Organisation
  readonly #opened = new WeakMap<JsonObject, string>()

  constructor(world: World) {
    this.#world = world
    this.#organisation = world.core.store.organisations.byId(1)
  }

  async run(acts: readonly Act[], untilUs: InstantUs, told: (progress: PopulateProgress) => void, signal: AbortSignal) {
    const { core, commit } = this.#world
    const all = acts.filter((act) => !('pays' in act)).length
    let [done, made] = [0, 0]
    for (let isOver = false; !isOver; ) {
      signal.throwIfAborted()
      await commit.submitParts(() => {
        for (let left = BATCH; left > 0 && !isOver; ) {
          const act = acts[done]
          const steps = this.#takeNext(act?.atUs ?? untilUs, left)
          left -= Math.max(1, steps)
          if (steps > 0) continue
          isOver = !act
          if (act) this.#act(act)
          if (act && !('pays' in act)) made++
          done++
        }
      })
      told({ done: made, all, nowUs: core.clock.now() })
    }
    core.clock.resume(untilUs)
  }

  #takeNext(byUs: InstantUs, most: number): number {
    const { core, commit } = this.#world
    const nextUs = core.store.agenda.earliest(LANE.steps) ?? Number.POSITIVE_INFINITY
    if (nextUs > byUs) return 0
    core.clock.pause(Math.max(nextUs, core.clock.now()))
    return takeDue(core, commit, nextUs, most)
  }

  #act(act: Act): void {
    const { core, commit } = this.#world
    core.clock.pause(act.atUs)
    const outcome = commit.attempt(() => ('pays' in act ? this.#pay(act) : this.#open(act)))
    // Refused by the scenario, for one: that happens to businesses, too.
    if (!outcome.ok && !(outcome.error instanceof Refusal)) throw outcome.error
  }

  #open(act: Opened | Collected): void {
    const { payment } = perform(this.#world.core, this.#opening(act))
    if ('request' in act) this.#opened.set(act.request, payment.uuid)
  }

  #pay({ pays, method, phone, card }: PaidSession): void {
    const uuid = this.#opened.get(pays)
    // It was refused.
    if (uuid === undefined) return
    perform(this.#world.core, {
      command: 'pay-session',
      uuid,
      by: 'payer',
      method,
      ...(phone !== undefined && { phone }),
      ...(card && { card: { ...card, outcome: 'approved' } }),
    })
  }

  #opening(act: Opened | Collected): Command<'open-payment'> {
    const { core } = this.#world
    const organisationId = this.#organisation.id
    if ('way' in act) {
      const collection = paymentsService.collections.find(({ way }) => way === act.way)
      if (!collection) throw new Error(`no customer pays by ${act.way}`)
      const asked = collection.asked(core, collection.given.parse(act.given), this.#organisation)
      return { command: 'open-payment', by: 'operator', kind: collection.kind, organisationId, ...asked }
    }
    const { request } = act
    const kind = paymentsService.kinds.of(act.kind)
    const referenceId = textOf(request['referenceId'] ?? request['externalReference'])
    return { command: 'open-payment', kind: kind.name, organisationId, ...moneyIn(kind, request), request, referenceId }
  }
}
