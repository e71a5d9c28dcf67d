/** Probes a service for each assumption. All limits are enforced here, so that no probe can exceed them. */
import { must } from '../../core/model/must.ts'
import {
  type Awaited,
  type ByHand,
  type Need,
  type ProbeRequest,
  type ProbeWay,
  type SeenAnswer,
  type StepAction,
  type Tier,
  Untold,
} from '../../service/probes.ts'
import { isRead, needed, whyNotSent } from './allowed.ts'
import { inAskingOrder } from './order.ts'
import { probeOf } from './probe-of.ts'
import { type LineOptions, ServiceLine, Unanswered } from './service-line.ts'
import { type Calibrated, type CalibrationReport, type KeptExchange, Stopped } from './verdict.ts'
import { MoveWatch } from './watch-moves.ts'

export interface Receiver {
  awaited(awaited: Awaited): Promise<readonly object[]>
}

export interface CalibrateOptions extends Omit<LineOptions, 'sent'> {
  questions: Readonly<Record<string, { question: string; alternatives: readonly string[] }>>
  allow: ReadonlySet<Tier>
  payments: number
  /** In real milliseconds. A longer pause is skipped. */
  longestWaitMs: number
  known: readonly Calibrated[]
  twice: boolean
  receiver?: Receiver | undefined
  wait(ms: number): Promise<void>
  byHand?: ((act: ByHand) => Promise<void>) | undefined
  asking(assumption: string, question: string): void
  answered(answer: Calibrated): void
  sent?: LineOptions['sent']
}

const TIERS_OF_PAYMENTS: readonly Tier[] = ['payment', 'receiver', 'human']

export async function runCalibration(options: CalibrateOptions): Promise<CalibrationReport> {
  return new Calibrator(options).report()
}

type Told = Pick<Calibrated, 'verdict' | 'alternative' | 'excluded' | 'why' | 'tier' | 'evidence'>

class Calibrator {
  readonly #options: CalibrateOptions
  readonly #line: ServiceLine
  readonly #watch: MoveWatch
  readonly #answers = new Map<string, Calibrated>()
  #seen = new Map<string, SeenAnswer>()
  #payments = 0
  #accepted = 0

