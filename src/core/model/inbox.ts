/** What built-in receivers took, and how those answer. */
import type { InboxBehaviour } from './inbox-behaviour.ts'
import type { SignatureState } from './signature.ts'
import type { InstantUs } from './time.ts'

/** A callback that the built-in receiver took. */
export interface InboxMessage {
  id: number
  name: string
  atUs: InstantUs
  headers: Record<string, string>
  /** As received. */
  body: string
  /** What it was answered: a status, or how the connection ended. Null: by an older mfano. */
  answered: string | null
  /** What its signature was worth when it came. */
  signature: SignatureState | null
}

/** A behaviour of an inbox, and how far its answers went. */
export interface StoredInboxBehaviour {
  /** The query of the address that asked for it; empty for the inbox's own. */
  asked: string
  settings: InboxBehaviour
  /** Messages that it answered. */
  taken: number
}
