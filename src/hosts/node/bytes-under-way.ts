/** What is on its way on this machine, as the operating system sees it: between a program that listens, and those who talk to it. */
import { readFileSync } from 'node:fs'

/** The columns of a connection's line: both ends, the state, and the bytes that wait to be sent and to be read. */
const LINE = /^\s*\d+: \w+:(\w{4}) \w+:(\w{4}) (\w\w) (\w{8}):(\w{8})/gm
const TIME_WAIT = '06'

/**
 * Whether bytes are on their way to who listens on a local port, or wait to be read by who talks to it; undefined where
 * the system does not say. What waits to be read by the listener itself has arrived: whether it is read is up to it.
 */
export function bytesUnderWay(port: number): boolean | undefined {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  let known = false
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let text: string
    try {
      text = readFileSync(table, 'latin1')
    } catch {
      continue
    }
    known = true
    for (const [, here, there, state, sending, reading] of text.matchAll(LINE))
      if (
        state !== TIME_WAIT &&
        ((here === wanted && isSome(sending)) || (there === wanted && isSome(`${sending}${reading}`)))
      )
        return true
  }
  return known ? false : undefined
}

function isSome(hexadecimal = ''): boolean {
  return /[^0]/.test(hexadecimal)
}