  constructor(options: CalibrateOptions) {
    this.#options = options
    this.#line = new ServiceLine({ ...options, sent: options.sent ?? (() => {}) })
    const { account } = options
    this.#watch = new MoveWatch({
      account,
      ask: (request) => this.#line.ask(request),
      kept: (seen) => this.#line.kept(seen),
    })
  }

  async report(): Promise<CalibrationReport> {
    const { baseUrl, nowMs, known, questions } = this.#options
    const startedAt = new Date(nowMs()).toISOString()
    for (const answer of known) if (answer.assumption in questions) this.#answers.set(answer.assumption, answer)
    let stopped: CalibrationReport['stopped'] = null
    const order = inAskingOrder(Object.keys(questions))
    try {
      for (const id of order) if (!this.#answers.has(id)) await this.#ask(id)
      if (this.#options.twice) await this.#askAgain()
    } catch (error) {
      stopped = this.#stopped(error)
    }
    for (const id of order)
      if (!this.#answers.has(id)) this.#note(id, notAsked(stopped?.why ?? 'it was stopped before'))
    const answers = order.map((id) => must(this.#answers.get(id)))
    const counts = { requests: this.#line.spent, payments: this.#payments, accepted: this.#accepted }
    return { baseUrl, startedAt, ...counts, answers, stopped }
  }

  #stopped(error: unknown): NonNullable<CalibrationReport['stopped']> {
    if (error instanceof Stopped) return { code: error.code, why: error.message, evidence: [...error.evidence] }
    if (this.#options.signal.aborted) return { code: 'interrupted', why: 'it was interrupted', evidence: [] }
    throw error
  }

  /** Tries the cheapest way first. If no allowed way decides, the last one's reason is reported. */
  async #ask(id: string): Promise<void> {
    const probe = must(probeOf(id))
    const { question = '' } = this.#options.questions[id] ?? {}
    if (!('ways' in probe)) return this.#note(id, notAsked(probe.unaskable))
    this.#options.asking(id, question)
    let last: Told | undefined
    for (const way of probe.ways) {
      const hindrance = this.#hindranceOf(way)
      if (hindrance !== undefined) {
        last = last ? { ...last, why: `${last.why}, and ${hindrance} would tell` } : notAsked(hindrance)
        continue
      }
      const told = await this.#go(way)
      const excluded = [...new Set([...(last?.excluded ?? []), ...told.excluded])]
      last = { ...told, excluded }
      if (told.verdict !== 'untold') break
    }
    this.#note(id, must(last))
  }

  /** A second opinion ignores earlier answers. */
  async #go(way: ProbeWay): Promise<Told> {
    const seen: SeenAnswer[] = []
    const told = (part: Partial<Told>): Told => ({
      verdict: 'untold',
      alternative: null,
      excluded: [],
      why: null,
      tier: way.tier,
      evidence: seen.filter(({ status }) => status > 0).map((one) => this.#line.kept(one)),
      ...part,
    })
    try {
      const reason = await this.#walk(way, seen)
      const value = reason ?? way.tells(seen, this.#options.account)
      if (value instanceof Untold) return told({ why: value.why, excluded: [...value.excluded] })
      if (value === undefined) return told({ verdict: 'none-of-ours', why: 'no alternative describes the last answer' })
      return told({ verdict: 'holds', alternative: value })
    } catch (error) {
      if (error instanceof Unanswered) return told({ why: error.message })
      throw error
    }
  }

  async #walk({ steps, tier }: ProbeWay, seen: SeenAnswer[]): Promise<Untold | undefined> {
    const owed: ProbeRequest[] = []
    const all = steps(this.#options.account)
    try {
      for (const [at, step] of all.entries()) {
        const action = typeof step === 'function' ? step(seen) : step
        if (action instanceof Untold) return action
        if (action === undefined) continue
        const waits = this.#whyNotWaited(action)
        if (waits) return waits
        seen.push(await this.#act(action, tier))
        owed.splice(0)
        for (const later of all.slice(at + 1)) {
          const restoring = typeof later === 'function' ? later(seen) : later
          if (restoring && 'restores' in restoring && restoring.restores) owed.push(restoring)
        }
      }
      owed.splice(0)
      return undefined
    } finally {
      for (const request of owed) await this.#line.putBack(request).catch(() => {})
    }
  }

  async #act(action: StepAction, tier: Tier): Promise<SeenAnswer> {
    if ('waitMs' in action) {
      await this.#options.wait(action.waitMs)
      return nothing()
    }
    if ('byHand' in action) {
      await this.#options.byHand?.(action)
      return nothing()
    }
    if ('callbacksAt' in action) return { ...nothing(), body: await this.#options.receiver?.awaited(action) }
    return this.#request(action, tier)
  }

  /** An answered request is not sent again unless its repetition is tested. */
  async #request(request: ProbeRequest, tier: Tier): Promise<SeenAnswer> {
    const key = keyOf(request)
    const known = this.#seen.get(key)
    if (known) return known
    const why = whyNotSent(request, tier)
    if (why !== undefined) throw new Error(`a probe asked for what may not be sent: ${why}`)
    const seen = isRead(request) ? await this.#line.ask(request) : await this.#watched(request, tier)
    this.#seen.set(key, seen)
    return seen
  }

  async #watched(request: ProbeRequest, tier: Tier): Promise<SeenAnswer> {
    const isPayment = request.doom === undefined && TIERS_OF_PAYMENTS.includes(tier) && !request.logsIn
    if (isPayment && this.#payments >= this.#options.payments)
      throw new Unanswered(`${this.#payments} payments were made, as many as were allowed: --most`)
    if (tier !== 'free') this.#watch.forget()
    await this.#watch.before(request)
    const seen = await this.#line.ask(request)
    const isAccepted = seen.status >= 200 && seen.status < 400
    if (isPayment && isAccepted) this.#payments++
    if (request.doom !== undefined && isAccepted) {
      this.#accepted++
      throw new Stopped(
        'accepted',
        `${request.method} ${request.path} was certain to be refused (${request.doom}), and was answered ${seen.status}`,
        [this.#line.kept(seen)],
      )
    }
    await this.#watch.after(request, seen, request.doom === undefined)
    return seen
  }

  #hindranceOf({ tier, needs = [] }: ProbeWay): string | undefined {
    const { allow } = this.#options
    const lacking = needs.filter((need) => !this.#has(need)).map((need) => needed[need])
    const parts = [...(allow.has(tier) ? [] : [`--allow ${tier}`]), ...lacking]
    if (tier === 'human' && !this.#options.byHand) parts.push('a terminal')
    return parts.length > 0 ? parts.join(' with ') : undefined
  }

  #has(need: Need): boolean {
    const { account, keys, receiver } = this.#options
    const hasPhone = (prefix: string) => account.to.some((phone) => phone.startsWith(prefix))
    const has: Readonly<Record<Need, boolean>> = {
      receiver: receiver !== undefined && account.receiver !== undefined,
      'phone-ke': hasPhone('254'),
      'phone-tz': hasPhone('255'),
      till: account.tillNumber !== undefined,
      'bank-account': account.bankAccount !== undefined,
      'sub-account': keys['sub-account'] !== undefined,
    }
    return has[need]
  }

  #whyNotWaited(action: StepAction): Untold | undefined {
    const { longestWaitMs } = this.#options
    const ms = 'waitMs' in action ? action.waitMs : 0
    if (ms <= longestWaitMs) return undefined
    const minutes = Math.ceil(ms / 60_000)
    return new Untold(`it would have to be waited for ${minutes} minutes: --wait ${minutes}m`)
  }

  /** Repeats probes with surprising answers while the budget lasts. Two different answers count as unstable. */
  async #askAgain(): Promise<void> {
    this.#seen = new Map()
    for (const [id, answer] of this.#answers) {
      const [byDefault] = this.#options.questions[id]?.alternatives ?? []
      const isSurprise =
        answer.verdict === 'none-of-ours' || (answer.verdict === 'holds' && answer.alternative !== byDefault)
      if (!isSurprise || answer.tier !== 'free' || this.#options.known.includes(answer)) continue
      const probe = must(probeOf(id))
      const way = 'ways' in probe ? probe.ways.find(({ tier }) => tier === 'free') : undefined
      if (!way || this.#line.left < 2 * way.steps(this.#options.account).length + 4) continue
      const again = await this.#go(way)
      if (again.verdict === answer.verdict && again.alternative === answer.alternative) continue
      const why = `asked twice, the service answered as ${worded(answer)} and as ${worded(again)}`
      const evidence: KeptExchange[] = [...answer.evidence, ...again.evidence]
      this.#note(id, { ...again, verdict: 'unstable', alternative: null, why, evidence })
    }
  }

  #note(id: string, told: Told): void {
    const { questions, nowMs, answered } = this.#options
    const { question = '', alternatives = [] } = questions[id] ?? {}
    const excluded = told.alternative === null ? told.excluded : alternatives.filter((one) => one !== told.alternative)
    const on = new Date(nowMs()).toISOString().slice(0, 10)
    const answer: Calibrated = { assumption: id, question, ...told, excluded, on }
    this.#answers.set(id, answer)
    answered(answer)
  }
}

function worded({ verdict, alternative, why }: Pick<Told, 'verdict' | 'alternative' | 'why'>): string {
  return alternative ?? why ?? verdict
}

function notAsked(why: string): Told {
  return { verdict: 'not-asked', alternative: null, excluded: [], why, tier: null, evidence: [] }
}

function nothing(): SeenAnswer {
  return { request: { method: '', path: '' }, status: 0, headers: {}, text: '', body: undefined }
}

function keyOf({ body, ...request }: ProbeRequest): string {
  const bytes = body instanceof Uint8Array ? `${body.length} ${body.slice(0, 400)}` : JSON.stringify(body)
  return JSON.stringify([
    request.method,
    request.path,
    request.asker,
    request.headers,
    request.type,
    request.repeats,
    bytes,
  ])
}
