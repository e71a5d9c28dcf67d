/** What was decided about a request on its way, for who wants to know why. */
import type { Plan } from '../model/payment.ts'
import type { LastingLimit, Refusal } from '../model/refusal.ts'
import type { FaultMatch } from '../scenarios/decide/match-fault.ts'
import type { Decision, RuleRefusal } from '../scenarios/decide/payment-facts.ts'
import type { Command } from './commands.ts'

/** What the rails make of a plan: the plan, perhaps another one, or a refusal. */
export type RailsDecision = ({ plan: Plan; refuse?: undefined } | { refuse: RuleRefusal; plan?: undefined }) & {
  /** A limit that lasts was broken. */
  lasting?: LastingLimit
}

/** Filled in by the commands as they decide; each overwrites what the one before it left. */
export interface DecisionTrace {
  /** Which response faults were asked, and which applies. */
  fault?: FaultMatch
  payment?: {
    /** What was to be made. */
    input: Omit<Command<'open-payment'>, 'command'>
    /** What the rules say, and the rails make of that. */
    decision: Decision
    railed: RailsDecision
    /** Somebody is told how it ends. */
    told: boolean
  }
  /** Why the last piece of work that failed was taken back. */
  refusal?: Refusal
}
