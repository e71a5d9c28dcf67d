/** Why an attempt to send a callback failed, in words. Stored with the attempt. */
export interface Diagnosis {
  /** Stays the same when the words change: `container-loopback`, `login-page`. */
  code: string
  /** What happened, in half a sentence. */
  what: string
  /** The cause, or the likeliest one. */
  why: string
  /** What to do about it. */
  todo: string
}
