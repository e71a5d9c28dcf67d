/** Answer schemas of wallets. */
import * as z from 'zod'
import { shape } from '../shape.ts'

export const floatStateShape = shape('FloatState', () =>
  z.object({
    name: z.string(),
    on: z.array(z.string()),
    currency: z.string(),
    amount: z.number(),
    remaining: z.number(),
    waiting: z.object({ payments: z.number(), amount: z.number() }),
  }),
)

export const walletShape = shape('Wallet', () =>
  z.object({
    organisationId: z.string(),
    currency: z.string(),
    balance: z.number(),
    reserved: z.number().describe('Held for payouts that are under way.'),
    incoming: z.number(),
    available: z.number().describe('What can be spent now.'),
  }),
)

export const ledgerPageShape = shape('LedgerPage', () =>
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
        state: z.enum(['pending', 'posted', 'voided']),
        createdAt: z.string(),
        settledAt: z.string().nullable(),
      }),
    ),
  }),
)
