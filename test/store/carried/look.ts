/** All that a world has stored, by what it is and not by how it is stored. Real time aside. */
import type { Due } from '../../../src/model/due.ts'
import { LANE } from '../../../src/store/agenda-table.ts'
import type { TestWorld } from '../../support/harness.ts'

const ALL = { limit: 100_000 }
const EVER = Number.MAX_SAFE_INTEGER

/** Deliveries that are due come with their address. */
const inShort = ({ dueAtUs, seq, subject, event }: Due) => ({ dueAtUs, seq, subject, event })

/** Payments, with whatever they are found by, what is due, callbacks with attempts, journal, ledger and the rest. */
export function look({ inside }: TestWorld): unknown {
  const { payments, activity, agenda, callbacks, journal, ledger, inbox, organisations, floatQueue } = inside.core.store
  const all = payments.page({}, ALL)
  const told = callbacks.page(ALL)
  const stored = {
    payments: all.map((payment) => ({
      seq: payment.seq,
      kind: payment.kind,
      id: payment.id,
      uuid: payment.uuid,
      organisationId: payment.organisationId,
      counterpartyId: payment.counterpartyId,
      referenceId: payment.referenceId,
      currency: payment.currency,
      amountMinor: payment.amountMinor,
      status: payment.status,
      request: payment.request,
      details: payment.details,
      plan: payment.plan,
      history: payment.history.all,
      callbackUrl: payment.callbackUrl,
      createdAtUs: payment.createdAtUs,
      updatedAtUs: payment.updatedAtUs,
    })),
    found: all.map(({ seq, id, kind, uuid, referenceId, details }) => ({
      uuid: payments.byUuid(uuid)?.seq,
      partOfUuid: payments.page({ texts: [uuid.slice(3, 20)] }, ALL).map((one) => one.seq),
      reference: referenceId === null ? null : payments.byReference(referenceId).map((one) => one.seq),
      id: payments.byId(id).map((one) => one.seq),
      receipt: payments.byOutcome(String(details['transactionReceipt']))?.seq,
      of: payments.page({ kinds: [kind] }, ALL).map((one) => one.seq),
      requests: journal.ofPayment(seq).map((entry) => entry.seq),
      steps: agenda.of(LANE.steps, seq),
      transfers: ledger.ofPayment(seq),
      callbacks: callbacks.ofPayment(seq).map((one) => one.id),
      waits: floatQueue.has(seq),
    })),
    searched: payments.page({ texts: ['254712345678'] }, ALL).map((one) => one.seq),
    parties: payments.parties(['send-money', 'stk', 'till'], 10),
    outcomes: [...activity.outcomes('send-money', '254712345678')],
    spent: activity.spent(['send-money', 'stk'], 'KES', 0, { organisationId: 1 }),
    due: {
      steps: agenda.due(LANE.steps, EVER, 1000).map(inShort),
      deliveries: agenda.due(LANE.deliveries, EVER, 1000).map(inShort),
    },
    subjects: [agenda.subjects(LANE.steps), agenda.subjects(LANE.deliveries)],
    callbacks: told.map((one) => ({
      id: one.id,
      uid: one.uid,
      paymentSeq: one.paymentSeq,
      topic: one.topic,
      url: one.url,
      body: one.body,
      state: one.state,
      attempts: one.attempts,
      createdAtUs: one.createdAtUs,
      settledAtUs: one.settledAtUs,
      fault: one.fault,
      next: agenda.of(LANE.deliveries, one.id),
      tries: callbacks.attemptsOf(one.id).map(({ number, sentAtUs, status, responseBody }) => ({
        number,
        sentAtUs,
        status,
        responseBody,
      })),
    })),
    journal: journal.page(ALL),
    refused: journal.page({ ...ALL, status: 400, newestFirst: true }).map(({ seq }) => seq),
    accounts: ledger.accounts(),
    transfers: ledger.page(ALL),
    inbox: inbox.names(),
    organisations: organisations.all(),
  }
  return JSON.parse(JSON.stringify(stored))
}

/** What has come of it, as far as no later mfano may see that otherwise. */
export function outcome({ inside }: TestWorld): unknown {
  const { payments, callbacks, ledger, agenda } = inside.core.store
  return {
    payments: payments.page({}, ALL).map(({ uuid, history }) => ({ uuid, history: history.all })),
    callbacks: callbacks.page(ALL).map(({ uid, state, attempts }) => ({ uid, state, attempts })),
    accounts: ledger.accounts(),
    due: agenda.count(LANE.steps) + agenda.count(LANE.deliveries),
  }
}
