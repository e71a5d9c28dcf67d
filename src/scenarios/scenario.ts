/** What a loaded scenario is to the rest of mfano: values and one pure question, `decide`. */
import type { Assumptions } from '../model/assumptions.ts'
import type { Chance } from '../model/chance.ts'
import type { Directory } from '../model/directory.ts'
import type { Currency } from '../model/money.ts'
import type { JsonObject, PaymentKind, Plan } from '../model/payment.ts'
import type { DurationUs, InstantUs } from '../model/time.ts'
import type { Meeting, RequestFacts } from './meet-fault.ts'
import type { GivenParameters, Parameter } from './parameters.ts'
import type { History } from './past.ts'
import type { Problem } from './problems.ts'
import type { Rails } from './rails/rails.ts'

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
  /** How far the service's clock on the wall is ahead of UTC; 0 when left out. */
  zoneUs?: DurationUs
  /** What happened before with the same kind of payment; nothing when left out. */
  history?: History
  /** Somebody is told how the payment ends; true when left out. */
  told?: boolean
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
  /** One letter for each fault of this kind's callbacks, up to the one that it meets; none where none was asked. */
  callbackTrace?: string
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
  /** Values that were given for its parameters, by name. */
  given: GivenParameters
  /** All its parameters, with the values in force. */
  parameters: readonly Parameter[]
  seed: number
  clock: ClockSetting
  /** Opening balance of the default organisation's wallets, in minor units. */
  wallets: Record<Currency, number>
  assumptions: Assumptions
  callbacks: CallbackPolicy
  directory: Directory
  /** What payments meet that the rules accept. */
  rails: Rails
  rules: RuleSummary[]
  /** What goes wrong with callbacks whatever rule decided. */
  callbackFaults: FaultSummary[]
  /** What goes wrong with answers. */
  faults: FaultSummary[]
  /** Whether some fault watches an operation; none does in most scenarios. */
  watches(operation: RequestFacts['operation']): boolean
  /** Pure: which fault a request meets, before it is worked on. */
  meet(facts: RequestFacts): Meeting
  /** Pure: the same facts give the same decision. */
  decide(facts: Facts): Decision
  /** What can be used and does not do what it says: in its own file only, in the order of the file. */
  warnings(): readonly Problem[]
  /** The same scenario with its people invented from another seed. Cheap, where loading a text is not. */
  withSeed(seed: number): Scenario
  /** It and all that it extends and includes as one YAML text, every rule under its file and line. */
  effective(): string
  /** For a server that has what is shipped and none of our files: a text, and values for what that leaves open. */
  sendable(): { source: string; parameters: GivenParameters }
}

/** A fault of callbacks or of answers, as lists show it. */
export interface FaultSummary {
  name: string
  /** Kinds of payment, or operations. */
  on: string[]
  when: string | undefined
  chance: number | undefined
  nth: string | undefined
  /** In words. */
  then: string
  /** It lets some of what it matches pass: a rate that is kept, a good token, a payment that never ends. */
  passes: boolean
  file: string
  line: number
  /** It comes from a scenario that this one extends. */
  inherited: boolean
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
  /** It comes from a scenario that this one extends. */
  inherited: boolean
}
