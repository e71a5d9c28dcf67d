/** Probes for paths, methods, headers and the bytes of bodies. */

import { oneWay, type ProbeAccount, type ProbeRequest, type SeenAnswer, type ServiceProbe, untold } from './asked-by.ts'
import { API, allocatingBytes, get, impossibleTill, inOrder, login, malformedId, utf8 } from './asking.ts'
import { byStatus, either, isNamed, isRefusedForForm, isTaken, passedChecks } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

const LIST = `${API}/paybill/all`
const COMPANY_LIST = `${API}/send-money/all?companyId=`

/** Larger than the smaller body limit, and larger than both. */
const LONG = 200_000
const TOO_LONG = 1_000_001

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
const typed = (account: ProbeAccount, type: string | null): ProbeRequest => allocatingBytes(account, utf8, { type })
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

const likeOthers = (type: string | null): ServiceProbe<'accept' | 'as-other-types'> => ({
  ways: [
    {
      tier: 'free',
      steps: (account) => [inOrder(account), typed(account, 'text/plain'), typed(account, type)],
      tells: ([good, other, asked]) => {
        if (isTaken(other, good) === true) return untold('every type is taken for JSON, so that this one is, too')
        const taken = isTaken(asked, good)
        if (taken === false && asked?.status !== other?.status) return undefined
        return either(taken, 'accept', 'as-other-types')
      },
    },
  ],
})

export const transportProbes = {
  'unsupported-media-type': oneWay(
    'free',
    (account) => [inOrder(account), typed(account, 'text/plain')],
    ([good, asked]) => {
      const taken = isTaken(asked, good)
      return taken === false ? byStatus(asked, { 415: '415', 400: '400' }) : either(taken, 'accept', '415')
    },
  ),
  'missing-media-type': likeOthers(null),
  'json-suffix-types': likeOthers('application/vnd.merchant+json'),
  'other-charsets': oneWay(
    'free',
    // As UTF-16 the bytes of the body are no JSON.
    (account) => [inOrder(account), typed(account, 'application/json; charset=utf-16le')],
    ([good, asked]) => {
      const taken = isTaken(asked, good)
      return taken === false ? byStatus(asked, { 415: '415', 400: 'honoured' }) : either(taken, 'read-as-utf-8', '415')
    },
  ),
  'broken-utf-8': oneWay(
    'free',
    () => [
      impossibleTill({}),
      { ...impossibleTill({}), body: latin1(JSON.stringify(impossibleTill({ remarks: 'Café' }).body)) },
    ],
    ([good, asked]) => {
      if (!good || !asked) return undefined
      if (!isNamed(good, 'amount')) return untold('an impossible amount is not named as what is wrong')
      if (isNamed(asked, 'amount')) return 'replaced'
      return isRefusedForForm(asked) ? 'refuse' : undefined
    },
  ),
  'byte-order-mark': oneWay(
    'free',
    (account) => [inOrder(account), allocatingBytes(account, (json) => utf8(`\uFEFF${json}`))],
    ([good, asked]) => either(isTaken(asked, good), 'ignored', 'refuse'),
  ),
  'bearer-case': oneWay(
    'free',
    // A token that is none tells the same where the scheme is told from the token, so a good one is sent.
    (account) => [
      login(account, 4),
      ([seen]) => {
        const token = seen?.body?.data?.access_token
        return typeof token === 'string'
          ? get(LIST, { asker: 'nobody', headers: { authorization: `bearer ${token}` } })
          : untold(`a token was answered ${seen?.status}`)
      },
    ],
    ([, seen]) => byStatus(seen, { 200: 'any', 401: 'as-shown' }),
  ),
  'repeated-parameters': oneWay(
    'free',
    ({ companyId }) => [
      malformedId,
      get(`${COMPANY_LIST}${companyId}&companyId=none`),
      // Refused where the last one counts, and where both do.
      ([, first]) => (first && isRefusedForId(first) ? get(`${COMPANY_LIST}none&companyId=${companyId}`) : undefined),
    ],
    ([malformed, first, last]) => {
      if (malformed?.status === 200) return untold('companyId is not looked at')
      if (first?.status === 200) return 'first'
      if (last?.status === 200) return 'last'
      return last && isRefusedForId(last) ? 'joined' : undefined
    },
  ),
  'accept-header': reading(LIST, { 200: 'ignored', 406: '406' }, { headers: { accept: 'application/xml' } }),
  'body-limit': oneWay(
    'free',
    (account) => [inOrder(account), padded(account, LONG)],
    ([good, asked]) => either(isTaken(asked, good), '1mb', '100kb'),
  ),
  'too-large': oneWay(
    'free',
    (account) => [
      padded(account, LONG),
      ([seen]) => (seen && isRefusedForForm(seen) ? undefined : padded(account, TOO_LONG)),
    ],
    (seen) => {
      const last = seen.at(-1)
      if (last && passedChecks(last)) return untold('a body of 1 MB is not too large')
      return byStatus(last, { 413: '413', 400: '400' })
    },
  ),
  'unsupported-method': reading(`${API}/till`, { 405: '405', 404: '404' }, { method: 'DELETE', doom: 'missing-field' }),
  'unknown-path-order': reading(`${API}/tills`, { 404: 'path-first', 401: 'token-first' }, { asker: 'nobody' }),
  'trailing-slash': reading(`${LIST}/`, { 404: '404', 200: 'same', 301: '301', 308: '308' }),
  'double-slash': reading(`/${LIST}`, { 404: '404', 200: 'same', 308: '308', 400: '400' }),
  'path-case': reading(`${API}/PayBill/all`, { 404: '404', 200: 'same' }),
  'path-encoding': reading(`${API}/pay%62ill/all`, { 404: '404', 200: 'same' }),
  'head-requests': reading(
    LIST,
    { 200: 'as-get', 404: 'as-other-methods', 405: 'as-other-methods' },
    { method: 'HEAD' },
  ),
  'options-requests': oneWay(
    'free',
    () => [
      get(`${API}/till`, { method: 'OPTIONS', asker: 'nobody' }),
      get(`${API}/till`, { method: 'OPTIONS' }),
      get(`${API}/tills`, { asker: 'nobody' }),
    ],
    ([anonymous, asked, unknown]) => {
      if (anonymous && answersOptions(anonymous)) return '204'
      if (!asked || !answersOptions(asked)) return byStatus(asked, { 404: 'as-other-methods', 405: 'as-other-methods' })
      if (unknown?.status === 401)
        return untold('a token is asked for before a method is looked at', 'as-other-methods')
      return anonymous?.status === 401 ? '204-with-token' : undefined
    },
  ),
  cors: {
    ...oneWay(
      'free',
      () => [get(LIST, { headers: { origin: 'https://shop.example' } })],
      ([seen]) => seen && corsOf(seen),
    ),
    sees: (seen) => (seen.request.headers?.['origin'] === undefined ? undefined : corsOf(seen)),
  },
} as const satisfies SomeProbes

const isRefusedForId = ({ status }: SeenAnswer) => status === 400 || status === 404

const answersOptions = ({ status }: SeenAnswer) => status === 204 || status === 200

function corsOf({ status, headers }: SeenAnswer): 'any-origin' | 'refuse' | 'no-headers' | undefined {
  if (headers['access-control-allow-origin'] === '*') return 'any-origin'
  if (headers['access-control-allow-origin'] !== undefined) return undefined
  return byStatus({ status }, { 200: 'no-headers', 403: 'refuse' })
}
