/** Probes for request values: which are accepted, which are refused. */

import { oneWay, type ProbeAccount, type ProbeRequest, type ServiceProbe, untold } from './asked-by.ts'
import {
  API,
  allocatingFromNobody,
  allocationFields,
  FAR_ABOVE,
  fromNobody,
  get,
  IMPOSSIBLE,
  impossibleAllocation,
  impossibleTill,
  inOrder,
  malformedId,
  paying,
  post,
  referenceOf,
} from './asking.ts'
import { byStatus, either, isRefused, isTaken } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

/** Sends the field in a request that another field makes invalid, so nothing is created. */
const refusing = <Refused extends string, Taken extends string>(
  request: (account: ProbeAccount) => ProbeRequest,
  [field, wrong]: readonly [field: string, wrong: string],
  [refused, taken]: readonly [Refused, Taken],
): ServiceProbe<Refused | Taken> => ({
  ways: [
    {
      tier: 'free',
      steps: (account) => [impossibleAllocation, request(account)],
      tells: ([several, asked]) =>
        either(isRefused(asked, field, { wrong, several, fields: allocationFields }), refused, taken),
    },
  ],
})

const tillField = <Refused extends string, Taken extends string>(
  changed: object,
  field: string,
  told: readonly [Refused, Taken],
) => refusing(() => impossibleTill(changed), [field, 'amount'], told)

const sendMoney = (body: object): ProbeRequest =>
  post(
    `${API}/send-money`,
    { callbackUrl: 'https://merchant.example/mfano-calibrate', ...body },
    { doom: 'impossible-amount' },
  )

/** Has only the fields that a lenient service needs, and an address to which no first password can be sent. */
const nameless = (): ProbeRequest =>
  post(
    `${API}/multiaccount/new/organisation`,
    {
      email: 'none',
      phone: '254700000100',
      user: { username: 'mfano-calibration', password: 'a-long-first-password' },
    },
    { doom: 'impossible-email' },
  )

/** The wallet cannot pay it. Its text is missing, too. */
const shillings = (amount: number): ProbeRequest =>
  sendMoney({ phoneNumber: '256771000100', amount, currencyCode: 'UGX' })

/** Invalid in several ways, so that one request answers several probes. */
const oddTill = { businessNumber: '1234567890', callbackUrl: 'http://merchant.example/mfano-calibrate' }
const nullTill = { businessNumber: '1', referenceId: null }

const toBank = (bankCode: string): ProbeRequest =>
  post(
    `${API}/bank/payout/new`,
    {
      bankCode,
      beneficiaryName: 'Calibration',
      creditAccountNumber: '01000000000000',
      amount: IMPOSSIBLE,
      narration: 'Calibration',
      callbackUrl: 'https://merchant.example/mfano-calibrate',
    },
    { doom: 'impossible-amount' },
  )

const taking = <Taken extends string, Refused extends string>(
  changed: object,
  [taken, refused]: readonly [Taken, Refused],
): ServiceProbe<Taken | Refused> => ({
  ways: [
    {
      tier: 'free',
      steps: (account) => [inOrder(account), allocatingFromNobody(account, changed)],
      tells: ([good, asked]) => either(isTaken(asked, good), taken, refused),
    },
  ],
})

