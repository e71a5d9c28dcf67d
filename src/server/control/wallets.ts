import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import { inSteps } from '../../core/host.ts'
import {
  type Account,
  availableMinor,
  balanceMinor,
  type Transfer,
  toMajor,
  toMinor,
  walletCode,
} from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import { didYouMean, hintOf } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { remaining } from '../../core/rail-outcomes.ts'
import type { World } from '../../core/world.ts'
import { accountCodes, transferShown, uuidOfPayment } from '../../inspect/present.ts'
import { majorOf, type Reader, shape, view } from '../../inspect/view.ts'
import { amount } from '../../service/fields.ts'
import { paymentsService } from '../../service/service.ts'
import { organisationOf } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { listLimit, organisationField, pageBefore } from './fields.ts'

const walletView = view('Wallet', (read: Reader<Account, Core>) => ({
  organisationId: read(z.string(), ({ organisationId: id }, { store }) => store.organisations.byId(must(id)).uuid),
  currency: z.string(),
  balance: read(z.number(), (account) => toMajor(balanceMinor(account))),
  reserved: read(z.number().describe('Held for payouts that are under way.'), ({ debitsPending }) =>
    toMajor(debitsPending),
  ),
  incoming: majorOf('creditsPending'),
  available: read(z.number().describe('Money that can be spent now.'), (account) => toMajor(availableMinor(account))),
}))

const accountBalance = view(null, (read: Reader<Account>) => ({
  account: read(z.string(), ({ code }) => code),
  currency: z.string(),
  debits: majorOf('debitsPosted'),
  credits: majorOf('creditsPosted'),
  pendingDebits: majorOf('debitsPending'),
  pendingCredits: majorOf('creditsPending'),
}))

interface Books {
  core: Core
  code: ReadonlyMap<number, string>
}

const ledgerEntry = view(null, (read: Reader<Transfer, Books>) => {
  const { id, kind, ...more } = transferShown.fields(({ code }: Books) => code)
  return {
    id,
    kind,
    payment: read(z.string().nullable(), (transfer, { core }) => uuidOfPayment(transfer, core)),
    ...more,
  }
})

const ledgerPageShape = shape('LedgerPage', () =>
  z.object({
    trialBalance: z.array(accountBalance.schema()),
    imbalances: z.array(z.object({ what: z.string(), expected: z.number(), found: z.number() })),
    next: z.number().nullable(),
    entries: z.array(ledgerEntry.schema()),
  }),
)

const walletColumns = ['organisationId', 'balance', 'reserved', 'incoming', 'available'] as const

type Float = Core['scenario']['rails']['float'][number]

const topUp = z.strictObject({
  name: z.string().optional().describe('Its name in the scenario. Default: the only one.'),
  amount: amount('assumed', 'Money that the float gets.'),
})

const floatView = view('FloatState', (read: Reader<Float, Core>) => ({
  name: z.string(),
  on: z.array(z.string()),
  currency: z.string(),
  amount: majorOf('amountMinor'),
  remaining: read(z.number(), (float, core) => toMajor(remaining(core, float))),
  waiting: read(z.object({ payments: z.number(), amount: z.number() }), ({ name, currency }, { store }) => {
    const { payments, amountMinor } = store.floatQueue.totals(name, currency)
    return { payments, amount: toMajor(amountMinor) }
  }),
}))

