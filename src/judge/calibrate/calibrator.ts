/** Probes a service for each assumption. All limits are enforced here, so that no probe can exceed them. */
import { isLoopback } from '../../core/model/callback.ts'
import { must } from '../../core/model/must.ts'
import {
  type Awaited,
  actionOf,
  endedBy,
  Inconclusive,
  type Need,
  needsOf,
  type ProbeRequest,
  type ProbeWay,
  type SeenAnswer,
  type StepAction,
  type Tier,
  tiers,
  toldBy,
  waysOf,
} from '../../service/probe.ts'
import { probes } from '../../service/probes.ts'
import { type LineOptions, ServiceLine } from './service-line.ts'
import { type Calibrated, type CalibrationReport, type KeptExchange, Stopped } from './verdict.ts'

export interface Receiver {
  awaited(awaited: Awaited): Promise<readonly object[]>
}

export interface CalibrateOptions extends LineOptions {
  questions: Readonly<Record<string, { question: string; alternatives: readonly string[] }>>
  allow: ReadonlySet<Tier>
  payments: number
  longestWaitMs: number
  twice: boolean
  receiver?: Receiver | undefined
  answered(answer: Calibrated): void
}

const TIERS_OF_PAYMENTS: readonly Tier[] = ['payment', 'receiver']

export async function runCalibration(options: CalibrateOptions): Promise<CalibrationReport> {
  return new Calibrator(options).report()
}

