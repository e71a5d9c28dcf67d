import type { InstantUs } from './time.ts'

/** How a remote is reached. It takes its events when its reader has room. */
export interface RemoteLine {
  wake(): void
  end(why: RemoteEnd): void
}

/** Why a remote gets no more events. `discarded`: the world was reset, replaced or removed. */
export type RemoteEnd = 'left' | 'replaced' | 'closed' | 'discarded'

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

export const participantStates = ['joining', 'working', 'resting', 'overdue'] as const
export type ParticipantState = (typeof participantStates)[number]

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

// Programs elsewhere that take a world's callbacks and post them where the world itself cannot.

/** `joining`: it has yet to read its deliveries. `away`: its connection is lost, and may come back within its lease. */
export const forwarderStates = ['joining', 'connected', 'away'] as const
export type ForwarderState = (typeof forwarderStates)[number]

export interface Forwarding {
  name: string
  forwardTo: string
  callbackUrl?: string | undefined
  leaseMs: number
}
