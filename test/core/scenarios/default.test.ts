import { describe, expect, it } from 'vitest'
import type { JsonObject, PaymentKind } from '../../../src/core/model/payment.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { decide, inShort, loadShipped } from './support.ts'

/** kind, what is changed in an ordinary request, the rule that decides, and what it does. */
const triggers: [PaymentKind, JsonObject, string, string][] = [
  ...(['254711000404', '255711000404', '256771000404'] as const).map(
    (phoneNumber): [PaymentKind, JsonObject, string, string] => [
      'send-money',
      { phoneNumber },
      'the phone number is not registered',
      '2s FAILED',
    ],
  ),
  [
    'send-money',
    { phoneNumber: '254711000408' },
    'the mobile rail gives no answer and the payout times out',
    '600s FAILED',
  ],
  [
    'send-money',
    { phoneNumber: '254711000409' },
    'the payout to the phone succeeds and is taken back two days later',
    '2s SUCCESS, 172800s FAILED',
  ],
  ['send-money', { phoneNumber: '254711000202' }, 'the payout to the phone succeeds slowly', '300s SUCCESS'],
  ['send-money', { phoneNumber: '254711000999' }, 'the payout to the phone never ends', 'never'],
  [
    'send-money',
    { phoneNumber: '254711000403' },
    'the phone number is above its limit',
    'refuse 403 PAYMENT_LIMIT_EXCEEDED',
  ],
  ['send-money', { phoneNumber: '254711000423' }, 'the phone number is locked', 'refuse 423 RESOURCE_LOCKED'],
  ['send-money', { phoneNumber: '254711000429' }, 'the phone number meets a rate limit', 'refuse 429 RATE_LIMITED'],
  ['send-money', { phoneNumber: '254711000500' }, 'the phone number meets a server error', 'refuse 500 SERVER_ERROR'],
  ['send-money', { phoneNumber: '254711000503' }, 'the phone number meets an outage', 'refuse 503 SERVICE_UNAVAILABLE'],
  ['till', { businessNumber: '000404' }, 'the till does not exist', '2s FAILED'],
  ['paybill', { businessNumber: '000404' }, 'the paybill does not exist', '2s FAILED'],
  ['paybill', { accountNumber: '000400' }, 'the account under the paybill is not known', '2s FAILED'],
  ...(['till', 'paybill'] as const).flatMap((kind): [PaymentKind, JsonObject, string, string][] => [
    [kind, { businessNumber: '000408' }, 'the business rail gives no answer and the payment times out', '600s FAILED'],
    [
      kind,
      { businessNumber: '000409' },
      'the payment to the business succeeds and is taken back two days later',
      '2s SUCCESS, 172800s FAILED',
    ],
    [kind, { businessNumber: '000202' }, 'the payment to the business succeeds slowly', '300s SUCCESS'],
    [kind, { businessNumber: '000999' }, 'the payment to the business never ends', 'never'],
    [kind, { businessNumber: '000403' }, 'the business number is above its limit', 'refuse 403 PAYMENT_LIMIT_EXCEEDED'],
    [kind, { businessNumber: '000423' }, 'the business number is locked', 'refuse 423 RESOURCE_LOCKED'],
    [kind, { businessNumber: '000429' }, 'the business number meets a rate limit', 'refuse 429 RATE_LIMITED'],
    [kind, { businessNumber: '000500' }, 'the business number meets a server error', 'refuse 500 SERVER_ERROR'],
    [kind, { businessNumber: '000503' }, 'the business number meets an outage', 'refuse 503 SERVICE_UNAVAILABLE'],
  ]),
  ['bank-payout', { creditAccountNumber: '01000000000404' }, 'the bank account does not exist', '4s FAILED'],
  ['bank-payout', { creditAccountNumber: '01000000000410' }, 'the bank account is closed', '4s FAILED'],
  [
    'bank-payout',
    { creditAccountNumber: '01000000000408' },
    'the bank rail gives no answer and the payout times out',
    '600s FAILED',
  ],
  [
    'bank-payout',
    { creditAccountNumber: '01000000000409' },
    'the bank payout succeeds and is taken back two days later',
    '4s SUCCESS, 172800s FAILED',
  ],
  ['bank-payout', { creditAccountNumber: '01000000000202' }, 'the bank payout succeeds slowly', '300s SUCCESS'],
  ['bank-payout', { creditAccountNumber: '01000000000999' }, 'the bank payout never ends', 'never'],
  [
    'bank-payout',
    { creditAccountNumber: '01000000000403' },
    'the bank account is above its limit',
    'refuse 403 PAYMENT_LIMIT_EXCEEDED',
  ],
  [
    'bank-payout',
    { creditAccountNumber: '01000000000423' },
    'the bank account is locked',
    'refuse 423 RESOURCE_LOCKED',
  ],
  [
    'bank-payout',
    { creditAccountNumber: '01000000000429' },
    'the bank account meets a rate limit',
    'refuse 429 RATE_LIMITED',
  ],
  [
    'bank-payout',
    { creditAccountNumber: '01000000000500' },
    'the bank account meets a server error',
    'refuse 500 SERVER_ERROR',
  ],
  [
    'bank-payout',
    { creditAccountNumber: '01000000000503' },
    'the bank account meets an outage',
    'refuse 503 SERVICE_UNAVAILABLE',
  ],
  [
    'bank-payout',
    { creditAccountNumber: '02200000000422', beneficiaryName: 'Jane Wanjiku' },
    'the beneficiary name is not JOHN DOE',
    '4s FAILED',
  ],
  [
    'bank-payout',
    { creditAccountNumber: '02200000000422', beneficiaryName: 'John Doe' },
    'the bank payout succeeds',
    '4s SUCCESS',
  ],
  [
    'bank-payout',
    { creditAccountNumber: '01100000000422', beneficiaryName: 'John Doe' },
    "the beneficiary name is not the account holder's",
    '4s FAILED',
  ],
  [
    'bank-payout',
    { creditAccountNumber: '01100000000422', beneficiaryName: 'Mwangi Jane' },
    'the bank payout succeeds',
    '4s SUCCESS',
  ],
  ['account-verification', { accountNumber: '000404' }, 'the account to verify does not exist', '4s FAILED'],
  ['account-verification', { accountNumber: '000410' }, 'the account to verify is closed', '4s FAILED'],
  [
    'account-verification',
    { accountNumber: '000408' },
    'the bank gives no answer and the verification times out',
    '600s FAILED',
  ],
  ['account-verification', { accountNumber: '000999' }, 'the verification never ends', 'never'],
  [
    'account-verification',
    { bankCode: '0068', accountNumber: '01100000000422' },
    'the account is verified',
    '4s SUCCESS',
  ],
  [
    'send-money',
    { currencyCode: 'TZS', amount: 999.99 },
    'a payout in TZS is below 1000',
    'refuse 400 REQ_INVALID_FIELD',
  ],
  ...(['send-money', 'till', 'paybill', 'bank-payout'] as const).flatMap(
    (kind): [PaymentKind, JsonObject, string, string][] => [
      [kind, { amount: 404.01 }, 'the amount of the payout fails', '2s FAILED'],
      [kind, { amount: 408.01 }, 'the amount of the payout times out', '600s FAILED'],
      [kind, { amount: 409.01 }, 'the amount of the payout is taken back two days later', '2s SUCCESS, 172800s FAILED'],
      [kind, { amount: 202.01 }, 'the amount of the payout succeeds slowly', '300s SUCCESS'],
      [kind, { amount: 999.01 }, 'the amount of the payout never ends', 'never'],
      [kind, { amount: 403.01 }, 'the amount is above the limit', 'refuse 403 PAYMENT_LIMIT_EXCEEDED'],
    ],
  ),
  ...(['send-money', 'till', 'paybill', 'bank-payout', 'checkout', 'allocation', 'de-allocation'] as const).flatMap(
    (kind): [PaymentKind, JsonObject, string, string][] => [
      [kind, { amount: 429.01 }, 'the amount meets a rate limit', 'refuse 429 RATE_LIMITED'],
      [kind, { amount: 500.01 }, 'the amount meets a server error', 'refuse 500 SERVER_ERROR'],
      [kind, { amount: 503.01 }, 'the amount meets an outage', 'refuse 503 SERVICE_UNAVAILABLE'],
    ],
  ),
  ['stk', { phoneNumber: '254711000401' }, 'the payer types a wrong PIN', '5s FAILED'],
  ['stk', { phoneNumber: '254711000402' }, 'the payer has too little money', '5s FAILED'],
  ['stk', { phoneNumber: '254711000101', amount: 21 }, 'the payer has too little money', '5s FAILED'],
  ['stk', { phoneNumber: '254711000101', amount: 20 }, 'the payer approves', '5s SUCCESS'],
  ['stk', { phoneNumber: '254711000404' }, 'the phone number cannot be reached', '5s FAILED'],
  ['stk', { phoneNumber: '254711000408' }, 'the payer does not touch the phone and the prompt times out', '60s FAILED'],
  ['stk', { phoneNumber: '254711000499' }, 'the payer cancels the prompt', '5s FAILED'],
  [
    'stk',
    { phoneNumber: '254711000409' },
    'the collection succeeds and is taken back two days later',
    '5s SUCCESS, 172800s FAILED',
  ],
  ['stk', { phoneNumber: '254711000202' }, 'the payer takes five minutes', '300s SUCCESS'],
  ['stk', { phoneNumber: '254711000999' }, 'the collection never ends', 'never'],
  ['stk', { phoneNumber: '254711000403' }, 'the phone number is above its limit', 'refuse 403 PAYMENT_LIMIT_EXCEEDED'],
  ['stk', { phoneNumber: '254711000503' }, 'the phone number meets an outage', 'refuse 503 SERVICE_UNAVAILABLE'],
  ['checkout', { amount: 201.01 }, 'the session is paid by itself', 'paid 5s, 3s SUCCEEDED'],
  ['checkout', { amount: 402.01 }, 'the session is paid by itself and the payment fails', 'paid 5s, 3s FAILED'],
  ['checkout', { amount: 404.01 }, "the customer's payment fails", '3s FAILED'],
  ['checkout', { customerPhone: '+254711000402' }, "the customer's payment succeeds", '3s SUCCEEDED'],
  ['checkout', { amount: 408.01 }, "the customer's payment times out", '600s FAILED'],
  ['checkout', { amount: 202.01 }, "the customer's payment succeeds slowly", '300s SUCCEEDED'],
  ['checkout', { amount: 999.01 }, "the customer's payment never ends", 'never'],
  [
    'allocation',
    { amount: 402.01 },
    'the source wallet of an allocation has too little money',
    'refuse 402 INSUFFICIENT_FUNDS',
  ],
  ['de-allocation', { amount: 423.01 }, 'the amount meets a locked wallet', 'refuse 423 RESOURCE_LOCKED'],
  ['bank-collection', { amount: 503.01 }, 'the amount meets an outage', 'refuse 503 SERVICE_UNAVAILABLE'],
]

