/**
 * Reads from the operating system which bytes are in transit between a listening program and its clients on this
 * machine.
 */
import { readFileSync } from 'node:fs'

/** Columns of /proc/net/tcp: both ends, the state, and the sizes of the send and the receive queue. */
const LINE = /^\s*\d+: \w+:(\w{4}) \w+:(\w{4}) (\w\w) (\w{8}):(\w{8})/gm
const ESTABLISHED = '01'
const TIME_WAIT = '06'

export interface PortTraffic {
  /** Established connections of clients. A client that still resolves the name or connects is not counted. */
  callers: number
  /** Bytes are in transit, or a client has not read them yet. Bytes that reached the listening program do not count. */
  underWay: boolean
}

/** Undefined without /proc. */
export function portTraffic(...ports: number[]): PortTraffic | undefined {
  const wanted = new Set(ports.map((port) => port.toString(16).toUpperCase().padStart(4, '0')))
  const isWanted = (port = '') => wanted.has(port)
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
      if (isWanted(there) && state === ESTABLISHED) seen.callers++
      if ((isWanted(here) && isSome(sending)) || (isWanted(there) && isSome(`${sending}${reading}`)))
        seen.underWay = true
    }
  }
  return known ? seen : undefined
}

function isSome(hexadecimal = ''): boolean {
  return /[^0]/.test(hexadecimal)
}
