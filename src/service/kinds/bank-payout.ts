import * as z from 'zod'
import { float } from '../../core/model/json.ts'
import type { View } from '../../core/model/kind.ts'
import { toMajor, toMinor } from '../../core/model/money.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { chosen, reason } from '../assumptions/assumptions.ts'
import { referenceUsed } from '../declarations/lookups.ts'
import { kind, payoutMachine } from '../declarations/payment-kind.ts'
import { field, form, owner, type RecordSource, record, settable, shared, times } from '../declarations/record.ts'
import { answered, constrained, envelope, published, schemaField } from '../fields.ts'
import { bankCodeRules, EXAMPLE_REFERENCE, exampleCallbackUrl, request } from '../requests/request.ts'

const bankPayoutRequest = request({
  id: 'BankPayoutRequest',
  basis: 'specified',
  fields: ({ text, amount, httpUrl, referenceId, bankCode, accountNumber }) => ({
    bankCode: bankCode('specified'),
    beneficiaryName: text('specified', 'Must match the account; a mismatch is the most common cause of rejection.', {
      max: 200,
      required: 'published',
    }),
    creditAccountNumber: accountNumber('specified', 'The account that receives the money.'),
    amount: amount('specified', 'Kenyan shillings.', { required: 'published' }),
    narration: text('specified', 'Free text.', { required: 'published' }),
    callbackUrl: httpUrl('specified', 'Told the final outcome.', { required: 'published' }),
    referenceId: referenceId('specified'),
  }),
  rules: bankCodeRules,
})

type BankPayoutRequest = z.infer<typeof bankPayoutRequest>

const { requestId, pending, status, uuid, floatAmount, wholeAmount, callbackUrl } = answered
const fee = (what: string) => `${what}; 0.0 while pending (published).`

/** In major units; `0.0` until it ends, as pending records show, or as `fee-fields` says. */
function charged({ view, details }: RecordSource<BankPayoutRequest>, name: string): number {
  const value = chosen(view)['fee-fields'] === 'told' ? details[name] : 0
  return float(typeof value === 'number' ? (toMinor(value) ?? 0) : 0)
}

/** Specified; a whole amount is printed as an integer (published). */
const bankPayoutAccepted = record<BankPayoutRequest>('BankPayoutAccepted', 'specified', {
  requestId: shared(requestId, 'uuid'),
  creditAccountNumber: field('As sent.', form.text),
  beneficiaryName: field('As sent.', form.text),
  amount: shared(wholeAmount, ({ payment }) => toMajor(payment.amountMinor)),
  status: shared(pending, () => 'PENDING'),
})

/** The keys of a paybill's callback. Published; `businessNumber` is assumed. */
const bankPayoutCallback = record<BankPayoutRequest>('BankPayoutCallback', 'published', {
  accountNumber: field('The credited account.', form.text, ({ request }) => request.creditAccountNumber),
  businessNumber: field('The bank code (assumed).', form.text, ({ request }) => request.bankCode),
  // Payout callbacks are matched by it (specification, Events).
  requestId: shared(requestId, 'uuid'),
  amount: shared(published.wholeAmount, ({ payment }) => toMajor(payment.amountMinor)),
  status: shared(published.status, 'status'),
})

