/** What is on its way on this machine, as the operating system sees it: between a program that listens, and those who talk to it. */
import { readFileSync } from 'node:fs'

/** The columns of a connection's line: both ends, the state, and the bytes that wait to be sent and to be read. */
const LINE = /^\s*\d+: \w+:(\w{4}) \w+:(\w{4}) (\w\w) (\w{8}):(\w{8})/gm
const ESTABLISHED = '01'
const TIME_WAIT = '06'

/** Between who listens on a port and those who talk to it, at one look. */
export interface PortTraffic {
  /** Connections of those who talk to it that stand: who still looks up its name, or knocks, has none. */
  callers: number
  /** Bytes are on their way to it, or wait to be read by who talks to it. What has arrived there, it may read or not. */
  underWay: boolean
}

/** Undefined where the system does not say. */
export function portTraffic(port: number): PortTraffic | undefined {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  const seen: PortTraffic = { callers: 0, underWay: false }
  let known = false
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let text: string
    try {
      text = readFileSync(table, 'latin1')
    } catch {
      continue
    }
    known = true
    for (const [, here, there, state, sending, reading] of text.matchAll(LINE)) {
      if (state === TIME_WAIT) continue
      if (there === wanted && state === ESTABLISHED) seen.callers++
      if ((here === wanted && isSome(sending)) || (there === wanted && isSome(`${sending}${reading}`)))
        seen.underWay = true
    }
  }
  return known ? seen : undefined
}

function isSome(hexadecimal = ''): boolean {
  return /[^0]/.test(hexadecimal)
}
