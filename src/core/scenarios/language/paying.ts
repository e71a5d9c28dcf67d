/** Pays a checkout session without a customer: read from a rule, drawn when it decides. */
import * as z from 'zod'
import { delay } from '../../model/delay-schemas.ts'
import { type Delay, parseDelay, printDelay } from '../../model/delays.ts'
import { type Path, printPath } from '../../model/problems.ts'
import type { SourceText } from '../../source-text.ts'
import { delayOrNever } from './schema-parts.ts'

export interface Paying {
  after: Delay
  /** By phone: time until the payer confirms, null for never. Undefined: by card, at once. */
  confirm: Delay | null | undefined
}

/** Time to find the phone and type a PIN. Assumed. */
const CONFIRM: Delay = { fromUs: 3_000_000, toUs: 3_000_000 }

export const pay = () =>
  z
    .strictObject({
      after: delay,
      by: z.enum(['CARD', 'MPESA_STK']).optional().meta({
        description:
          'by card, or by a phone prompt (REQUIRES_CUSTOMER_ACTION until it is confirmed); CARD when left out',
      }),
      confirm: delayOrNever.optional().meta({
        description: 'for a phone: how long the customer takes to confirm, or never; 3s when left out',
        examples: ['20s', 'never'],
      }),
    })
    .meta({
      description: 'for a checkout: the customer pays without opening the page, after this duration',
      examples: [{ after: '5s' }, { after: '5s', by: 'MPESA_STK', confirm: '20s' }],
    })

export function readPay(file: z.infer<ReturnType<typeof pay>>, path: Path, source: SourceText): Paying {
  const report = (key: string, message: string) =>
    source.report(source.offsetOf([...path, key]), printPath([...path, key]), message)
  const read = (key: 'after' | 'confirm'): Delay => {
    const found = parseDelay(file[key] ?? '0s')
    if (typeof found !== 'string') return found
    report(key, found)
    return CONFIRM
  }
  const byPhone = file.by === 'MPESA_STK'
  if (file.confirm !== undefined && !byPhone)
    report('confirm', 'Only a phone prompt is confirmed. Write by: MPESA_STK beside it, or remove confirm.')
  const confirm = file.confirm === undefined ? CONFIRM : file.confirm === 'never' ? null : read('confirm')
  return { after: read('after'), confirm: byPhone ? confirm : undefined }
}

export function printPay(paying: Paying | null): string {
  if (!paying) return ''
  const { after, confirm } = paying
  if (confirm === undefined) return `paid by itself after ${printDelay(after)}, `
  const confirmed = confirm ? `confirmed after ${printDelay(confirm)}` : 'never confirmed'
  return `paid by itself by phone after ${printDelay(after)}, ${confirmed}, `
}
