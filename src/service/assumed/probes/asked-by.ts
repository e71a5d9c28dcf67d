/** How an assumption is asked of the real service: what is sent, and how each alternative shows in the answers. */

/**
 * What asking costs at the service, from the least to the most. `free`: reads, and requests that are certain to be
 * refused. `session`: a checkout session that nobody pays. `lasting`: something that stays, such as a sub-account.
 * `own-transfer`: money between own wallets, and back. `payment`: a small payment. `receiver`: a payment whose callback
 * comes to an address on the internet. `human`: somebody presses a button.
 */
export const tiers = ['free', 'session', 'lasting', 'own-transfer', 'payment', 'receiver', 'human'] as const
export type Tier = (typeof tiers)[number]

/**
 * Why a request that could make something is certain to make nothing. `unknown-organisation`: it names one that nobody
 * has. `impossible-amount`: more than any wallet holds and than the service can count, or less than nothing.
 * `missing-field`: a field that the specification requires is left out. `no-token`: nobody asks.
 */
export type Doom = 'unknown-organisation' | 'impossible-amount' | 'missing-field' | 'no-token'

/** Who asks: the merchant, nobody, somebody with a token that is none, or another of its tokens; or a sub-account. */
export type Asker = 'merchant' | 'nobody' | 'bad-token' | 'earlier-token' | 'refresh-token' | 'sub-account'

/** A request, as it is written; bytes where the form of the body matters. */
export interface ProbeRequest {
  method: string
  /** Below the base URL, with its query. */
  path: string
  asker?: Asker
  headers?: Readonly<Record<string, string>>
  body?: object | Uint8Array
  /** The Content-Type, if not application/json; null: none. */
  type?: string | null
  doom?: Doom
  /** What it answers is a new token of the merchant, by which it goes on. */
  logsIn?: true
  /** Sent although an equal one was answered already: the repetition is what is asked about. */
  repeats?: number
  /** Puts back what an earlier step changed, and is sent whatever happens between. */
  restores?: true
}

/** Real time passes. */
export interface Pause {
  waitMs: number
}

/** What came to a path of the receiver: at least so many callbacks, or whatever there is after a time. */
export interface Awaited {
  callbacksAt: string
  atLeast: number
  withinMs: number
}

/** Somebody does something, and says when it is done. */
export interface ByHand {
  byHand: string
  /** Of the checkout page, where it is about one. */
  checkoutUrl?: string
  act: 'cancel' | 'pay' | 'pay-in'
}

/** An answer, or what else a step came to. */
export interface SeenAnswer {
  request: ProbeRequest
  status: number
  /** By their names in small letters. */
  headers: Readonly<Record<string, string>>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what a service answers is what is asked
  body: any
}

/** The merchant's account at the service, and what it allows to be used. */
export interface ProbeAccount {
  companyId: string
  apiKey: string
  apiSecret: string
  /** Where callbacks can come: an address on the internet without a slash at its end. */
  receiver?: string | undefined
  /** Phones to pay to, in international form. */
  to: readonly string[]
  tillNumber?: string | undefined
  /** A bank account that is not held by "Nobody Of That Name": `0068/0123456789`. */
  bankAccount?: string | undefined
  /** In major units. */
  amount: number
  /** Tells what this run makes from what others made. */
  run: string
}

/** What has to be given before it can be asked. */
export type Need = 'receiver' | 'phone-ke' | 'phone-tz' | 'till' | 'bank-account' | 'sub-account'

/** Why the answers do not tell; alternatives that they exclude all the same. */
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
/** One step, or how it follows from the answers so far; there is none where they tell already. */
export type ProbeStep = StepAction | ((seen: readonly SeenAnswer[]) => StepAction | Untold | undefined)

/** One way to ask. Undefined: the answers are none that an alternative describes. */
export interface ProbeWay<Value extends string = string> {
  tier: Tier
  needs?: readonly Need[]
  steps(account: ProbeAccount): readonly ProbeStep[]
  tells(seen: readonly SeenAnswer[], account: ProbeAccount): Value | Untold | undefined
}

/** How an assumption is asked: the cheapest way first. What recorded traffic tells by itself is seen in single answers. */
export interface ServiceProbe<Value extends string = string> {
  ways: readonly [ProbeWay<Value>, ...ProbeWay<Value>[]]
  sees?(answer: SeenAnswer): Value | undefined
}

/** A probe of one way to ask. */
export const oneWay = <const Value extends string>(
  tier: Tier,
  steps: ProbeWay['steps'],
  tells: ProbeWay<Value>['tells'],
  needs: readonly Need[] = [],
): ServiceProbe<Value> => ({ ways: [{ tier, needs, steps, tells }] })

/** No way is known. */
export interface Unaskable<Value extends string = string> {
  unaskable: string
  sees?(answer: SeenAnswer): Value | undefined
}
