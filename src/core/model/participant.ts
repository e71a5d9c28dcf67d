/** A participant of a world's clock: a program whose timers live in the world's time. */
import type { InstantUs } from './time.ts'

/** What a participant is told: the instant that it may go to, and how its time goes from there. */
export interface Grant {
  /** Counts what one participant was told, from 1. */
  number: number
  nowUs: InstantUs
  /** World seconds per real second; at 0 its time stands until the next grant. */
  rate: number
  /**
   * Before this instant nothing happens but what the participant does: it may go on by itself until then, as long as it
   * asks nobody for anything.
   */
  beforeUs: InstantUs
}

/** `joining` until its stream is read; `overdue` when it worked for longer than its lease. */
export type ParticipantState = 'joining' | 'working' | 'resting' | 'overdue'

/** What is shown of one. */
export interface Participant {
  id: string
  name: string
  state: ParticipantState
  leaseMs: number
  /** When its next timer is due; undefined: none, or it has not said. */
  nextDueUs: InstantUs | undefined
  /** Requests of its own that it waits for. */
  requests: number
  /** The instant that it was granted last. */
  grantedUs: InstantUs
}

/** A participant that time did not wait for any longer, and the instant at which it was waited for in vain. */
export interface Absence {
  id: string
  name: string
  why: 'lease_expired' | 'disconnected'
  sinceUs: InstantUs
}

/** What a participant says when it rests. */
export interface RestReport {
  /** The grant that it has gone to. */
  grant: number
  nextDueUs: InstantUs | undefined
  /** Requests that it still waits for, and that only time seems to end. */
  requests: number
  /** Whether it did anything since it said so last. */
  active: boolean
  /** Timers that it ran by itself. */
  timers: number
}

/** What a participant does at the moment, as it says itself. */
export interface Look {
  id: string
  name: string
  /** Nothing in it can go on before somebody answers it, or asks it for something; false also where it does not say in time. */
  idle: boolean
  requests: number
}
