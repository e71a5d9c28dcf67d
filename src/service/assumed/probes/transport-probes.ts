/** Probes for paths, methods, headers and the bytes of bodies. */

import { oneWay, type ProbeAccount, type ProbeRequest, type ServiceProbe } from './asked-by.ts'
import { API, allocatingBytes, get, inOrder, utf8 } from './asking.ts'
import { byStatus, either, isTaken } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

const LIST = `${API}/paybill/all`

/** Larger than the smaller body limit. */
const LONG = 200_000

const padded = (account: ProbeAccount, length: number) =>
  allocatingBytes(account, (json) => utf8(json.padEnd(length, ' ')))

/** A read with an unusual form, and the alternative that each status proves. */
const reading = <const Value extends string>(
  path: string,
  of: Readonly<Record<number, Value>>,
  more: Partial<ProbeRequest> = {},
): ServiceProbe<Value> => ({
  ways: [{ tier: 'free', steps: () => [get(path, more)], tells: ([seen]) => byStatus(seen, of) }],
})

export const transportProbes = {
  'unsupported-media-type': oneWay(
    'free',
    (account) => [inOrder(account), allocatingBytes(account, utf8, { type: 'text/plain' })],
    ([good, asked]) => {
      const taken = isTaken(asked, good)
      return taken === false ? byStatus(asked, { 415: '415', 400: '400' }) : either(taken, 'accept', '415')
    },
  ),
  'body-limit': oneWay(
    'free',
    (account) => [inOrder(account), padded(account, LONG)],
    ([good, asked]) => either(isTaken(asked, good), '1mb', '100kb'),
  ),
  'unsupported-method': reading(`${API}/till`, { 405: '405', 404: '404' }, { method: 'DELETE', doom: 'no-body' }),
  'trailing-slash': reading(`${LIST}/`, { 404: '404', 200: 'same', 301: '301', 308: '308' }),
} as const satisfies SomeProbes
