/** Operations on balances, top-ups and the books. */
import * as z from 'zod'
import { inSteps } from '../../core/host.ts'
import { toMajor, toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { isoInstant } from '../../core/model/time.ts'
import { availableMinor, balanceMinor, transferStates } from '../../core/model/transfer.ts'
import { remaining } from '../../core/rail-outcomes.ts'
import type { World } from '../../core/world.ts'
import { type AnswerOf, type JsonShown, shape } from '../../inspect/view.ts'
import { amount } from '../../service/fields.ts'
import { paymentsService } from '../../service/service.ts'
import { organisationOf } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { listLimit, pageBefore } from './fields.ts'

// Answer schemas of wallets.

const floatStateShape = shape('FloatState', () =>
  z.object({
    name: z.string(),
    on: z.array(z.string()),
    currency: z.string(),
    amount: z.number(),
    remaining: z.number(),
    waiting: z.object({ payments: z.number(), amount: z.number() }),
  }),
)

const walletShape = shape('Wallet', () =>
  z.object({
    organisationId: z.string(),
    currency: z.string(),
    balance: z.number(),
    reserved: z.number().describe('Held for payouts that are under way.'),
    incoming: z.number(),
    available: z.number().describe('What can be spent now.'),
  }),
)

const ledgerPageShape = shape('LedgerPage', () =>
  z.object({
    trialBalance: z.array(
      z.object({
        account: z.string(),
        currency: z.string(),
        debits: z.number(),
        credits: z.number(),
        pendingDebits: z.number(),
        pendingCredits: z.number(),
      }),
    ),
    imbalances: z.array(z.object({ what: z.string(), expected: z.number(), found: z.number() })),
    next: z.number().nullable(),
    entries: z.array(
      z.object({
        id: z.number(),
        kind: z.string(),
        payment: z.string().nullable(),
        debit: z.string().optional(),
        credit: z.string().optional(),
        amount: z.number(),
        state: z.enum(transferStates),
        createdAt: z.string(),
        settledAt: z.string().nullable(),
      }),
    ),
  }),
)

const listWallets = controlOperation('wallet.list', {
  method: 'GET',
  path: '/wallets',
  summary: 'List wallets with their balances',
  answer: () => z.object({ wallets: z.array(walletShape()), currencies: z.array(z.string()) }),
  list: {
    name: 'wallets',
    columns: ['organisationId', 'currency', 'balance', 'reserved', 'incoming', 'available'],
    rows: ({ wallets }) => wallets,
  },
  run: ({ env: { world } }) => ({ wallets: walletsOf(world), currencies: paymentsService.countries.currencies }),
})

const fundWallet = controlOperation('wallet.fund', {
  method: 'POST',
  path: '/wallets/fund',
  summary: 'Add money to a wallet',
  body: () =>
    z.strictObject({
      organisationId: z.string().optional().describe('The uuid of an organisation; the default one without.'),
      currency: z
        .string()
        .refine(
          (text) => paymentsService.countries.currencyOf(text) !== undefined,
          `must be one of ${paymentsService.countries.inWords}`,
        )
        .default(paymentsService.countries.home.currency)
        .describe('As requests write it, such as KES or TZS.'),
      amount: amount('assumed', 'What the wallet gets.'),
    }),
  answer: walletShape,
  status: 201,
  errors: ['NOT_FOUND', 'PAYMENT_LIMIT_EXCEEDED'],
  async run({ env: { world } }, { body }) {
    const organisation = organisationOf(world, body.organisationId)
    const currency = must(paymentsService.countries.currencyOf(body.currency))
    await world.perform({
      command: 'fund-wallet',
      organisationId: organisation.id,
      currency,
      amountMinor: must(toMinor(body.amount)),
    })
    return must(walletsOf(world).find((one) => one.organisationId === organisation.uuid && one.currency === currency))
  },
})

const readLedger = controlOperation('ledger.list', {
  method: 'GET',
  path: '/ledger',
  summary: 'Read the trial balance and ledger entries',
  query: z.strictObject({
    account: z.string().optional().describe('Only entries of this account, by its code in the trial balance.'),
    limit: listLimit.describe('At most so many entries.'),
    before: pageBefore,
  }),
  answer: ledgerPageShape,
  errors: ['NOT_FOUND'],
  list: {
    name: 'ledger',
    columns: ['id', 'kind', 'payment', 'debit', 'credit', 'amount', 'state', 'createdAt', 'settledAt'],
    rows: ({ entries }) => entries,
  },
  async run({ env: { world }, req }, { query: { account: code, limit, before } }) {
    const { core } = world
    const imbalances = await inSteps(world.host, core.store.ledger.auditing(), req.raw.signal)
    const accounts = core.ledger.accounts()
    const wanted = code === undefined ? undefined : accounts.find((account) => account.code === code)
    if (code !== undefined && !wanted) {
      throw new Refusal(
        'NOT_FOUND',
        `account: there is no account "${code.slice(0, 80)}"; there are ${accounts.map((account) => account.code).join(', ')}`,
      )
    }
    const codes = new Map(accounts.map((account) => [account.id, account.code]))
    const page = core.store.ledger.page({
      limit,
      ...(wanted && { accountId: wanted.id }),
      ...(before !== undefined && { beforeId: before }),
    })
    const paymentOf = (seq: number | null) => (seq === null ? null : (core.store.payments.bySeq(seq)?.uuid ?? null))
    return {
      trialBalance: accounts.map((account) => ({
        account: account.code,
        currency: account.currency,
        debits: toMajor(account.debitsPosted),
        credits: toMajor(account.creditsPosted),
        pendingDebits: toMajor(account.debitsPending),
        pendingCredits: toMajor(account.creditsPending),
      })),
      imbalances,
      next: page.length === limit ? (page.at(-1)?.id ?? null) : null,
      entries: page.map((transfer) => ({
        id: transfer.id,
        kind: transfer.kind,
        payment: paymentOf(transfer.paymentSeq),
        debit: codes.get(transfer.debitAccount),
        credit: codes.get(transfer.creditAccount),
        amount: toMajor(transfer.amountMinor),
        state: transfer.state,
        createdAt: isoInstant(transfer.createdAtUs),
        settledAt: transfer.settledAtUs === null ? null : isoInstant(transfer.settledAtUs),
      })),
    }
  },
})

function walletsOf(world: World): AnswerOf<typeof walletShape>[] {
  const { ledger, store } = world.core
  return ledger
    .accounts()
    .filter((account) => account.kind === 'wallet')
    .map((account) => ({
      organisationId: store.organisations.byId(must(account.organisationId)).uuid,
      currency: account.currency,
      balance: toMajor(balanceMinor(account)),
      reserved: toMajor(account.debitsPending),
      incoming: toMajor(account.creditsPending),
      available: toMajor(availableMinor(account)),
    }))
}

export const walletOperations = [listWallets, fundWallet, readLedger] as const

// Operations on the floats of rails.

const topUp = z.strictObject({
  name: z.string().optional().describe('As the scenario names it; may be left out where there is only one.'),
  amount: amount('assumed', 'What the float gets.'),
})

const listFloats = controlOperation('float.list', {
  method: 'GET',
  path: '/floats',
  summary: 'List floats of rails with waiting payments',
  answer: () => z.object({ floats: z.array(floatStateShape()) }),
  list: {
    name: 'floats',
    columns: ['name', 'on', 'currency', 'amount', 'remaining', 'waiting.payments', 'waiting.amount'],
    rows: ({ floats }) => floats,
  },
  run: (c) => ({ floats: floats(c.env.world) }),
})

const fundFloat = controlOperation('float.fund', {
  method: 'POST',
  path: '/floats/fund',
  summary: 'Add money to the float of a rail',
  body: topUp,
  answer: floatStateShape,
  status: 201,
  errors: ['NOT_FOUND'],
  async run(c, { body: given }) {
    const { world } = c.env
    const { name, currency } = floatOf(world, given.name)
    await world.perform({ command: 'fund-float', name, currency, amountMinor: must(toMinor(given.amount)) })
    return must(floats(world).find((float) => float.name === name))
  },
})

type Float = JsonShown<AnswerOf<typeof floatStateShape>>

function floats({ core }: World): Float[] {
  return core.scenario.rails.float.map((float) => ({
    name: float.name,
    on: float.on,
    currency: float.currency,
    amount: toMajor(float.amountMinor),
    remaining: toMajor(remaining(core, float)),
    waiting: waiting(core.store.floatQueue.totals(float.name, float.currency)),
  }))
}

function waiting({ payments, amountMinor }: { payments: number; amountMinor: number }) {
  return { payments, amount: toMajor(amountMinor) }
}

function floatOf({ core }: World, name: string | undefined) {
  const all = core.scenario.rails.float
  const found = name === undefined && all.length === 1 ? all[0] : all.find((float) => float.name === name)
  if (found) return found
  const known = all.map((float) => float.name)
  const list =
    known.length > 0 ? `there are ${known.join(', ')}.${didYouMean(name ?? '', known)}` : 'the scenario has none.'
  throw new Refusal('NOT_FOUND', `name: there is no float ${JSON.stringify(name ?? '')}; ${list}`)
}

export const floatOperations = [listFloats, fundFloat] as const
