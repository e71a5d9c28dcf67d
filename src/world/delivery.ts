/** One callback on its way to a merchant, as the host that sends it knows it. */
import type { Answered, Failure, Place } from '../callbacks/outcome.ts'

/** A POST to a merchant, and what came of it. Handed in: the core opens no sockets. */
export interface Post {
  /** As the merchant named it. */
  url: string
  /** Where it goes, when that is somewhere else. */
  to?: URL
  headers: Record<string, string>
  body: string
  /** Real time that the receiver has to answer, from when it is connected to. */
  timeoutMs: number
  signal: AbortSignal
}
export type PostResult = (Answered | { failure: Failure }) & {
  tookMs: number
  /** Where it went, when something stood in for the host of its address. */
  sentTo?: URL
  /** From where it was sent, as far as the sender knows. */
  place?: Place
}
export type Send = (post: Post) => Promise<PostResult>
