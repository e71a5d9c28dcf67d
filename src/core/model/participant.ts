/** A participant of a world's clock: a program whose timers live in the world's time. */
import type { InstantUs } from './time.ts'

export interface Grant {
  number: number
  nowUs: InstantUs
  /** World seconds per real second; at 0 its time stands until the next grant. */
  rate: number
  /**
   * Nothing else happens before this instant, so the participant may advance on its own until then, as long as it sends
   * no request.
   */
  beforeUs: InstantUs
}

export type ParticipantState = 'joining' | 'working' | 'resting' | 'overdue'

export interface Participant {
  id: string
  name: string
  state: ParticipantState
  leaseMs: number
  nextDueUs: InstantUs | undefined
  requests: number
  grantedUs: InstantUs
}

export interface Absence {
  id: string
  name: string
  why: 'lease_expired' | 'disconnected' | 'never_rests'
  sinceUs: InstantUs
}

export interface RestReport {
  grant: number
  nextDueUs: InstantUs | undefined
  requests: number
  /** Whether it did anything since the last report. */
  active: boolean
  timers: number
}

export interface Look {
  id: string
  name: string
  /** It waits for an answer or a request. False also when it does not report in time. */
  idle: boolean
  requests: number
}
