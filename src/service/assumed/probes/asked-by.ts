/** The types of a probe: the requests it sends, and how an answer identifies an alternative. */

/**
 * Cost of a probe at the service, cheapest first. `free`: reads, and requests that are certain to be refused.
 * `session`: a checkout session that nobody pays. `lasting`: something that remains, such as a sub-account.
 * `own-transfer`: money moved between own wallets and back. `payment`: a small payment. `receiver`: a payment whose
 * callback goes to an address on the internet. `human`: a person presses a button.
 */
export const tiers = ['free', 'session', 'lasting', 'own-transfer', 'payment', 'receiver', 'human'] as const
export type Tier = (typeof tiers)[number]

/**
 * Why a request is certain to change nothing, whichever fields the service requires. `unknown-organisation`: it names an
 * organisation that does not exist. `impossible-amount`: the amount is larger than any wallet holds or the service can
 * count. `impossible-email`: the address is none. `unknown-key`: it logs in with a key that is nobody's. `no-body`: it
 * says nothing of what to make.
 */
export type Doom = 'unknown-organisation' | 'impossible-amount' | 'impossible-email' | 'unknown-key' | 'no-body'

/** Whose token a request carries. `earlier-token` is one the merchant got before. */
export type Asker = 'merchant' | 'nobody' | 'earlier-token' | 'sub-account'

export interface ProbeRequest {
  method: string
  /** Relative to the base URL, with the query. */
  path: string
  asker?: Asker
  headers?: Readonly<Record<string, string>>
  body?: object | Uint8Array
  /** The Content-Type. Absent: application/json. Null: none is sent. */
  type?: string | null
  doom?: Doom
  /** The answer contains a new merchant token, which later requests use. */
  logsIn?: true
  /** Send it again although an equal request was answered, because the repetition is what is tested. */
  repeats?: number
  /** Undoes an earlier step, so it is sent even if a step between them fails. */
  restores?: true
}

export interface Pause {
  waitMs: number
}

export interface Awaited {
  callbacksAt: string
  atLeast: number
  withinMs: number
}

export interface ByHand {
  byHand: string
  checkoutUrl?: string
  act: 'cancel' | 'pay' | 'pay-in'
}

export interface SeenAnswer {
  request: ProbeRequest
  status: number
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what a service answers is what is asked
  body: any
}

export interface ProbeAccount {
  companyId: string
  apiKey: string
  apiSecret: string
  /** Base URL of the callback receiver, reachable from the internet, without a trailing slash. */
  receiver?: string | undefined
  to: readonly string[]
  tillNumber?: string | undefined
  /**
   * Bank and account as `0068/0123456789`. The holder must not be "Nobody Of That Name", because a probe pays under
   * that name.
   */
  bankAccount?: string | undefined
  amount: number
  /** Distinguishes what this run creates from what other runs created. */
  run: string
}

/** Requirements that the operator must provide before the probe can run. */
export type Need = 'receiver' | 'phone-ke' | 'phone-tz' | 'till' | 'bank-account' | 'sub-account'

/** The answers decide nothing. `excluded` lists the alternatives that they still rule out. */
export class Untold {
  readonly why: string
  readonly excluded: readonly string[]
  constructor(why: string, excluded: readonly string[] = []) {
    this.why = why
    this.excluded = excluded
  }
}

export function untold(why: string, ...excluded: string[]): Untold {
  return new Untold(why, excluded)
}

export type StepAction = ProbeRequest | Pause | Awaited | ByHand
/** A step, or a function that derives it from the answers so far. It returns nothing when they already decide. */
export type ProbeStep = StepAction | ((seen: readonly SeenAnswer[]) => StepAction | Untold | undefined)

/** One way to probe. Returns undefined when the answers match no alternative. */
export interface ProbeWay<Value extends string = string> {
  tier: Tier
  needs?: readonly Need[]
  steps(account: ProbeAccount): readonly ProbeStep[]
  tells(seen: readonly SeenAnswer[], account: ProbeAccount): Value | Untold | undefined
}

/** All ways to probe an assumption, cheapest first. `sees` decides it from a single answer of recorded traffic. */
export interface ServiceProbe<Value extends string = string> {
  ways: readonly [ProbeWay<Value>, ...ProbeWay<Value>[]]
  sees?(answer: SeenAnswer): Value | undefined
}

type Sees<Value extends string> = NonNullable<ServiceProbe<Value>['sees']>

/** An alternative for each status of the last answer, or a function of all answers. */
type Tells<Value extends string> = Readonly<Record<number, Value>> | ProbeWay<Value>['tells']

interface More<Value extends string> {
  needs?: readonly Need[]
  sees?: Sees<Value>
}

export function way<const Value extends string>(
  tier: Tier,
  steps: readonly ProbeStep[] | ProbeWay['steps'],
  tells: Tells<Value>,
  needs: readonly Need[] = [],
): ProbeWay<Value> {
  const stepsOf = typeof steps === 'function' ? steps : () => steps
  return {
    tier,
    needs,
    steps: stepsOf,
    tells: typeof tells === 'function' ? tells : (seen, account) => byStatus(seen[stepsOf(account).length - 1], tells),
  }
}

export function probe<const Value extends string>(
  tier: Tier,
  steps: readonly ProbeStep[] | ProbeWay['steps'],
  tells: Tells<Value>,
  { needs = [], sees }: More<Value> = {},
): ServiceProbe<Value> {
  return { ways: [way(tier, steps, tells, needs)], ...(sees && { sees }) }
}

/** Decides from one answer of recorded traffic to a request of this path, without query. */
export function seenAt<const Value extends string>(
  path: RegExp,
  tells: Readonly<Record<number, Value>> | Sees<Value>,
): Sees<Value> {
  return (seen) => {
    if (!path.test(`${seen.request.method} ${seen.request.path.split('?')[0]}`)) return undefined
    return typeof tells === 'function' ? tells(seen) : byStatus(seen, tells)
  }
}

export function byStatus<const Value extends string>(
  seen: Pick<SeenAnswer, 'status'> | undefined,
  of: Readonly<Record<number, Value>>,
): Value | undefined {
  return seen && of[seen.status]
}

export interface Unaskable<Value extends string = string> {
  unaskable: string
  sees?(answer: SeenAnswer): Value | undefined
}