/** Fields and the organisation with eight keys specified; key order published. */
const bankPayoutRecord = record<BankPayoutRequest>('BankPayoutRecord', 'specified', {
  uuid: shared(uuid, 'uuid'),
  organisation: owner,
  channel: field('PESALINK is the only value seen.', { ...form.text, usual: 'specified' }, 'PESALINK'),
  amount: shared(floatAmount, ({ payment }) => float(payment.amountMinor)),
  service_amount: {
    ...field(fee("The service's share"), { ...form.decimal, usual: [0, 'fee-fields'] }, charged),
    set: 'amount',
  },
  transaction_fee: { ...field(fee('The fee'), { ...form.decimal, usual: [0, 'fee-fields'] }, charged), set: 'amount' },
  transaction_amount: {
    ...field(
      'The amount with its fee, which may be none (assumption fee-fields); 0.0 while pending (published).',
      form.decimal,
      charged,
    ),
    set: 'amount',
  },
  bankCode: field('As sent.', form.text),
  beneficiaryName: field('As sent.', form.text),
  creditAccount: field(
    'The creditAccountNumber of the request.',
    form.text,
    ({ request }) => request.creditAccountNumber,
  ),
  currency: field('KES is the only value seen.', { ...form.text, usual: 'specified' }, 'KES'),
  direction: field(
    'Meaning not shown; 0 in every sample.',
    { ...form.integer, usual: 'convention: direction of a bank payout' },
    0,
  ),
  narration: field('As sent.', form.text),
  transactionReference: field('A uuid (published).', form.text, ({ view, payment }) =>
    view.ids.uuid('transaction-reference', payment.seq),
  ),
  // The organisation's own number is the least surprising text. Assumed.
  receiverPhoneNumber: field(
    "No request field feeds it: the caller's own number (assumed).",
    form.text,
    ({ view, payment }) => view.store.organisations.byId(payment.organisationId).phoneNumber,
  ),
  requestId: settable(
    'Null although uuid was handed out as requestId (published).',
    { ...form.textOrNull, usual: 'published' },
    null,
  ),
  status: shared(status, 'status'),
  statusCode: settable(
    'Null until the end.',
    { ...form.textOrNull, usual: ['00', 'success-record'], set: 'any' },
    null,
  ),
  statusDesc: settable('Null until the end.', { ...form.textOrNull, usual: ['Success', 'success-record'] }, null),
  originalRequestID: settable('Null in every sample.', { ...form.textOrNull, usual: 'published' }, null),
  endToEndID: settable('Null until the end.', form.textOrNull, null),
  callbackUrl: shared(callbackUrl, ({ payment }) => payment.callbackUrl ?? ''),
  errorCode: settable('Set by a failure.', { ...form.textOrNull, usual: 'published', set: 'any' }, null),
  errorDesc: settable('Set by a failure.', { ...form.textOrNull, usual: 'published' }, null),
  ...times('six-digits'),
})

/** An array of one. Specified. */
const bankPayoutAnswer = envelope(
  200,
  'The payout, in an array',
  'SUCCESS',
  constrained(z.array(bankPayoutRecord.schema).length(1), { minItems: 'specified', maxItems: 'specified' }),
  'specified',
  'published',
)

type BankPayout = Payment<BankPayoutRequest>

function bankPayoutOutcome(view: View, payment: BankPayout): JsonObject {
  return {
    statusCode: '00',
    statusDesc: 'Success',
    endToEndID: view.ids.uuid('end-to-end', payment.seq),
    ...breakdown(payment),
  }
}

/** The whole fee is the service's share. The sum is what left the wallet, with a fee or without one. */
function breakdown({ plan: { feeMinor = 0 }, amountMinor }: BankPayout): JsonObject {
  const fee = toMajor(feeMinor)
  return { service_amount: fee, transaction_fee: fee, transaction_amount: toMajor(amountMinor + feeMinor) }
}

const nameMismatch = reason('rules', 'REQ_INVALID_FIELD', 'the account has another holder', 'name-mismatch', 'at-once')

