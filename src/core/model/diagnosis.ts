/** Why an attempt to send a callback failed, in words. Stored with the attempt. */
export interface Diagnosis {
  /** Stays the same when the words change: `container-loopback`, `login-page`. */
  code: string
  what: string
  why: string
  todo: string
}
