/** What a loaded scenario is to the rest of mfano: values and one pure question, `decide`. */
import type { Assumptions } from '../model/assumptions.ts'
import type { Chance } from '../model/chance.ts'
import type { Currency } from '../model/money.ts'
import type { JsonObject, PaymentKind, Plan } from '../model/payment.ts'
import type { DurationUs, InstantUs } from '../model/time.ts'
import type { Directory } from './directory.ts'

/** The clock a scenario asks for when a world starts with it. */
export interface ClockSetting {
  mode: 'realtime' | 'scaled' | 'frozen'
  /** World seconds per real second; 1 unless scaled. */
  rate: number
  /** World time at the beginning; null: the wall clock's. */
  startUs: InstantUs | null
}

/** What a rule may look at. Everything is a value: the engine looks it up before it asks. */
export interface Facts {
  kind: PaymentKind
  /** The validated request, amounts in major units. */
  request: JsonObject
  organisation: { uuid: string; name: string; parent: boolean }
  /** What the payer's organisation can spend in the request's currency, in major units. */
  walletAvailable: number
  nowUs: InstantUs
  /** The count of this payment among its kind in the world, from 1. */
  nth: number
  /** The count of this decision in the world, refusals included, from 1: what odds are drawn by. */
  draw: number
  /** How often a rule was counted before, by name: the sum of what `Decision.counted` asked for. */
  matched(rule: string): number
  chance: Chance
}

/** A rule's answer that refuses the request at once. */
export interface RuleRefusal {
  rule: string
  trace: string
  status: number
  code: string
  message: string | undefined
  details: string | undefined
}
export type Decision = ({ plan: Plan; refuse?: undefined } | { refuse: RuleRefusal; plan?: undefined }) & {
  /**
   * Rules whose `matched` goes up by one, refusal or not: those with an `nth` that matched, whether or not it was their
   * turn. Without it a rule for the third payment would never see a first and second one. Mostly empty.
   */
  counted: readonly string[]
}

/** How callbacks are retried and what goes wrong with them. */
export interface CallbackPolicy {
  /** Attempts in all, the first included. */
  attempts: number
  /** World time before the second, third … attempt; the last repeats. */
  backoffUs: DurationUs[]
  /** Real time that a receiver has to answer. */
  timeoutMs: number
  /** The first n attempts reach the receiver, but their answer is lost on the way back, so they count as failed. */
  loseAnswers: number
}

/** One organisation that a world starts with, besides the default one. */
export interface Scenario {
  name: string
  description: string
  /** The text it was loaded from, as given. */
  source: string
  /** The file it was loaded from, when it was one: relative `extends` start there. */
  file?: string
  seed: number
  clock: ClockSetting
  /** Opening balance of the default organisation's wallets, in minor units. */
  wallets: Record<Currency, number>
  assumptions: Assumptions
  callbacks: CallbackPolicy
  directory: Directory
  rules: RuleSummary[]
  /** Pure: the same facts give the same decision. */
  decide(facts: Facts): Decision
  /** The same scenario with its people invented from another seed. Cheap, where loading a text is not. */
  withSeed(seed: number): Scenario
}

/** A rule as lists and explanations show it. */
export interface RuleSummary {
  name: string
  on: PaymentKind[]
  when: string | undefined
  chance: number | undefined
  /** `the 3rd`, `the first 2`: the only matches that it decides. */
  nth: string | undefined
  /** In words: `after 4s FAILED (errorCode NAME_MISMATCH)`. */
  then: string
  file: string
  line: number
}