export const requestProbes = {
  'retry-after': {
    unaskable: 'only a rate limit shows it, and one request a second reaches none',
    sees: ({ status, headers }) => (status === 429 ? (headers['retry-after'] ? 'sent' : 'none') : undefined),
  },
  'blank-text': oneWay(
    'free',
    () => [impossibleAllocation, impossibleTill({ remarks: ' ', referenceId: '' })],
    ([several, asked]) => {
      const also = { wrong: 'amount', several, fields: allocationFields }
      const needed = isRefused(asked, 'remarks', also)
      if (needed !== true) return needed === false ? 'accept' : needed
      return either(isRefused(asked, 'referenceId', also), 'refuse', 'absent')
    },
  ),
  'null-fields': tillField(nullTill, 'referenceId', ['refuse', 'absent']),
  'unknown-fields': taking({ memo: 'x' }, ['ignore', 'refuse']),
  'number-forms': oneWay(
    'free',
    (account) => [inOrder(account), allocatingFromNobody(account, { amount: String(fromNobody(account).amount) })],
    ([good, asked]) => either(isTaken(asked, good), 'convert', 'refuse'),
  ),
  'url-rules': tillField(oddTill, 'callbackUrl', ['https-only', 'http-and-https']),
  'ugx-callback': refusing(
    () =>
      sendMoney({
        phoneNumber: '256771000100',
        amount: IMPOSSIBLE,
        currencyCode: 'UGX',
        narration: 'Calibration',
        customerName: 'Calibration',
        callbackUrl: undefined,
      }),
    ['callbackUrl', 'amount'],
    ['required', 'optional'],
  ),
  'required-fields': refusing(nameless, ['user.firstName', 'email'], ['all', 'few']),
  'published-company-id': oneWay(
    'free',
    () => [get(`${API}/till/all`)],
    ([seen]) => byStatus(seen, { 200: 'optional', 400: 'required' }),
  ),
  'documented-limits': refusing(
    () =>
      post(
        `${API}/stk/new`,
        {
          phoneNumber: '254711000100',
          amount: IMPOSSIBLE,
          description: 'A description of more than 13 characters',
          accountReference: 'ORDER1',
          callbackUrl: 'https://merchant.example/mfano-calibrate',
        },
        { doom: 'impossible-amount' },
      ),
    ['description', 'amount'],
    ['refuse', 'warn'],
  ),
  'short-code-format': oneWay(
    'free',
    () => [impossibleAllocation, impossibleTill(oddTill), impossibleTill(nullTill)],
    ([several, ten, one]) => {
      const also = { wrong: 'amount', several, fields: allocationFields }
      const isTenRefused = isRefused(ten, 'businessNumber', also)
      if (isTenRefused !== false) return either(isTenRefused, 'five-to-seven-digits', 'any')
      return either(isRefused(one, 'businessNumber', also), 'five-to-ten-digits', 'any')
    },
  ),
  'phone-format': refusing(
    () => sendMoney({ phoneNumber: '0712345678', amount: IMPOSSIBLE, remarks: 'Calibration', occasion: 'Calibration' }),
    ['phoneNumber', 'amount'],
    ['international', 'lenient'],
  ),
  'whole-shillings': oneWay(
    'free',
    () => [impossibleAllocation, shillings(FAR_ABOVE), shillings(FAR_ABOVE + 0.5)],
    ([several, whole, cents]) => {
      const also = { wrong: 'narration', several, fields: allocationFields }
      const isWholeRefused = isRefused(whole, 'amount', also)
      if (isWholeRefused === true) return untold('the amount is too large, with cents and without')
      return isWholeRefused === false ? either(isRefused(cents, 'amount', also), 'whole', 'cents') : isWholeRefused
    },
  ),
  'bank-code-format': oneWay(
    'free',
    () => [impossibleAllocation, ...['00683', '1032', 'EQUITY'].map(toBank)],
    ([several, ...asked]) => {
      const also = { wrong: 'amount', several, fields: allocationFields }
      const refused = asked.map((one) => isRefused(one, 'bankCode', also))
      const hidden = refused.find((one) => typeof one !== 'boolean')
      if (hidden !== undefined || refused.includes(undefined)) return hidden
      return (
        {
          'true true true': '00-and-two-digits',
          'false true true': '00-and-digits',
          'true false true': 'four-digits',
          'false false false': 'any',
        } as const
      )[refused.join(' ')]
    },
  ),
  'reference-lookup': {
    ways: [
      {
        tier: 'free',
        steps: () => [malformedId, get(`${API}/paybill/single?requestId=mfano-calibration`)],
        tells: ([id, asked]) => {
          if (asked?.status === 400) return 'off'
          if (asked?.status !== 404) return undefined
          if (id?.status === 400) return 'in-request-id'
          return untold('malformed ids are answered as unknown ones, so that a reference looks the same')
        },
      },
      {
        tier: 'payment',
        needs: ['phone-ke'],
        steps: (account) => [
          paying(account),
          get(`${API}/send-money/single?requestId=${referenceOf(account)}&companyId=${account.companyId}`),
        ],
        tells: ([paid, read]) =>
          paid?.status === 201 ? byStatus(read, { 200: 'in-request-id', 404: 'off', 400: 'off' }) : undefined,
      },
    ],
  },
} as const satisfies SomeProbes
