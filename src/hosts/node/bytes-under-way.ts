/** What is on its way on this machine, as the operating system sees it: sent by one side, and not taken in by the other. */
import { readFileSync } from 'node:fs'

/** The columns of a connection's line: both ends, the state, and the bytes that wait to be sent and to be read. */
const LINE = /^\s*\d+: \w+:(\w{4}) \w+:(\w{4}) (\w\w) (\w{8}):(\w{8})/gm
const TIME_WAIT = '06'

/** Whether bytes wait in a connection from or to a local port; undefined where the system does not say. */
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
      if ((here === wanted || there === wanted) && state !== TIME_WAIT && Number(`0x${sending}${reading}`) !== 0)
        return true
  }
  return known ? false : undefined
}