const success: Record<PaymentKind, string> = {
  'send-money': '2s SUCCESS',
  till: '2s SUCCESS',
  paybill: '2s SUCCESS',
  'bank-payout': '4s SUCCESS',
  'account-verification': '4s SUCCESS',
  stk: '5s SUCCESS',
  'bank-collection': '0s SUCCESS',
  checkout: '3s SUCCEEDED',
  allocation: '0s SUCCESS',
  'de-allocation': '0s SUCCESS',
}

describe('the default scenario', () => {
  const scenario = loadShipped('default')

  it.each(paymentsService.kinds.names)('lets an ordinary %s succeed', (kind) => {
    expect(inShort(decide(scenario, kind))).toBe(success[kind])
  })

  it.each(triggers)('%s with %o: %s, so %s', (kind, changes, rule, outcome) => {
    const decision = decide(scenario, kind, changes)
    expect(decision.plan?.rule ?? decision.refuse?.rule).toBe(rule)
    expect(inShort(decision)).toBe(outcome)
  })

  it('lets the numbers of the published samples succeed', () => {
    for (const phoneNumber of ['254700000001', '254700000002', '254712345678', '255600000000', '256700000001']) {
      expect(inShort(decide(scenario, 'send-money', { phoneNumber }))).toBe('2s SUCCESS')
      expect(inShort(decide(scenario, 'stk', { phoneNumber }))).toBe('5s SUCCESS')
    }
  })

  it('says why a bank rejected a payout and why a payer did not pay', () => {
    expect(
      decide(scenario, 'bank-payout', { creditAccountNumber: '01100000000422', beneficiaryName: 'X' }).plan?.with,
    ).toEqual({
      errorCode: 'NAME_MISMATCH',
      errorDesc: 'Beneficiary name does not match',
    })
    expect(decide(scenario, 'stk', { phoneNumber: '254711000499' }).plan?.with).toMatchObject({
      responseCode: 1032,
      responseDescription: 'Request cancelled by user',
    })
  })

  it('is tested rule by rule', () => {
    const tested = new Set([
      ...triggers.map(([, , rule]) => rule),
      ...paymentsService.kinds.names.map((kind) => decide(scenario, kind).plan?.rule),
      decide(scenario, 'stk', { phoneNumber: '254711000423' }).refuse?.rule,
    ])
    expect(scenario.rules.map((rule) => rule.name).filter((name) => !tested.has(name))).toEqual([])
  })
})
