/** Operations on balances, top-ups and the books. */

import * as z from 'zod'
import { inSteps } from '../../../core/host.ts'
import { availableMinor, balanceMinor } from '../../../core/model/account.ts'
import { toMajor, toMinor } from '../../../core/model/money.ts'
import { must } from '../../../core/model/must.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { isoInstant } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import { amount } from '../../../service/fields.ts'
import { paymentsService } from '../../../service/service.ts'
import { organisationOf } from '../control-context.ts'
import { type AnswerOf, controlOperation } from '../declared-operation.ts'
import { listLimit, pageBefore } from '../list-fields.ts'
import { ledgerPageShape, walletShape } from './wallet-answers.ts'

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
