/** The wall clock, in milliseconds since the epoch. For log lines only: everything else lives in a world's time. */
export function wallNowMs(): number {
  return Date.now()
}
