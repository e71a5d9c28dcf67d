/** Routes: balances, top-ups and the books. */
import { Hono } from 'hono'
import * as z from 'zod'
import { availableMinor, balanceMinor } from '../../core/model/account.ts'
import { toMajor, toMinor } from '../../core/model/money.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { Service } from '../../core/model/simulated-service.ts'
import { isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { amount } from '../../service/fields.ts'
import { about } from './about.ts'
import { asks, type ControlEnv, json, organisationOf, takes } from './control-context.ts'
import { asCsv, csv, listFormat, plainList } from './csv-answer.ts'

const topUpOf = ({ countries }: Service) =>
  z.strictObject({
    /** The uuid of an organisation; the default one without. */
    organisationId: z.string().optional(),
    /** As requests write it, such as KES or TZS. */
    currency: z
      .string()
      .refine((text) => countries.currencyOf(text) !== undefined, `must be one of ${countries.inWords}`)
      .default(countries.home.currency),
    amount: amount('assumed', 'What the wallet gets.'),
  })
const ledgerPage = z.strictObject({
  /** Only entries of this account, by its code in the trial balance. */
  account: z.string().optional(),
  /** At most so many entries. */
  limit: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .default(100),
  /** `next` of the page before. */
  before: z.coerce.number().int('must be a whole number').optional(),
  ...listFormat,
})

/** Balances, top-ups and the books. */
export function walletRoutes(service: Service) {
  return new Hono<ControlEnv>()
    .get(
      '/_mfano/wallets',
      about('Balances of every wallet', { answers: asCsv }),
      csv('wallets'),
      asks(plainList),
      (c) => json(c, { wallets: wallets(c.env.world), currencies: service.countries.currencies }),
    )

    .post(
      '/_mfano/wallets/fund',
      about('Put money into a wallet', { errors: ['404 NOT_FOUND', '403 PAYMENT_LIMIT_EXCEEDED'] }),
      takes(topUpOf(service)),
      async (c) => {
        const given = c.req.valid('json')
        const { world } = c.env
        const organisation = organisationOf(world, given.organisationId)
        const currency = service.countries.currencyOf(given.currency) as string
        await world.perform({
          command: 'fund-wallet',
          organisationId: organisation.id,
          currency,
          amountMinor: toMinor(given.amount) as number,
        })
        return json(
          c,
          wallets(world).find(
            (wallet) => wallet.organisationId === organisation.uuid && wallet.currency === currency,
          ) as Wallet,
          201,
        )
      },
    )

    .get(
      '/_mfano/ledger',
      about('The trial balance, and entries, the newest first', { errors: ['404 NOT_FOUND'], answers: asCsv }),
      csv('ledger', ({ entries }) => entries),
      asks(ledgerPage),
      (c) => {
        const { account: code, limit, before } = c.req.valid('query')
        const { core } = c.env.world
        const accounts = core.ledger.accounts()
        const wanted = code === undefined ? undefined : accounts.find((account) => account.code === code)
        if (code !== undefined && !wanted) {
          throw new Refusal(
            'NOT_FOUND',
            `account: there is no account "${code.slice(0, 80)}"; there are ${accounts.map((account) => account.code).join(', ')}`,
            { status: 404, message: 'Not found' },
          )
        }
        const codes = new Map(accounts.map((account) => [account.id, account.code]))
        const page = core.store.ledger.page({
          limit,
          ...(wanted && { accountId: wanted.id }),
          ...(before !== undefined && { beforeId: before }),
        })
        const paymentOf = (seq: number | null) => (seq === null ? null : (core.store.payments.bySeq(seq)?.uuid ?? null))
        return json(c, {
          trialBalance: accounts.map((account) => ({
            account: account.code,
            currency: account.currency,
            debits: toMajor(account.debitsPosted),
            credits: toMajor(account.creditsPosted),
            pendingDebits: toMajor(account.debitsPending),
            pendingCredits: toMajor(account.creditsPending),
          })),
          imbalances: core.store.ledger.audit(),
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
        })
      },
    )
}

/** What a wallet holds. */
export type Wallet = ReturnType<typeof wallets>[number]

function wallets(world: World) {
  const { ledger, store } = world.core
  return ledger
    .accounts()
    .filter((account) => account.kind === 'wallet')
    .map((account) => ({
      organisationId: store.organisations.byId(account.organisationId as number).uuid,
      currency: account.currency,
      balance: toMajor(balanceMinor(account)),
      /** Held for payouts that are under way. */
      reserved: toMajor(account.debitsPending),
      incoming: toMajor(account.creditsPending),
      /** What can be spent now. */
      available: toMajor(availableMinor(account)),
    }))
}
