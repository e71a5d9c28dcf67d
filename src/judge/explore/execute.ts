import { toldZone, zonedText } from '../../core/model/calendar.ts'
import { must } from '../../core/model/must.ts'
import { isoInstant, parseInstant } from '../../core/model/time.ts'
import { BankBills, READS_TRANSFERS } from '../app/bank-bills.ts'
import { type AppRequest, hasOwnWork } from '../app/merchant-file.ts'
import { NeverQuiet } from '../app/restless.ts'
import { type AppFinding, ownFinding } from '../subject/outcome.ts'
import { AppRest, type AppRun } from './app-rest.ts'
import { type Choice, paymentOf, recordOf } from './choice.ts'
import type { Hands } from './choices/choice-record.ts'
import { justBefore } from './choices/day-choices.ts'
import { type DayStep, dayOf } from './day.ts'
import type { ScheduleLane } from './lane.ts'
import type { Stage } from './stage.ts'

/** An act that nobody answers while the app sleeps: it waits for a timer of its own, or for good. */
const ACT_PATIENCE_MS = 2_000
/** People act again when nothing more is to happen for so long. */
const LULL_US = 3_600_000_000
/** World time that goes on while an answer is held. */
const HELD_MOST_US = 60_000_000
/** How often time may be moved until nothing happens any more. */
const MOVES_MAX = 250
const TICK_STEPS = ['12m', '26h', '3d']

/**
 * Goes through the day as the choices have it, and leaves the app at rest. An app that never rests is a finding, but its
 * books are judged all the same. `acts`: how the app answered what was asked of it, in order. Throws `AppFailed`.
 */
export async function execute(stage: Stage, run: AppRun, acts: string[]): Promise<AppFinding[]> {
  try {
    await new Execution(stage, run, acts).day()
    return []
  } catch (error) {
    if (error instanceof NeverQuiet) return [ownFinding('never_quiet', error.message)]
    throw error
  }
}

interface ActRequest {
  request: AppRequest
  n: number
}

class Execution {
  readonly #run: AppRun
  readonly #stage: Stage
  readonly #lane: ScheduleLane
  readonly #acts: string[]
  readonly #uses = new Map<string, number>()
  readonly #acted = new Set<Choice>()
  readonly #rest: AppRest
  readonly #bills: BankBills
  #moves = 0

