/** What was decided about a request on its way, for who wants to know why. */
import type { Refusal } from '../model/refusal.ts'
import type { Decision } from '../scenarios/decide/facts.ts'
import type { FaultMatch } from '../scenarios/decide/match-fault.ts'
import type { RailsDecision } from './apply-rails.ts'
import type { Command } from './commands.ts'

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
