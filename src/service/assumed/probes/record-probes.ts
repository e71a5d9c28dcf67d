/** Probes that read the records an account already has. They decide nothing for an account without records. */

import { oneWay, untold } from './asked-by.ts'
import { allLists, listReads } from './asking.ts'
import { accountHas, alternativeOf, recordsListed, recordsOfAll } from './listed-records.ts'
import type { ListedRecord } from './reading.ts'
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

/** A rail's own reason says nothing about failures that have no reason, so those are left out. */
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

function feeFields(records: readonly ListedRecord[]) {
  const ended = records.filter(({ status, transaction_fee }) => status === 'SUCCESS' && transaction_fee !== undefined)
  if (ended.some(({ transaction_fee }) => transaction_fee !== 0)) return 'told'
  return untold('no record shows a fee; whether one was charged, only the statement of the wallet says')
}

export const recordProbes = {
  'fee-fields': oneWay(
    'free',
    () => [listReads.bankPayouts()],
    (seen) => feeFields(recordsOfAll(seen)),
  ),
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
} as const satisfies SomeProbes
