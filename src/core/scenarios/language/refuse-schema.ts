import * as z from 'zod'
import { checked, described, didYouMean, optional, quote } from '../../model/problems.ts'
import { publishedRefusal, refusalCodes } from '../../model/refusal.ts'
import { shortText } from './schema-parts.ts'

const refusal = () =>
  checked(
    z.strictObject({
      status: optional(z.int().min(400).max(599), 'HTTP status; that of the published table when left out', 400, 503),
      code: described(
        z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/),
        'error code in capitals, from the published table or one of your own',
        ...refusalCodes,
      ),
      message: optional(shortText(), "the error's message; that of the published table when left out"),
      details: optional(shortText(), "the error's details; the rule's name when left out"),
      field: optional(shortText(80), 'the field of the request that the details are about', 'amount'),
    }),
    ({ code, status }, tell) => {
      if (publishedRefusal(code)) return
      const suggestion = didYouMean(code, refusalCodes)
      if (suggestion !== '')
        tell(`${quote(code)} is not one of the published codes.${suggestion} A code of your own has to differ more.`, [
          'code',
        ])
      else if (status === undefined)
        tell(`${quote(code)} is not one of the published codes, so it needs its status: status: 400.`)
    },
  )

export const refuse = () =>
  described(refusal(), 'the error that is answered at once; no payment is created', { code: 'PAYMENT_LIMIT_EXCEEDED' })

export const limitError = () =>
  described(
    refusal(),
    'the error of a payment above the limit; a refused payment gets it as answer, a failed payment in its record; 403 PAYMENT_LIMIT_EXCEEDED when left out',
    { code: 'DAILY_LIMIT_REACHED', status: 403, message: 'Daily limit reached' },
  )

export type RefusalAnswer = ReturnType<typeof readRefusal>

export function readRefusal({ code, message, details, field, status }: z.infer<ReturnType<typeof refuse>>) {
  return { status: status ?? publishedRefusal(code)?.status ?? 400, code, message, details, field }
}
