/** Makes a world that has a past: months of payments, made by the real commands at the instants at which they would have been. */
import type { Command } from '../core/commands.ts'
import { inSteps } from '../core/host.ts'
import { textOf } from '../core/model/as-text.ts'
import { Chance } from '../core/model/chance.ts'
import { LANE } from '../core/model/due.ts'
import type { GivenParameters } from '../core/model/given-parameters.ts'
import { moneyIn } from '../core/model/kind.ts'
import type { Organisation } from '../core/model/payment.ts'
import { Refusal } from '../core/model/refusal.ts'
import type { InstantUs } from '../core/model/time.ts'
import { perform } from '../core/perform.ts'
import { takeDue } from '../core/take-due.ts'
import type { World } from '../core/world.ts'
import type { Worlds } from '../core/worlds.ts'
import { brokenOff } from '../http/read-body.ts'
import type { Act, Asked, Profile, ServedService } from '../service/parts.ts'

/** Acts in one commit, so that requests to other worlds are served in between. */
const BATCH = 250
const STEPS_BATCH = 500

/** What somebody wants. */
export interface PopulateRequest {
  /** The id of the new world. */
  world: string
  profile: Profile
  fromUs: InstantUs
  untilUs: InstantUs
  /** When the world goes on after it. */
  goesOnUs: InstantUs
  payments: number
  seed: number
  /** The scenario that the world has from then on; the usual one when left out. */
  scenario?: string | undefined
  parameters?: GivenParameters | undefined
}

/** How far it is. */
export interface Progress {
  done: number
  all: number
  /** Where the world's clock stands. */
  nowUs: InstantUs
}

/** A payment of a customer who is on the page, and pays when this is due. */
interface Paying {
  atUs: InstantUs
  command: Command<'pay-session'>
}

/**
 * Makes the world. Its payments go through the scenario, the ledger and the lifecycle as any others do; only nobody is
 * told of them, and no requests are in the journal, because there were none. Then its clock goes on at
 * the pace and under the scenario that a new world has. It is made aside: nobody sees it before it is whole, and none is
 * left where the process dies, or where nobody waits for it any more.
 * @param signal aborted when whoever asked is gone
 */
export async function populate(
  worlds: Worlds,
  service: ServedService,
  request: PopulateRequest,
  told: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<World> {
  const { fromUs, untilUs, payments, seed, profile, scenario, parameters } = request
  // What cannot be had is refused before anything is made.
  const later = scenario === undefined ? worlds.usualScenario(parameters) : worlds.parseScenario(scenario, parameters)
  worlds.requireNew(request.world)
  try {
    const steps = profile.past({ fromUs, untilUs, payments, chance: new Chance(seed) })
    const past = await inSteps(worlds.host, steps, signal)
    const clock = { mode: 'frozen', startUs: fromUs } as const
    return await worlds.createAside({ id: request.world, scenario: past.scenario, seed, clock }, async (world) => {
      await new Populating(world, service, told, signal).run(past.acts, untilUs)
      const { mode, rate } = later.clock
      await world.perform({ command: 'set-scenario', scenario: later.withSeed(seed) })
      await world.perform({ command: 'set-clock', mode, rate, nowUs: request.goesOnUs })
    })
  } catch (error) {
    throw signal.aborted ? brokenOff() : error
  }
}

/** Acts on a world whose clock stands, from instant to instant. */
class Populating {
  readonly #world: World
  readonly #service: ServedService
  readonly #told: (progress: Progress) => void
  readonly #signal: AbortSignal
  readonly #organisation: Organisation
  /** In the order of time. */
  readonly #paying: Paying[] = []

  constructor(world: World, service: ServedService, told: (progress: Progress) => void, signal: AbortSignal) {
    this.#signal = signal
    this.#world = world
    this.#service = service
    this.#told = told
    this.#organisation = world.core.store.organisations.byId(1)
  }

  async run(acts: readonly Act[], untilUs: InstantUs): Promise<void> {
    const { core, commit } = this.#world
    for (let done = 0; done < acts.length; ) {
      this.#signal.throwIfAborted()
      await commit.submitParts(() => {
        const batch = acts.slice(done, done + BATCH)
        for (let steps = 0; steps < STEPS_BATCH && batch.length > 0; ) {
          const { atUs } = batch[0] as Act
          steps += this.#take(atUs, STEPS_BATCH - steps)
          // More is due before it than one commit takes.
          if (this.#nextUs() <= atUs) return
          this.#act(batch.shift() as Act)
          done++
        }
      })
      this.#told({ done, all: acts.length, nowUs: core.clock.now() })
    }
    while (this.#nextUs() <= untilUs) {
      this.#signal.throwIfAborted()
      await commit.submitParts(() => this.#take(untilUs, STEPS_BATCH))
    }
    core.clock.resume(untilUs)
  }

  #act(act: Act): void {
    const { core, commit } = this.#world
    core.clock.pause(act.atUs)
    const outcome = commit.attempt(() => perform(core, this.#opening(act)))
    if (!outcome.ok) {
      // Refused by the scenario, for one: that happens to businesses, too.
      if (outcome.error instanceof Refusal) return
      throw outcome.error
    }
    if ('paid' in act && act.paid) this.#willPay(act, outcome.value.payment.uuid)
  }

  #opening(act: Act): Command<'open-payment'> {
    const { core } = this.#world
    const organisationId = this.#organisation.id
    if ('way' in act) {
      const collection = this.#service.collections.find(({ way }) => way === act.way)
      if (!collection) throw new Error(`no customer pays by ${act.way}`)
      const asked = collection.asked(core, collection.given.parse(act.given), this.#organisation)
      return { command: 'open-payment', by: 'operator', kind: collection.kind, organisationId, ...asked }
    }
    const kind = this.#service.kinds.of(act.kind)
    const referenceId = textOf(act.request['referenceId'])
    return {
      command: 'open-payment',
      kind: kind.name,
      organisationId,
      ...moneyIn(kind, act.request),
      request: act.request,
      referenceId,
    }
  }

  #willPay({ atUs, paid }: Asked, uuid: string): void {
    if (!paid) return
    const { afterUs, method, phone, card } = paid
    const command: Command<'pay-session'> = {
      command: 'pay-session',
      uuid,
      by: 'payer',
      method,
      ...(phone !== undefined && { phone }),
      ...(card && { card: { ...card, outcome: 'approved' } }),
    }
    const due = atUs + afterUs
    const at = this.#paying.findLastIndex((other) => other.atUs <= due)
    this.#paying.splice(at + 1, 0, { atUs: due, command })
  }

  /** When something is due next. */
  #nextUs(): InstantUs {
    const step = this.#world.core.store.agenda.earliest(LANE.steps) ?? Number.POSITIVE_INFINITY
    return Math.min(step, this.#paying[0]?.atUs ?? Number.POSITIVE_INFINITY)
  }

  /** What is due by an instant happens, each at its own; gives how much that was. */
  #take(byUs: InstantUs, most: number): number {
    const { core, commit } = this.#world
    let taken = 0
    while (taken < most) {
      const next = this.#nextUs()
      if (next > byUs) break
      core.clock.pause(Math.max(next, core.clock.now()))
      const paying = this.#paying[0]
      if (paying && paying.atUs <= next) {
        this.#paying.shift()
        const outcome = commit.attempt(() => perform(core, paying.command))
        if (!outcome.ok && !(outcome.error instanceof Refusal)) throw outcome.error
        taken++
      } else taken += takeDue(core, commit, next, most - taken)
    }
    return taken
  }
}
