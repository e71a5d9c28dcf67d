export type Unseen = 'lost' | 'reset' | 'held'

/**
 * At which an app can be killed. `seen`: its request has come in; `executed`: it is worked on, and not answered; `answered`:
 * the app has its answer, and did nothing yet that can be seen; `called` and `acknowledged` are of callbacks.
 */
export type CrashMoment = 'seen' | 'executed' | 'answered' | 'called' | 'acknowledged'

export type Happened =
  | { what: 'act'; name: string; n: number }
  | { what: 'tick' }
  /** `now`: in the zone of the scenario, for people. */
  | { what: 'time'; now: string }
  | { what: 'request'; operation: string; nth: number; of?: string }
  | { what: 'answer'; operation: string; nth: number; of?: string; status: number; fate?: Unseen }
  | { what: 'payment'; kind: string; nth: number; status: string }
  | { what: 'callback'; kind: string; nth: number; status: string; taken: string }
  | { what: 'stranger'; kind: string; nth: number; taken: string }
  | { what: 'service-restart' }
  | { what: 'crash'; at: string }
  | { what: 'restart' }

export interface PaymentMet {
  kind: string
  nth: number
}
