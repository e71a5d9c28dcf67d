/** Programs elsewhere that serve a world over a stream: participants of its clock, and forwarders of its callbacks. */

/** How a remote is reached. It takes its events when its reader has room. */
export interface RemoteLine {
  wake(): void
  end(why: RemoteEnd): void
}

/** Why a remote gets no more events. `discarded`: the world was reset, replaced or removed. */
export type RemoteEnd = 'left' | 'replaced' | 'closed' | 'discarded'
