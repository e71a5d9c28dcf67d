/** Messages and behaviour of built-in inboxes. */
import type { InboxBehaviour } from './inbox-behaviour.ts'
import type { SignatureState } from './signature.ts'
import type { InstantUs } from './time.ts'

export interface InboxMessage {
  id: number
  name: string
  atUs: InstantUs
  headers: Record<string, string>
  body: string
  answered: string | null
  signature: SignatureState | null
}

export interface StoredInboxBehaviour {
  asked: string
  settings: InboxBehaviour
  /** Messages answered so far; decides the next answer. */
  taken: number
}