export const bankPayout = kind({
  name: 'bank-payout',
  phrase: 'a bank payout',
  tag: 'Bank payouts',
  base: '/api/sandbox/v1/bank/payout',
  noun: 'payout',
  message: 'SUCCESS',
  direction: 'out',
  machine: payoutMachine('bank-payout'),
  request: bankPayoutRequest,
  party: { type: 'account', field: 'creditAccountNumber', bank: 'bankCode', name: 'beneficiaryName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'errorCode', text: 'errorDesc' },
  refusedAtOnce: { failure: 'NAME_MISMATCH', reason: nameMismatch },
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: bankPayoutOutcome,
  record: bankPayoutRecord,
  callback: { record: bankPayoutCallback },
  operations: ({ opens, single, all }) => [
    opens({
      id: 'createBankPayout',
      summary: 'Pay out to a Kenyan bank account',
      description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
      source: 'specification, Bank payouts; published bank_payouts/pesalink/post',
      accepted: bankPayoutAccepted,
      example: (baseUrl) => ({
        bankCode: '0068',
        beneficiaryName: 'Jane Wanjiku Mwangi',
        creditAccountNumber: '0123456789',
        amount: 2500,
        narration: 'Invoice 2041',
        callbackUrl: exampleCallbackUrl(baseUrl),
        referenceId: EXAMPLE_REFERENCE,
      }),
    }),
    single({
      id: 'getBankPayout',
      summary: 'Read one bank payout',
      description: 'The data is an array with this one record.',
      source: 'specification, Bank payouts; published bank_payouts/pesalink/get-single',
      answer: bankPayoutAnswer,
      show: (view, payment) => [bankPayoutRecord.show(view, payment)],
    }),
    all({
      id: 'listBankPayouts',
      summary: 'List bank payouts',
      source: 'specification, Bank payouts; published bank_payouts/pesalink/get-all',
    }),
  ],
})

// Asks who holds a bank account. Moves no money, and answers with a callback.

const verifyAccountRequest = request({
  id: 'VerifyAccountRequest',
  basis: 'published',
  fields: ({ httpUrl, bankCode, accountNumber }) => ({
    bankCode: bankCode('published'),
    accountNumber: accountNumber('published', 'The account to look up.'),
    callbackUrl: httpUrl('published', "Told the holder's name.", { required: 'published' }),
  }),
  rules: bankCodeRules,
})

type VerifyAccountRequest = z.infer<typeof verifyAccountRequest>

/** Published, unlisted. */
const verificationAccepted = record<VerifyAccountRequest>('VerificationAccepted', 'published', {
  requestId: shared(published.requestId, 'uuid'),
  creditAccountNumber: field('The accountNumber of the request.', form.text, ({ request }) => request.accountNumber),
  status: shared(published.pending, () => 'PENDING'),
  amount: shared(schemaField('published', 'Always 0.0.', z.literal(0), { const: 'published' }), () => float(0)),
})

/** Published, unlisted; the form of a failure is assumed. */
const verificationCallback = record<VerifyAccountRequest>('VerificationCallback', 'published', {
  accountNumber: field('As sent.', form.text),
  requestId: shared(published.requestId, 'uuid'),
  statusCode: field(
    '00 goes with success; another is assumed to tell failure.',
    { ...form.text, usual: ['00', 'published'] },
    (shown) => foundBy(shown)['statusCode'] ?? '01',
  ),
  receiverName: field(
    'The holder of the account; empty when there is none (assumed).',
    form.text,
    (shown) => foundBy(shown)['receiverName'] ?? '',
  ),
  receiverAccount: field('The account that was found.', form.text, ({ request }) => request.accountNumber),
  bankCode: field('As sent.', form.text),
  status: field(
    'Success; Failed is assumed.',
    { schema: z.enum(['Success', 'Failed', 'FAILED']), grounds: { enum: 'verification-failure' } },
    ({ view, payment }) => (payment.status === 'SUCCESS' ? 'Success' : chosen(view)['verification-failure']),
  ),
})

const verificationFailures: Readonly<Record<string, string>> = {
  '01': 'The account does not exist',
  '02': 'The account is closed',
  '99': 'The bank gave no answer in time',
}

type Verification = Payment<VerifyAccountRequest>

/** The sample of a success has both, so no assumption about records removes them. */
function foundBy({ view, payment }: RecordSource<VerifyAccountRequest>): JsonObject {
  return { ...(payment.status === 'SUCCESS' && verificationOutcome(view, payment)), ...payment.details }
}

function verificationOutcome(view: View, { request }: Verification): JsonObject {
  const { holder } = view.scenario.directory.bankAccount(request.bankCode, request.accountNumber)
  return { statusCode: '00', receiverName: holder }
}

export const accountVerification = kind({
  name: 'account-verification',
  phrase: 'an account verification',
  tag: 'Bank payouts',
  base: '/api/sandbox/v1/bank/payout/verify-account',
  direction: 'none',
  machine: payoutMachine('account-verification'),
  request: verifyAccountRequest,
  party: { type: 'account', field: 'accountNumber', bank: 'bankCode', name: 'receiverName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'statusCode', words: verificationFailures },
  beyondRecord: { statusCode: 'text', receiverName: 'text' },
  outcome: verificationOutcome,
  callback: { record: verificationCallback, finalOnly: true },
  operations: ({ opens }) => [
    opens({
      id: 'verifyBankAccount',
      path: '',
      summary: 'Look up the holder of a bank account',
      description: "The holder's name is sent to callbackUrl.",
      source: 'published bank_payouts/pesalink/verify-account (unlisted)',
      only: { assumption: 'unlisted-operations', is: 'on' },
      message: 'SUCCESS',
      accepted: verificationAccepted,
      told: { description: 'The result' },
      example: (baseUrl) => ({
        bankCode: '0068',
        accountNumber: '0123456789',
        callbackUrl: exampleCallbackUrl(baseUrl),
      }),
    }),
  ],
})
