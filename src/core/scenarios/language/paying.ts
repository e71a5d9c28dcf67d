/** Pays a checkout session without a customer: read from a rule, drawn when it decides. */
import * as z from 'zod'
import { delay } from '../../model/delay-schemas.ts'
import { type Delay, delayOf, printDelay } from '../../model/delays.ts'
import { checked } from '../../model/problems.ts'
import { delayOrNever } from './schema-parts.ts'

export interface Paying {
  after: Delay
  /** By phone: time until the payer confirms, null for never. Undefined: by card, at once. */
  confirm: Delay | null | undefined
}

/** Time to find the phone and type a PIN. Assumed. */
const CONFIRM = '3s'

export const pay = () =>
  checked(
    z.strictObject({
      after: delay,
      by: z.enum(['CARD', 'MPESA_STK']).optional().meta({
        description:
          'by card, or by a phone prompt (REQUIRES_CUSTOMER_ACTION until it is confirmed); CARD when left out',
      }),
      confirm: delayOrNever.optional().meta({
        description: 'for a phone: how long the customer takes to confirm, or never; 3s when left out',
        examples: ['20s', 'never'],
      }),
    }),
    ({ by, confirm }, tell) => {
      if (confirm !== undefined && by !== 'MPESA_STK')
        tell('Only a phone prompt is confirmed. Write by: MPESA_STK beside it, or remove confirm.', ['confirm'])
    },
  ).meta({
    description: 'for a checkout: the customer pays without opening the page, after this duration',
    examples: [{ after: '5s' }, { after: '5s', by: 'MPESA_STK', confirm: '20s' }],
  })

export function readPay({ after, by, confirm = CONFIRM }: z.infer<ReturnType<typeof pay>>): Paying {
  const confirming = confirm === 'never' ? null : delayOf(confirm)
  return { after: delayOf(after), confirm: by === 'MPESA_STK' ? confirming : undefined }
}

export function printPay(paying: Paying | null): string {
  if (!paying) return ''
  const { after, confirm } = paying
  if (confirm === undefined) return `paid by itself after ${printDelay(after)}, `
  const confirmed = confirm ? `confirmed after ${printDelay(confirm)}` : 'never confirmed'
  return `paid by itself by phone after ${printDelay(after)}, ${confirmed}, `
}
