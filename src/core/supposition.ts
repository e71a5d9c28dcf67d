import { type Core, kindOf, stamp } from './core.ts'
import { fundingCode } from './engine/ledger.ts'
import { openPayment, resolvePayment } from './engine/payments.ts'
import { isPaid, legalEvents } from './lifecycle.ts'
import { partyOf } from './model/kind.ts'
import { type Currency, toMinor, walletCode } from './model/money.ts'
import type { JsonObject, Organisation, Payment, PaymentKind } from './model/payment.ts'
import type { Scenario } from './scenario.ts'

type SupposedEnd = 'succeeded' | 'failed' | 'pending'

/**
 * Replaces the earlier payments of a kind with a party; a missing count is 0. `paidToday`: major units on the day of
 * the request; needs one that succeeded.
 */
type SupposedHistory = Partial<Record<SupposedEnd | 'paidToday', number | undefined>>

interface SupposedOrganisation {
  uuid?: string | undefined
  name?: string | undefined
  /** False: it is a sub-account. */
  parent?: boolean | undefined
}

export interface SupposedSubject {
  kind: PaymentKind
  organisationId: number
  currency: Currency
  request: JsonObject
}

/** Gives the organisation as changed. The uuid of another organisation selects that one. */
export function supposeOrganisation(
  core: Core,
  id: number,
  { uuid, name, parent }: SupposedOrganisation,
): Organisation {
  const { organisations } = core.store
  const own = organisations.byUuid(uuid ?? '') ?? organisations.byId(id)
  const parentId = parent === undefined ? own.parentId : parent ? null : (own.parentId ?? makeParent(core, own))
  organisations.save({ ...own, uuid: uuid ?? own.uuid, name: name ?? own.name, parentId })
  return organisations.byId(own.id)
}

function makeParent(core: Core, own: Organisation): number {
  const { organisations, counters } = core.store
  const id = counters.next('organisation')
  const uuid = core.ids.uuid('organisation', id)
  const uniqueReference = `supposed-${id}`
  organisations.insert({ ...own, id, uuid, uniqueReference, name: 'Supposed Parent Ltd', parentId: null })
  return id
}

export function supposeWallet(core: Core, { organisationId, currency }: SupposedSubject, availableMinor: number): void {
  const missingMinor = availableMinor - core.ledger.available(organisationId, currency)
  if (missingMinor === 0) return
  const [funding, wallet] = [fundingCode(currency), walletCode(organisationId, currency)]
  core.ledger.post({
    kind: 'funding',
    debit: missingMinor > 0 ? funding : wallet,
    credit: missingMinor > 0 ? wallet : funding,
    amountMinor: Math.abs(missingMinor),
    paymentSeq: null,
    atUs: stamp(core),
  })
}

/** Makes the earlier payments, each to its end. The wallet's balance is the same afterwards. */
export function supposeHistory(
  core: Core,
  subject: SupposedSubject,
  { succeeded = 0, failed = 0, pending = 0, paidToday = 0 }: SupposedHistory,
): void {
  const { kind, organisationId, currency, request } = subject
  if (partyOf(kindOf(core, subject), request) === null) return
  forgetHistory(core, subject)
  const paidMinor = toMinor(paidToday) ?? 0
  const ends = [
    ...Array<SupposedEnd>(Math.max(succeeded, paidMinor > 0 ? 1 : 0)).fill('succeeded'),
    ...Array<SupposedEnd>(failed).fill('failed'),
    ...Array<SupposedEnd>(pending).fill('pending'),
  ]
  const availableMinor = core.ledger.available(organisationId, currency)
  supposeWallet(core, subject, availableMinor + paidMinor)
  // Supposed payments are decided by nobody, and meet no rail.
  const undecided: Core = { ...core, scenario: undecidedScenario(core.scenario), trace: undefined }
  for (const [i, end] of ends.entries()) {
    const { payment } = openPayment(undecided, {
      command: 'open-payment',
      kind,
      organisationId,
      currency,
      // Only what was paid today has an amount: the others count for their ends alone.
      amountMinor: i === 0 ? paidMinor : 0,
      request,
    })
    if (end !== 'pending') endAs(undecided, payment, end)
  }
  supposeWallet(core, subject, availableMinor)
}

export function forgetHistory(core: Core, subject: SupposedSubject, sinceSeq = 0): void {
  const party = partyOf(kindOf(core, subject), subject.request)
  if (party !== null) core.store.payments.forgetParty(subject.kind, party, sinceSeq)
}

function undecidedScenario(scenario: Scenario): Scenario {
  return {
    ...scenario,
    rails: { ...scenario.rails, limits: [], fees: [], float: [], cutOff: [], maintenance: [] },
    decide: () => ({
      plan: { rule: 'supposed', trace: '', afterUs: null, end: 'SUCCESS', with: {}, revise: null, payAfterUs: null },
      counted: [],
    }),
  }
}

function endAs(core: Core, { kind, uuid, status }: Payment, end: SupposedEnd): void {
  const ways = legalEvents(kindOf(core, { kind }), status)
  const way = ways.find(({ leadsTo }) => (end === 'failed' ? leadsTo === 'FAILED' : isPaid(leadsTo)))
  if (way) resolvePayment(core, { command: 'resolve-payment', uuid, status: way.leadsTo })
}
