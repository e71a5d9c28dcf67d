/** What the records that an account has already tell by themselves. An account without them is told nothing. */

import { oneWay, type SeenAnswer, untold } from './asked-by.ts'
import { API, allLists, listReads, post } from './asking.ts'
import { accountHas, alternativeOf, isPaidIn, recordsListed, recordsOfAll } from './listed-records.ts'
import { isDone, type ListedRecord } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

const FAILURE_FIELDS = ['statusCode', 'statusDesc', 'errorCode', 'errorDesc']

function failureTold(record: ListedRecord): boolean {
  if (typeof record.responseCode === 'number' && record.responseCode !== 0) return true
  return FAILURE_FIELDS.some((name) => typeof record[name] === 'string' && record[name] !== '')
}

function failureCodes(records: readonly ListedRecord[]) {
  const failed = records.filter(({ status }) => status === 'FAILED')
  if (failed.some(failureTold)) return 'told'
  // The one published failure, of a till, tells nothing either way.
  const isTelling = (record: ListedRecord) => 'merchantRequestId' in record || 'bankCode' in record
  return failed.some(isTelling) ? 'silent' : accountHas('no collection and no bank payout that failed')
}

/** A rail may give its reason, which tells nothing of those without one. */
function failedDescription(records: readonly ListedRecord[]) {
  const isShortCode = (record: ListedRecord) => 'businessNumber' in record && record.status === 'FAILED'
  const said = records.filter(isShortCode).map((record) => record.responseDescription)
  if (said.includes(null)) return 'null'
  if (said.includes('')) return 'empty'
  return said.some((text) => /^accept\b/i.test(text))
    ? 'as-accepted'
    : accountHas('no till or paybill payment that failed without a reason')
}

function successRecord(records: readonly ListedRecord[]) {
  const ended = records.filter(
    ({ status, transactionReceipt }) => status === 'SUCCESS' && transactionReceipt !== undefined,
  )
  if (ended.length === 0) return accountHas('no payout to a phone, till or paybill that succeeded')
  return ended.some(({ transactionReceipt }) => transactionReceipt !== null) ? 'filled' : 'bare'
}

function directionOf(records: readonly ListedRecord[]) {
  const ended = records.filter(({ status, direction }) => status !== 'PENDING' && direction !== undefined)
  if (ended.length === 0) return accountHas('no bank payout that has ended')
  const seen = new Set(ended.map(({ direction }) => direction))
  if (seen.size > 1) return undefined
  return seen.has(0) ? '0' : seen.has(1) ? '1' : undefined
}

function customerIds(records: readonly ListedRecord[]) {
  const own = Map.groupBy(
    records.filter(({ customerid }) => typeof customerid === 'string'),
    ({ organisation }) => organisation?.uuid,
  )
  for (const [, ofOne] of own) {
    const ids = new Set(ofOne.map(({ customerid }) => customerid))
    if (ids.size > 1) return 'new-for-each'
    // Two may be alike by chance.
    if (ofOne.length > 2) return 'of-the-organisation'
  }
  return accountHas('less than three bank collections')
}

function feeFields(records: readonly ListedRecord[]) {
  const ended = records.filter(({ status, transaction_fee }) => status === 'SUCCESS' && transaction_fee !== undefined)
  if (ended.some(({ transaction_fee }) => transaction_fee !== 0)) return 'told'
  return untold('no record shows a fee; whether one was charged, only the statement of the wallet says')
}

function narrationIn(records: readonly ListedRecord[]) {
  const foreign = records.filter((one) => (isPaidIn('255')(one) || isPaidIn('256')(one)) && 'remarks' in one)
  if (foreign.length === 0) return accountHas('no payout in TZS or UGX')
  return foreign.some(({ remarks }) => remarks !== '') ? 'remarks' : 'nowhere'
}

export const recordProbes = {
  'payout-direction': {
    ...oneWay(
      'free',
      () => [listReads.bankPayouts()],
      (seen) => directionOf(recordsOfAll(seen)),
    ),
    sees: (seen) => alternativeOf(directionOf(recordsListed(seen))),
  },
  'fee-fields': oneWay(
    'free',
    () => [listReads.bankPayouts()],
    (seen) => feeFields(recordsOfAll(seen)),
  ),
  'narration-in-records': {
    ...oneWay(
      'free',
      (account) => [listReads.sendMoney(account)],
      (seen) => narrationIn(recordsOfAll(seen)),
    ),
    sees: (seen) => alternativeOf(narrationIn(recordsListed(seen))),
  },
  'customer-id': {
    ...oneWay(
      'free',
      () => [listReads.bankCollections()],
      (seen) => customerIds(recordsOfAll(seen)),
    ),
    sees: (seen) => alternativeOf(customerIds(recordsListed(seen))),
  },
  'success-record': {
    ...oneWay('free', allLists, (seen) => successRecord(recordsOfAll(seen))),
    sees: (seen) => alternativeOf(successRecord(recordsListed(seen))),
  },
  'failed-description': {
    ...oneWay(
      'free',
      (account) => [listReads.till(account), listReads.paybill()],
      (seen) => failedDescription(recordsOfAll(seen)),
    ),
    sees: (seen) => alternativeOf(failedDescription(recordsListed(seen))),
  },
  'failure-codes': {
    ...oneWay('free', allLists, (seen) => failureCodes(recordsOfAll(seen))),
    sees: (seen) => (failureCodes(recordsListed(seen)) === 'told' ? 'told' : undefined),
  },
  'reversed-record': { unaskable: 'nobody but the service can take back a payment that succeeded' },
  'absent-account': {
    ...oneWay(
      'payment',
      (account) => [
        post(`${API}/till`, {
          businessNumber: account.tillNumber,
          amount: account.amount,
          remarks: 'Calibration',
          occasion: 'Calibration',
          callbackUrl: `${account.receiver ?? 'https://merchant.example/mfano-calibrate'}/till`,
        }),
      ],
      ([paid]) => accountOf(paid),
      ['till'],
    ),
    sees: (seen) => {
      const { method, path, body } = seen.request
      const isTill = method === 'POST' && path === `${API}/till` && isDone(seen)
      return isTill && body && !('accountNumber' in body) ? accountOf(seen) : undefined
    },
  },
} as const satisfies SomeProbes

function accountOf(paid: SeenAnswer | undefined): 'empty' | 'filled-in' | undefined {
  const { accountNumber, businessNumber } = paid?.body?.data ?? {}
  if (accountNumber === '') return 'empty'
  return accountNumber !== undefined && accountNumber === businessNumber ? 'filled-in' : undefined
}