type ProbeOutcome = Pick<Calibrated, 'verdict' | 'alternative' | 'excluded' | 'why' | 'tier' | 'evidence'>

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
    this.#line = new ServiceLine(options)
    this.#watch = new MoveWatch(this.#line, options.account.companyId)
  }

  async report(): Promise<CalibrationReport> {
    const { baseUrl, nowMs, questions } = this.#options
    const startedAt = new Date(nowMs()).toISOString()
    let stopped: CalibrationReport['stopped'] = null
    const order = inAskingOrder(Object.keys(questions))
    try {
      for (const id of order) await this.#ask(id)
      if (this.#options.twice) await this.#askAgain()
    } catch (error) {
      if (error instanceof Stopped) stopped = error.end
      else if (this.#options.signal.aborted) stopped = { code: 'interrupted', why: 'it was interrupted', evidence: [] }
      else throw error
    }
    for (const id of order)
      if (!this.#answers.has(id)) this.#note(id, notAsked(stopped?.why ?? 'it was stopped before'))
    const answers = order.map((id) => must(this.#answers.get(id)))
    const counts = { requests: this.#line.spent, payments: this.#payments, accepted: this.#accepted }
    return { baseUrl, startedAt, ...counts, answers, stopped }
  }

  /** Tries the cheapest way first. If no allowed way decides, the last one's reason is reported. */
  async #ask(id: string): Promise<void> {
    const probe = must(probeOf(id))
    if ('unaskable' in probe) return this.#note(id, notAsked(probe.unaskable))
    let last: ProbeOutcome | undefined
    for (const way of waysOf(probe)) {
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

  async #go(way: ProbeWay): Promise<ProbeOutcome> {
    const seen: SeenAnswer[] = []
    const value = await this.#walk(way, seen).catch((error) => {
      if (error instanceof Inconclusive) return error
      throw error
    })
    const evidence = seen.filter(({ status }) => status > 0).map((one) => this.#line.kept(one))
    const told: ProbeOutcome = { ...notAsked(null), verdict: 'untold', tier: way.tier, evidence }
    if (value instanceof Inconclusive) return { ...told, why: value.why, excluded: [...value.excluded] }
    if (value === undefined)
      return { ...told, verdict: 'none-of-ours', why: 'no alternative describes the last answer' }
    return { ...told, verdict: 'holds', alternative: value }
  }

  async #walk(way: ProbeWay, seen: SeenAnswer[]): Promise<Inconclusive | string | undefined> {
    const { account } = this.#options
    const owed: ProbeRequest[] = []
    try {
      for (const [at, step] of way.steps.entries()) {
        const action = actionOf(step, seen, account)
        if (action === undefined) continue
        if (action instanceof Inconclusive) return action
        const waits = this.#whyNotWaited(action)
        if (waits) return waits
        const answer = await this.#act(action, way.tier)
        seen.push(answer)
        owed.splice(0)
        for (const later of way.steps.slice(at + 1)) {
          const restoring = actionOf(later, seen, account)
          if (restoring && 'restores' in restoring) owed.push(restoring)
        }
        const ended = endedBy(action, answer)
        if (ended) return ended
      }
      owed.splice(0)
      return toldBy(way, seen, account)
    } finally {
      for (const request of owed) await this.#line.putBack(request).catch(() => {})
    }
  }

  async #act(action: StepAction, tier: Tier): Promise<SeenAnswer> {
    if ('waitMs' in action) {
      await this.#options.pause(action.waitMs)
      this.#options.signal.throwIfAborted()
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
      throw new Inconclusive(`${this.#payments} payments were made, as many as were allowed: --most`)
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

  #hindranceOf(way: ProbeWay): string | undefined {
    const { allow } = this.#options
    const lacking = needsOf(way)
      .filter((need) => !needed[need].has(this.#options))
      .map((need) => needed[need].flag)
    const parts = [...(allow.has(way.tier) ? [] : [`--allow ${way.tier}`]), ...lacking]
    return parts.length > 0 ? parts.join(' with ') : undefined
  }

  #whyNotWaited(action: StepAction): Inconclusive | undefined {
    const { longestWaitMs } = this.#options
    const ms = 'waitMs' in action ? action.waitMs : 0
    if (ms <= longestWaitMs) return undefined
    const minutes = Math.ceil(ms / 60_000)
    return new Inconclusive(`it would have to be waited for ${minutes} minutes: --wait ${minutes}m`)
  }

  /** Repeats probes with surprising answers while the budget lasts. Two different answers count as unstable. */
  async #askAgain(): Promise<void> {
    this.#seen = new Map()
    for (const [id, answer] of this.#answers) {
      const [byDefault] = this.#options.questions[id]?.alternatives ?? []
      const isSurprise =
        answer.verdict === 'none-of-ours' || (answer.verdict === 'holds' && answer.alternative !== byDefault)
      if (!isSurprise || answer.tier !== 'free') continue
      const probe = must(probeOf(id))
      const way = 'unaskable' in probe ? undefined : waysOf(probe).find(({ tier }) => tier === 'free')
      if (!way || this.#line.left < 2 * way.steps.length + 4) continue
      const again = await this.#go(way)
      if (again.verdict === answer.verdict && again.alternative === answer.alternative) continue
      const why = `asked twice, the service answered as ${worded(answer)} and as ${worded(again)}`
      const evidence: KeptExchange[] = [...answer.evidence, ...again.evidence]
      this.#note(id, { ...again, verdict: 'unstable', alternative: null, why, evidence })
    }
  }

  #note(id: string, told: ProbeOutcome): void {
    const { questions, nowMs, answered } = this.#options
    const { question = '', alternatives = [] } = questions[id] ?? {}
    const excluded = told.alternative === null ? told.excluded : alternatives.filter((one) => one !== told.alternative)
    const on = new Date(nowMs()).toISOString().slice(0, 10)
    const answer: Calibrated = { assumption: id, question, ...told, excluded, on }
    this.#answers.set(id, answer)
    answered(answer)
  }
}

function worded({ verdict, alternative, why }: ProbeOutcome): string {
  return alternative ?? why ?? verdict
}

function notAsked(why: string | null): ProbeOutcome {
  return { verdict: 'not-asked', alternative: null, excluded: [], why, tier: null, evidence: [] }
}

function nothing(): SeenAnswer {
  return { request: { method: '', path: '' }, status: 0, headers: {}, text: '', body: undefined }
}

function keyOf({ method, path, asker, headers, type, repeats, body }: ProbeRequest): string {
  return JSON.stringify([method, path, asker, headers, type, repeats, body])
}

/** First, because all other answers are read by the form of errors. */
const FIRST = [
  'error-body',
  'checkout-error-body',
  'subscription-required',
  'unknown-fields',
  'unsupported-media-type',
  'funds-check',
]

export function inAskingOrder(ids: readonly string[]): string[] {
  const rank = (id: string) => {
    const at = FIRST.indexOf(id)
    const probe = probeOf(id)
    const tier = probe && 'tier' in probe ? tiers.indexOf(probe.tier) : tiers.length
    return at !== -1 && tier <= tiers.indexOf('free') ? at : (tier + 1) * 1000 + (at === -1 ? FIRST.length : at)
  }
  return ids.toSorted((a, b) => rank(a) - rank(b))
}

type Probe = (typeof probes)[keyof typeof probes]
const byName: Readonly<Record<string, Probe | undefined>> = probes

export function probeOf(assumption: string): Probe | undefined {
  return byName[assumption]
}

// Detects changes at the real service: reads the affected lists and wallets before and after each request.

const API = '/api/sandbox/v1'

/** A path that can change something, and the reads that would show it. */
const witnesses: readonly (readonly [of: string, ...paths: string[]])[] = [
  ['/send-money', '/send-money/all?companyId={companyId}'],
  ['/till', '/till/all?companyId={companyId}'],
  ['/paybill', '/paybill/all'],
  ['/bank/payout/new', '/bank/payout/all'],
  ['/stk/new', '/stk/all'],
  ['/allocations/new', '/allocations/allocations/org/all', '/multiaccount/wallet/total/breakdown'],
  ['/de-allocations/new', '/de-allocations/org/all', '/multiaccount/wallet/total/breakdown'],
  ['/multiaccount/new/organisation', '/multiaccount/organisation/all'],
]

type Sight = ReadonlySet<string>

class MoveWatch {
  readonly #line: ServiceLine
  readonly #companyId: string
  readonly #seen = new Map<string, { sight: Sight; at: SeenAnswer } | null>()

  constructor(line: ServiceLine, companyId: string) {
    this.#line = line
    this.#companyId = companyId
  }

  async before(request: ProbeRequest): Promise<void> {
    for (const path of this.#pathsOf(request)) if (!this.#seen.has(path)) this.#seen.set(path, await this.#look(path))
  }

  /** Throws if the request changed something although `mayMove` is false. */
  async after(request: ProbeRequest, answer: SeenAnswer, mayMove: boolean): Promise<void> {
    for (const path of this.#pathsOf(request)) {
      const was = this.#seen.get(path)
      if (!was) continue
      const is = await this.#look(path)
      this.#seen.set(path, is)
      const added = is ? [...is.sight].filter((one) => !was.sight.has(one)) : []
      if (added.length === 0 || mayMove) continue
      throw new Stopped(
        'moved',
        `${request.method} ${request.path} was to change nothing, and ${path} shows ${added[0]}`,
        [was.at, answer, ...(is ? [is.at] : [])].map((seen) => this.#line.kept(seen)),
      )
    }
  }

  /** Forces new readings, because something else changed the account. */
  forget(): void {
    for (const [path, seen] of this.#seen) if (seen) this.#seen.delete(path)
  }

  #pathsOf({ path, method }: ProbeRequest): string[] {
    const [before] = path.split('?')
    const found = method === 'GET' ? undefined : witnesses.find(([of]) => before === API + of)
    const [, ...paths] = found ?? ['']
    return paths.map((one) => API + one.replace('{companyId}', this.#companyId))
  }

  async #look(path: string): Promise<{ sight: Sight; at: SeenAnswer } | null> {
    const seen = await this.#line.ask({ method: 'GET', path })
    if (seen.status !== 200 && seen.status !== 201) return null
    const records = Array.isArray(seen.body) ? seen.body : seen.body?.data
    if (!Array.isArray(records)) return null
    const sights = records.map((one) => one?.uuid ?? one?.requestId ?? `${one?.organisationUuid} ${one?.netBalance}`)
    return { sight: new Set(sights.map(String)), at: seen }
  }
}

// Decides which requests may be sent to a real service. Probes cannot override it.

const SANDBOX = '/api/sandbox/v1/'
const OTHERS = ['/api/v1/get-token', '/api/v1/refresh-token']
const TANZANIA = /^\/api\/v1\/tz\/(?:spending|collections)\/single$/
const READS = ['GET', 'HEAD', 'OPTIONS']

/** Normalised, so that an unusual spelling cannot pass the check. */
function plainPath(path: string): string {
  const [before = ''] = path.split('?')
  return decodeURIComponent(before)
    .replaceAll(/\/{2,}/g, '/')
    .toLowerCase()
}

const isRead = ({ method }: ProbeRequest): boolean => READS.includes(method)

const isToken = ({ path }: ProbeRequest) => OTHERS.includes(path)

/** Returns undefined if the request may be sent. */
export function whyNotSent(request: ProbeRequest, tier: Tier): string | undefined {
  const path = plainPath(request.path)
  const isSandbox = path.startsWith(SANDBOX) || isToken(request) || (request.method === 'GET' && TANZANIA.test(path))
  if (!isSandbox) return `${request.path} is no path of the sandbox`
  if (tier !== 'free' || isRead(request) || isToken(request) || request.doom !== undefined) return undefined
  return `${request.method} ${request.path} could make something`
}

/** Returns undefined if the address may be probed. `isSure` means that the user named it twice. */
export function whyNotAsked(baseUrl: string, isSure: boolean): string | undefined {
  const url = URL.parse(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return 'expected an address such as https://api.provider.example'
  if (isSure || isLoopback(url.hostname)) return undefined
  if (url.protocol === 'http:') return 'over http anybody on the way could read the key'
  return url.pathname.replaceAll('/', '') === ''
    ? undefined
    : `with ${url.pathname} before it, /api/sandbox may be something else than the sandbox`
}

function hasPhone(prefix: string): (options: CalibrateOptions) => boolean {
  return ({ account }) => account.to.some((phone) => phone.startsWith(prefix))
}

export const needed: Readonly<Record<Need, { flag: string; has(options: CalibrateOptions): boolean }>> = {
  receiver: {
    flag: '--receiver https://…',
    has: ({ account, receiver }) => receiver !== undefined && account.receiver !== undefined,
  },
  'phone-ke': { flag: '--to 2547…', has: hasPhone('254') },
  'phone-tz': { flag: '--to 2557…', has: hasPhone('255') },
  'bank-account': { flag: '--bank-account 0068/NUMBER', has: ({ account }) => account.bankAccount !== undefined },
  'sub-account': {
    flag: 'PAYMENTS_SUB_KEY and PAYMENTS_SUB_SECRET, the key of a sub-account',
    has: ({ keys }) => keys['sub-account'] !== undefined,
  },
}
