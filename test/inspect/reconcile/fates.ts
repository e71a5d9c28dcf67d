/** A world in which the amount of a payment decides what becomes of it, and the books that are right about it. */
import type { Bench, TestWorld } from '../../support/harness.ts'

/** What becomes of a payment of so many shillings. */
export const fates = { paid: 100, failed: 101, takenBack: 102, pending: 103, paidAfterAll: 104 } as const
export type FateName = keyof typeof fates

const on = ['send-money', 'till', 'bank-payout', 'stk']
const outcome = (end: string, more: object = {}) => ({ after: '2s', end, ...more })
const scenario = {
  name: 'fates',
  description: 'What becomes of a payment is decided by its amount.',
  extends: 'default',
  rules: [
    { name: 'failed', on, when: 'request.amount == 101', then: outcome('FAILED') },
    {
      name: 'taken back',
      on,
      when: 'request.amount == 102',
      then: outcome('SUCCESS', { revise: { after: '1h', end: 'FAILED' } }),
    },
    { name: 'pending', on, when: 'request.amount == 103', then: { after: 'never', end: 'SUCCESS' } },
    {
      name: 'paid after all',
      on,
      when: 'request.amount == 104',
      then: outcome('FAILED', { revise: { after: '1h', end: 'SUCCESS' } }),
    },
    { name: 'paid', on, then: outcome('SUCCESS') },
  ],
}

export function fatedWorld(bench: Bench): Promise<TestWorld> {
  return bench.world({ scenario })
}

/** Asks for a payment to a party of its own, and gives its id. */
export async function ask(
  world: TestWorld,
  kind: Kind,
  fate: FateName,
  reference: string,
  party = reference,
): Promise<string> {
  const number = String(Number.parseInt(party.replace(/\D/g, ''), 10) || 0).padStart(6, '0')
  const answer = await world.post(places[kind], {
    ...bodies[kind](number),
    amount: fates[fate],
    referenceId: reference,
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body.data.requestId
}

export const kinds = ['send-money', 'till', 'bank-payout', 'stk'] as const
export type Kind = (typeof kinds)[number]

const base = '/api/sandbox/v1'
const places: Record<Kind, string> = {
  'send-money': `${base}/send-money`,
  till: `${base}/till`,
  'bank-payout': `${base}/bank/payout/new`,
  stk: `${base}/stk/new`,
}
const callbackUrl = 'http://127.0.0.1:9/nobody'
const bodies: Record<Kind, (number: string) => object> = {
  'send-money': (number) => ({ phoneNumber: `254712${number}`, remarks: 'Salary', occasion: 'May', callbackUrl }),
  till: (number) => ({ businessNumber: number, remarks: 'Rent', occasion: 'May', callbackUrl }),
  'bank-payout': (number) => ({
    bankCode: '0068',
    beneficiaryName: 'Jane Mwangi',
    creditAccountNumber: `0123${number}`,
    narration: 'Salary',
    callbackUrl,
  }),
  stk: (number) => ({
    phoneNumber: `254712${number}`,
    accountReference: `INV${number}`,
    description: 'Shoes',
    callbackUrl,
  }),
}

/** A line of the books. */
export interface Line {
  reference?: string
  requestId?: string
  kind?: string
  amount?: number | string
  currency?: string
  status?: string
}

/** Books that say what the ledger has. */
export async function trueBooks(world: TestWorld): Promise<Line[]> {
  const { payments } = await world.control('GET', '/payments?limit=1000')
  return payments.toReversed().map(({ referenceId, uuid, kind, amount, currency, status }: Record<string, string>) => ({
    ...(referenceId && { reference: referenceId }),
    requestId: uuid,
    kind,
    amount,
    currency,
    status,
  }))
}

/** The codes that reconciling finds, in order. */
export async function codesOf(world: TestWorld, books: unknown): Promise<string[]> {
  const { findings } = await world.control('POST', '/reconcile', books)
  return findings.map(({ code }: { code: string }) => code)
}
