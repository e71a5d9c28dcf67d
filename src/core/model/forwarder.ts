/** Programs elsewhere that take a world's callbacks and post them where the world itself cannot. */

/** `joining`: it has yet to read its deliveries. `away`: its connection is lost, and may come back within its lease. */
export const forwarderStates = ['joining', 'connected', 'away'] as const
export type ForwarderState = (typeof forwarderStates)[number]

/** Settings of a forwarder. */
export interface Forwarding {
  name: string
  /** Where it posts them, for people who look at the list. */
  forwardTo: string
  /** It takes callbacks to addresses that begin so; all of them where it is undefined. */
  callbackUrl: string | undefined
  /** Real milliseconds that deliveries wait for it while its connection is lost. */
  leaseMs: number
}

export interface Forwarder extends Forwarding {
  id: string
  state: ForwarderState
  /** Deliveries that it has yet to answer. */
  open: number
  /** Deliveries that it has answered since it joined. */
  answered: number
}