  readonly #hands: Hands = {
    restartApp: async (process) => {
      this.#lane.end('rest', process)
      await this.#rest.rest()
    },
    restartService: () => this.#stage.restartService(),
    act: (name) => this.#act(name),
    pass: (by) => this.#move({ by }),
    passUntil: async (end) => {
      const { now, timezone } = await this.#stage.control('GET', '/clock')
      await this.#move({ to: isoInstant(justBefore(end, must(parseInstant(now)), toldZone(timezone))) })
    },
    newestIn: () => this.#lane.payments.newestIn(),
    collect: async (way, body) => {
      await this.#stage.control('POST', '/collections/:way', { path: { way }, body })
      await this.#rest.rest()
    },
  }

  constructor(stage: Stage, run: AppRun, acts: string[]) {
    const { choices } = run
    const { lane, control } = stage
    this.#run = run
    this.#stage = stage
    this.#lane = lane
    this.#acts = acts
    this.#rest = new AppRest(stage, run)
    this.#bills = new BankBills({
      control,
      isRead: () => lane.requests.some(({ operation }) => operation === READS_TRANSFERS),
      transfers: (nth, bill) =>
        choices.map((one) => recordOf(one).transfers?.(one, nth, bill)).find((paid) => paid) ?? [bill],
    })
    lane.crash = (process) => this.#rest.crash(process)
  }

  async day(): Promise<void> {
    // An app that is told the time knows it before anybody does anything.
    await this.#tick()
    for (const [i, step] of dayOf(this.#run.merchant).entries()) {
      const now = this.#run.choices.filter((one) => 'step' in one && one.step === i + 1)
      for (const one of now) await this.#lane.choose(async () => recordOf(one).before?.(one, this.#hands))
      const [beside] = now.flatMap((one) => recordOf(one).beside?.(one) ?? [])
      await this.#step(step, beside)
    }
    await this.#rest.rest(this.#run.pace.beforeBooksMs)
  }

  async #step(step: DayStep, beside: string | undefined): Promise<void> {
    if (step === 'settle') return this.#settle()
    if (step === 'follow') {
      await this.#payBills()
      while (await this.#moveToDue(beside)) this.#tooMany()
      return
    }
    await this.#act(step.act, beside)
  }

  async #act(name: string, beside?: string): Promise<void> {
    const asked = [this.#use(name), this.#useOf(beside)]
    await this.#askApp(asked.filter((one) => one !== undefined))
  }

  #use(name: string): ActRequest | undefined {
    const { merchant } = this.#run
    const request = merchant.acts.find((one) => one.name === name)?.request
    if (!request) return undefined
    const n = (this.#uses.get(name) ?? 0) + 1
    this.#uses.set(name, n)
    this.#lane.happened.push({ what: 'act', name, n })
    this.#bills.owe(request, String(n))
    return { request, n }
  }

  #useOf(beside: string | undefined): ActRequest | undefined {
    const { tick } = this.#run.merchant
    if (beside === '') return tick && { request: tick, n: 1 }
    const used = beside === undefined ? undefined : this.#use(beside)
    if (used) this.#lane.chosen.add(must(this.#lane.happened.at(-1)))
    return used
  }

  async #tick(): Promise<void> {
    const { merchant } = this.#run
    if (!merchant.tick) return
    this.#lane.happened.push({ what: 'tick' })
    await this.#askApp([{ request: merchant.tick, n: 1 }])
  }

  /**
   * Sends requests, each when the app can do no more for those before; goes on without an answer where it waits for
   * something that does not come.
   */
  async #askApp(requests: readonly ActRequest[]): Promise<void> {
    const now = this.#now
    const sent: Promise<unknown>[] = []
    for (const one of requests) {
      if (sent.length > 0) await this.#rest.begun()
      sent.push(this.#send(one, now))
    }
    await this.#rest.until(Promise.all(sent), { patienceMs: ACT_PATIENCE_MS })
    await this.#rest.rest()
  }

  /** The caller's own result does not matter: the books tell what the app did. */
  #send({ request, n }: ActRequest, now: string): Promise<unknown> {
    return this.#rest.ask(request, { n: String(n), now }).then(
      ({ status }) => void this.#acts.push(`${request.path} ${status}`),
      () => {},
    )
  }

  async #settle(): Promise<void> {
    const { merchant } = this.#run
    const steps = hasOwnWork(merchant) ? TICK_STEPS : TICK_STEPS.slice(0, 1)
    let before: string | undefined
    for (let step = 0; step < steps.length; this.#tooMany()) {
      if (await this.#moveToDue()) {
        step = 0
        before = undefined
      } else {
        before ??= await this.#state()
        await this.#move({ by: must(steps[step]) })
        await this.#payBills()
        const after = await this.#state()
        step = after === before ? step + 1 : 0
        before = after
      }
    }
  }

  async #payBills(): Promise<void> {
    if (await this.#bills.pay()) await this.#rest.rest()
  }

  async #state(): Promise<string> {
    const { merchant, signal, restWithinMs } = this.#run
    this.#rest.stir()
    const books =
      merchant.books &&
      (await this.#stage.app
        .ask(merchant.books, {}, AbortSignal.any([signal, AbortSignal.timeout(restWithinMs)]))
        .catch(() => undefined))
    return `${this.#lane.payments.all.length} ${this.#lane.refused} ${books?.body.toString()}`
  }

  /** People act again who saw how a payment had ended; false where nobody does. */
  async #actAfterEnd(): Promise<boolean> {
    for (const one of this.#run.choices) {
      const act = recordOf(one).afterEnd?.(one)
      // In a lull, a payment that is there has ended.
      const isThere = this.#lane.payments.all.some(({ kind, nth }) => paymentOf(one) === `${kind} ${nth}`)
      if (act === undefined || this.#acted.has(one) || !isThere) continue
      this.#acted.add(one)
      await this.#lane.choose(() => this.#act(act))
      return true
    }
    return false
  }

  async #moveToDue(beside?: string): Promise<boolean> {
    const { timekeeper, core } = this.#stage.world
    const nextUs = timekeeper.nextDueUs()
    if (nextUs === undefined) return false
    const nowUs = core.clock.now()
    if (nextUs - nowUs > LULL_US && (await this.#actAfterEnd())) return true
    await this.#move({ to: isoInstant(Math.max(nextUs, nowUs)) }, { far: nextUs - nowUs > HELD_MOST_US, beside })
    return true
  }

  async #move(
    body: { by: string } | { to: string },
    { far = true, beside }: { far?: boolean; beside?: string | undefined } = {},
  ): Promise<void> {
    const { merchant } = this.#run
    const lane = this.#lane
    // No request hangs for longer than any app would wait.
    if (far && lane.letAllGo()) await this.#rest.rest()
    // Its timers live in the time of the world.
    if (merchant.follows) this.#rest.stir()
    // First, because what the app does then may begin before the answer is here.
    const time = { what: 'time' as const, now: '' }
    lane.happened.push(time)
    const moving = this.#stage.control('POST', '/clock/advance', { body })
    const besides = this.#useOf(beside)
    const working = besides && this.#send(besides, this.#now)
    // Deliveries may wait for an app that waits for its answer.
    await this.#rest.until(Promise.all([moving, working]), { patienceMs: 0, whenStuck: () => lane.letAllGo() })
    lane.letAllGo()
    const { now, timezone } = await moving
    time.now = zonedText(must(parseInstant(now)), toldZone(timezone))
    await this.#rest.rest()
    await this.#tick()
  }

  get #now(): string {
    return isoInstant(this.#stage.world.core.clock.now())
  }

  #tooMany(): void {
    if (this.#moves++ >= MOVES_MAX)
      throw new NeverQuiet(`Time was moved ${MOVES_MAX} times, and each time there was something new: it never ends.`)
  }
}
