import * as z from 'zod'
import { checkCode } from '../../model/faults.ts'
import { fieldMismatch, type Kind, type Kinds, LONGEST_FIELD, unknownField } from '../../model/kind.ts'
import { toMinor } from '../../model/money.ts'
import type { JsonObject } from '../../model/payment.ts'
import { checked, described, describeValue, optional, type Path, quote, type Tell } from '../../model/problems.ts'
import { publishedRefusal, refusalCodes } from '../../model/refusal.ts'
import { parseInstant } from '../../model/time.ts'

export const digits = (shortest: number, longest: number) =>
  z.string().regex(new RegExp(`^\\d{${shortest},${longest}}$`))
export const shortText = (longest = 1000) => z.string().check(z.minLength(1), z.maxLength(longest))
const DATE = /^\d{4}-\d{2}-\d{2}$/
export const dateText = () =>
  checked(z.string().regex(DATE), (text, tell) => {
    if (parseInstant(text) === undefined) tell(`${quote(text)} is not a date. Write it like 2025-12-25.`)
  })
export const money = () =>
  checked(z.number().min(0), (amount, tell) => {
    if (toMinor(amount) === undefined)
      tell(`Found ${describeValue(amount)}. Expected shillings with at most two decimals, up to 999999999999.99.`)
  })
// The kind decides which ends are possible, so they are checked with the kind. Editors offer all.
export const endOf = (kinds: Kinds) => {
  const ends = new Set([...kinds].flatMap((kind) => kind.ends))
  return z.string().meta({ description: 'the state that the payment ends in', enum: [...ends] })
}
export const kindsNamed = (on: string | readonly string[], kinds: Kinds): Kind[] =>
  [on].flat().includes('any') ? [...kinds] : [...new Set([on].flat())].map((name) => kinds.of(name))
export const onKinds = (kinds: Kinds) => {
  // As an enum, so that editors and messages list them.
  const kind = z.enum([...kinds.names, 'any'])
  const either = z.union([kind, z.array(kind).min(1)])
  const description = 'the kind of payment, a list of kinds, or any'
  return described(either, description, kinds.names[0], kinds.names.slice(1, 3), 'any')
}
export const fieldsOf = (kinds: Kinds) =>
  z.record(z.string(), z.union([z.string().max(LONGEST_FIELD), z.number(), z.null()])).meta({
    description: 'fields of the record to set; the simulated rails fill in the others',
    examples: [{ errorCode: 'NAME_MISMATCH', errorDesc: 'Beneficiary name does not match' }],
    propertyNames: { enum: [...new Set([...kinds].flatMap((kind) => Object.keys(kind.fields)))] },
  })

export function checkFields(fields: JsonObject, on: readonly Kind[], tell: Tell, path: Path): void {
  for (const [name, value] of Object.entries(fields)) {
    const at = [...path, name]
    const [unknown] = on.flatMap((kind) => unknownField(kind, name) ?? [])
    if (unknown !== undefined) {
      tell(unknown, at, 'key')
      continue
    }
    const expected = fieldMismatch(on[0]?.fields[name] ?? 'any', value)
    if (expected) tell(`Found ${describeValue(value)}. Expected ${expected}.`, at)
  }
}

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
    checkCode,
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
