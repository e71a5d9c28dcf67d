/** Sets up what a question supposes, in a dry run or in a private copy of a world. */
import { type Core, kindOf, stamp } from './core.ts'
import { openPayment } from './engine/handlers/open-payment.ts'
import { resolvePayment } from './engine/handlers/step-payment.ts'
import { fundingCode } from './ledger/ledger.ts'
import { legalEvents } from './lifecycle.ts'
import { walletCode } from './model/account.ts'
import { type Currency, toMinor } from './model/money.ts'
import { partyOf } from './model/party.ts'
import type { JsonObject, Organisation, Payment, PaymentKind } from './model/payment.ts'
import type { Scenario } from './scenario.ts'

/**
 * Replaces the earlier payments of a kind with a party; a missing count is 0. `paidToday`: major units on the day of
 * the request; needs one that succeeded.
 */
export type SupposedHistory = Partial<Record<'succeeded' | 'failed' | 'pending' | 'paidToday', number | undefined>>

export type SupposedOrganisation = Partial<Pick<Organisation, 'uuid' | 'name'>> & { parent?: boolean }

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
  const known = uuid === undefined ? undefined : organisations.byUuid(uuid)
  const own = known ?? organisations.byId(id)
  const parentId = parent === undefined ? own.parentId : parent ? null : (own.parentId ?? makeParent(core, own))
  organisations.save({ ...own, uuid: uuid ?? own.uuid, name: name ?? own.name, parentId })
  return organisations.byId(own.id)
}

function makeParent(core: Core, { phoneNumber, email }: Organisation): number {
  const { organisations, counters } = core.store
  const id = counters.next('organisation')
  const atUs = stamp(core)
  organisations.insert({
    id,
    uuid: core.ids.uuid('organisation', id),
    name: 'Supposed Parent Ltd',
    phoneNumber,
    email,
    uniqueReference: `supposed-${id}`,
    collectionCallbackUrl: null,
    parentId: null,
    createdAtUs: atUs,
    updatedAtUs: atUs,
  })
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
export function supposeHistory(core: Core, subject: SupposedSubject, history: SupposedHistory): void {
  const { kind, organisationId, currency, request } = subject
  const party = partyOf(kindOf(core, subject), request)
  if (party === null) return
  forgetHistory(core, subject)
  const paidMinor = toMinor(history.paidToday ?? 0) ?? 0
  const ends: SupposedEnd[] = [
    ...Array<SupposedEnd>(Math.max(history.succeeded ?? 0, paidMinor > 0 ? 1 : 0)).fill('succeeded'),
    ...Array<SupposedEnd>(history.failed ?? 0).fill('failed'),
    ...Array<SupposedEnd>(history.pending ?? 0).fill('pending'),
  ]
  const availableMinor = core.ledger.available(organisationId, currency)
  supposeWallet(core, subject, availableMinor + paidMinor)
  // What is supposed to have been is decided by nobody, and meets no rail.
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

type SupposedEnd = 'succeeded' | 'failed' | 'pending'
const statusesOf: Record<'succeeded' | 'failed', readonly string[]> = {
  succeeded: ['SUCCESS', 'SUCCEEDED'],
  failed: ['FAILED'],
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

function endAs(core: Core, payment: Payment, end: 'succeeded' | 'failed'): void {
  const { uuid, status } = payment
  const way = legalEvents(kindOf(core, payment), status).find(({ leadsTo }) => statusesOf[end].includes(leadsTo))
  if (way) resolvePayment(core, { command: 'resolve-payment', uuid, status: way.leadsTo })
}