export const walletOperations = [
  controlOperation('wallet.list', 'GET /wallets', {
    summary: 'List wallets with their balances',
    answer: () => z.object({ wallets: z.array(walletView.schema()), currencies: z.array(z.string()) }),
    list: {
      rows: 'wallets',
      none: hintOf('No wallets hold money. Add some: {}', 'wallet.fund', { amount: 1000 }),
      columns: walletColumns,
    },
    run({ world: { core } }) {
      const wallets = core.ledger.accounts().filter(({ kind }) => kind === 'wallet')
      const { currencies } = paymentsService.countries
      return { wallets: wallets.map((account) => walletView(account, core)), currencies }
    },
  }),
  controlOperation('wallet.fund', 'POST /wallets/fund', {
    summary: 'Add money to a wallet',
    body: () =>
      z.strictObject({
        organisationId: organisationField,
        currency: z
          .string()
          .refine(
            (text) => paymentsService.countries.currencyOf(text) !== undefined,
            `must be one of ${paymentsService.countries.inWords}`,
          )
          .default(paymentsService.countries.home.currency)
          .describe('As requests write it, such as KES or TZS.'),
        amount: amount('assumed', 'Money that the wallet gets.'),
      }),
    answer: walletView.schema,
    status: 201,
    errors: ['PAYMENT_LIMIT_EXCEEDED'],
    screen: { words: ['amount'], columns: walletColumns, examples: ['50000', '1000000 --currency TZS --world shop'] },
    async run({ world, body }) {
      const { id: organisationId } = organisationOf(world, body.organisationId)
      const currency = must(paymentsService.countries.currencyOf(body.currency))
      const amountMinor = must(toMinor(body.amount))
      await world.perform({ command: 'fund-wallet', organisationId, currency, amountMinor })
      return walletView(must(world.core.ledger.find(walletCode(organisationId, currency))), world.core)
    },
  }),
  controlOperation('ledger.list', 'GET /ledger', {
    summary: 'Read the trial balance and ledger entries',
    query: z.strictObject({
      account: z.string().optional().describe('Only entries of this account, by its code in the trial balance.'),
      limit: listLimit.describe('At most so many entries.'),
      before: pageBefore,
    }),
    answer: ledgerPageShape,
    list: {
      name: 'ledger',
      rows: 'entries',
      columns: ['id', 'kind', 'payment', 'debit', 'credit', 'amount:number', 'state:word', 'createdAt', 'settledAt'],
    },
    async run({ world, signal, query: { account: code, limit, before } }) {
      const { core } = world
      const imbalances = await inSteps(world.host, core.store.ledger.auditing(), signal)
      const accounts = core.ledger.accounts()
      const wanted = code === undefined ? undefined : accounts.find((account) => account.code === code)
      if (code !== undefined && !wanted) {
        throw new Refusal(
          'NOT_FOUND',
          `account: there is no account "${code.slice(0, 80)}"; there are ${accounts.map((account) => account.code).join(', ')}`,
        )
      }
      const page = core.store.ledger.page({ limit, before, accountId: wanted?.id })
      const books = { core, code: accountCodes(core) }
      return {
        trialBalance: accounts.map((account) => accountBalance(account)),
        imbalances,
        next: page.length === limit ? (page.at(-1)?.id ?? null) : null,
        entries: page.map((transfer) => ledgerEntry(transfer, books)),
      }
    },
  }),
  controlOperation('float.list', 'GET /floats', {
    summary: 'List floats of rails with waiting payments',
    answer: () => z.object({ floats: z.array(floatView.schema()) }),
    list: {
      rows: 'floats',
      columns: [
        'name:word',
        'on',
        'currency',
        'amount',
        'remaining',
        'waiting.payments=waiting',
        'waiting.amount=waiting for',
      ],
    },
    run: ({ world: { core } }) => ({ floats: core.scenario.rails.float.map((one) => floatView(one, core)) }),
  }),
  controlOperation('float.fund', 'POST /floats/fund', {
    summary: 'Add money to the float of a rail',
    body: topUp,
    answer: floatView.schema,
    status: 201,
    async run({ world, body: given }) {
      const float = floatOf(world, given.name)
      const { name, currency } = float
      await world.perform({ command: 'fund-float', name, currency, amountMinor: must(toMinor(given.amount)) })
      return floatView(float, world.core)
    },
  }),
] as const

function floatOf({ core }: World, name: string | undefined) {
  const all = core.scenario.rails.float
  const found = name === undefined && all.length === 1 ? all[0] : all.find((float) => float.name === name)
  if (found) return found
  const known = all.map((float) => float.name)
  const list =
    known.length > 0 ? `there are ${known.join(', ')}.${didYouMean(name ?? '', known)}` : 'the scenario has none.'
  throw new Refusal('NOT_FOUND', `name: there is no float ${JSON.stringify(name ?? '')}; ${list}`)
}
