/** Objects whose fields are made when first used, because a start checks no request and prints no contract. */
import * as z from 'zod'
import { toMinor } from '../core/model/money.ts'
import { type Basis, type ConstraintWord, grounded } from '../http/json-schema.ts'
import type { AnswerContract } from '../http/operation.ts'
import { type AssumptionId, type Chosen, usualChoices } from './assumptions/assumptions.ts'
import type { Conventional } from './assumptions/conventions.ts'
import { spellings } from './countries/countries.ts'

const NOTHING_ELSE = z.never()

/** Refuses other fields, as answers have none. */
export function closedObject<Shape extends z.ZodRawShape>(fields: () => Shape): z.ZodObject<Shape, z.core.$strict> {
  return made(fields, { catchall: NOTHING_ELSE })
}

/** Leaves other fields out, as requests may have more. */
export function openObject<Shape extends z.ZodRawShape>(fields: () => Shape): z.ZodObject<Shape, z.core.$strip> {
  return made(fields, {})
}

type Rest = Pick<z.core.$ZodObjectDef, 'catchall'>

function made<Shape extends z.ZodRawShape, Config extends z.core.$ZodObjectConfig>(
  fields: () => Shape,
  rest: Rest,
): z.ZodObject<Shape, Config>
function made(fields: () => z.ZodRawShape, rest: Rest): z.ZodObject {
  return new z.ZodObject({
    type: 'object',
    get shape() {
      const shape = fields()
      // From here on the library finds what does not change, and need not expect a circle.
      Object.defineProperty(this, 'shape', { value: shape })
      return shape
    },
    ...rest,
  })
}

export type Source = 'specified' | 'published'
export type FieldGround = Source | AssumptionId | Conventional
export type Grounds = Partial<Record<ConstraintWord, FieldGround>>

export const INVENTED_LIMITS = 'convention: limits that no source shows'
export const UNMARKED = 'convention: required fields that no source marks'
export const CONTACT_FORMS = 'convention: e-mail addresses, and phones to which no money goes'

export function schemaField<S extends z.ZodType>(
  basis: Basis,
  description: string,
  schema: S,
  grounds: Grounds = {},
  words: z.GlobalMeta = {},
): S {
  return schema.meta({ ...withGrounds(schema, grounds), description, 'x-basis': basis, ...words })
}

export function constrained<S extends z.ZodType>(schema: S, grounds: Grounds): S {
  return schema.meta(withGrounds(schema, grounds))
}

/** An answer field whose value or beginning (`AG_…`) is fixed unless a rule changes it. */
export function constant<S extends z.ZodType>(schema: S, value: string | number | null, ground: FieldGround): S {
  return schema.meta({ ...withGrounds(schema, { 'x-usual': ground }), 'x-usual': value })
}

function withGrounds(schema: z.ZodType, grounds: Grounds): z.GlobalMeta {
  const before = schema.meta()?.['x-constraints']
  const said = Object.entries(grounds).map(([word, ground]) => [word, grounded(ground)])
  return said.length === 0 ? {} : { 'x-constraints': { ...before, ...Object.fromEntries(said) } }
}

/** `only`: the one word that it may be. */
type TextBounds = { max?: number; only?: string } & Grounds

/** Characters. No source says a limit; longer texts are taken for a mistake. */
export const LONGEST_TEXT = 1000

const BLANK = { error: 'must not be blank', abort: true }
const NOT_BLANK = [z.minLength(1, BLANK), z.regex(/\S/, BLANK)]
const OF_TEXT = { minLength: 'blank-text', pattern: 'blank-text', maxLength: INVENTED_LIMITS } as const

export type RequestFields = ReturnType<typeof requestFields>

/** Fields of requests, as strict as the choices of assumptions make them, and printed so. */
export function requestFields(choices: Chosen) {
  const { 'blank-text': blankText, 'number-forms': numberForms, decimals } = choices
  const isNullable = choices['null-fields'] === 'absent'
  const textOrNull = isNullable ? { type: ['string', 'null'] } : {}

  function asText<S extends z.ZodType>(schema: S): S {
    if (blankText !== 'absent' && numberForms !== 'convert') return schema
    return read(schema, (sent) => {
      if (blankText === 'absent' && typeof sent === 'string' && sent.trim() === '') return undefined
      return numberForms === 'convert' && isShortNumber(sent) ? String(sent) : sent
    })
  }

  function asNumber<S extends z.ZodType>(schema: S): S {
    if (numberForms !== 'convert') return schema
    return read(schema, (sent) => (typeof sent === 'string' && NUMBER_AS_TEXT.test(sent) ? Number(sent) : sent))
  }

  function mayBeAbsent<S extends z.ZodType>(schema: S): S {
    return isNullable ? read(schema, (sent) => sent ?? undefined) : schema
  }

  /** Stops at the first problem, so that an empty text is not reported twice. Made at once: `check` would make two. */
  function upTo(max: number, only?: string) {
    const ofBlank = blankText === 'accept' ? [] : NOT_BLANK
    const ofWord = only === undefined ? [] : [z.refine<string>((value) => value === only, `must be ${only}`)]
    return new z.ZodString({
      type: 'string',
      checks: [...ofBlank, z.maxLength(max, `must be at most ${max} characters`), ...ofWord],
    })
  }

  function text(basis: Basis, description: string, { max = LONGEST_TEXT, only, ...grounds }: TextBounds = {}) {
    const words = only === undefined ? {} : { enum: [only] }
    return schemaField(basis, description, asText(upTo(max, only)), { ...OF_TEXT, ...grounds }, words)
  }

  function optionalText(basis: Basis, description: string, { max = LONGEST_TEXT, ...grounds }: TextBounds = {}) {
    const schema = mayBeAbsent(asText(upTo(max).optional()))
    const mayBeBlank = blankText === 'absent' ? { pattern: undefined, minLength: undefined } : {}
    return schemaField(basis, description, schema, { ...OF_TEXT, ...grounds }, { ...textOrNull, ...mayBeBlank })
  }

  function optional<S extends z.ZodType>(basis: Basis, description: string, schema: S, grounds: Grounds = {}) {
    return schemaField(basis, description, mayBeAbsent(asText(schema.optional())), grounds, textOrNull)
  }

  function amount(basis: Basis, description: string, grounds: Grounds = {}) {
    const schema = z.number().check(
      z.gt(0, { error: 'must be greater than 0', abort: true }),
      z.lte(999_999_999_999.99, { error: 'must be at most 999999999999.99', abort: true }),
      z.refine<number>((value) => toMinor(value) !== undefined, { message: 'must have at most two decimals' }),
    )
    const words = decimals === 'refuse' ? { multipleOf: 0.01 } : inCents[decimals]
    const lessThanCents = { minimum: 'decimals', exclusiveMaximum: INVENTED_LIMITS } as const
    return schemaField(
      basis,
      `${description} Major units, at most two decimals.`,
      asNumber(decimals === 'refuse' ? schema : read(schema, (sent) => cents(sent, decimals))),
      {
        exclusiveMinimum: 'published',
        maximum: INVENTED_LIMITS,
        multipleOf: 'decimals',
        ...grounds,
        ...(decimals !== 'refuse' && lessThanCents),
      },
      words,
    )
  }

  /** http(s) only: mfano POSTs to it, or sends a browser there. */
  function httpUrl(basis: Basis, description: string, grounds: Grounds = {}) {
    const schema = z
      .string()
      .check(
        z.maxLength(2000, { error: 'must be at most 2000 characters', abort: true }),
        z.refine(isHttpUrl, { error: ({ input }) => urlProblem(String(input)) }),
      )
    const isHttpsOnly = choices['url-rules'] === 'https-only'
    const https = z.refine<string>((value) => !/^http:/i.test(value), 'must be an https URL')
    const pattern = isHttpsOnly ? HTTPS_PATTERN : URL_PATTERN
    return schemaField(
      basis,
      description,
      asText(isHttpsOnly ? schema.check(https) : schema),
      { maxLength: INVENTED_LIMITS, pattern: 'url-rules', ...grounds },
      { pattern },
    )
  }

  function mobileCurrencyCode(basis: Source, description: string) {
    const spelling = z.enum(spellings, `must be one of ${spellings.join(', ')}`)
    return schemaField(
      basis,
      description,
      mayBeAbsent(spelling.default(spellings[0])),
      { enum: basis, 'x-default': 'published' },
      { ...textOrNull, ...(isNullable && { enum: [...spellings, null] }), default: undefined },
    )
  }

  function referenceId(basis: Basis) {
    return optionalText(basis, "The caller's own reference; a read finds the payment by it too.", { max: 200 })
  }

  /** A source that requires an id says in the same place that it is a uuid. */
  function requestId(source: Source) {
    const isUuid = { format: source, pattern: source }
    const isOff = choices['reference-lookup'] === 'off'
    const ofUuid = { ...UUID_WORDS, 'x-constraints': { format: grounded(source), pattern: grounded(source) } }
    return schemaField(
      source,
      "The id returned at creation; the caller's own referenceId is accepted too (assumption reference-lookup).",
      asText(upTo(200)),
      { ...OF_TEXT, required: source, format: 'reference-lookup', ...(isOff && isUuid) },
      isOff ? UUID_WORDS : { anyOf: [ofUuid, { title: 'referenceId' }] },
    )
  }

  /** Checked when sent: the published reference requires it, and its samples leave it out. */
  function publishedCompanyId() {
    const id = uuid('published', 'Marked required, and absent from the published sample: checked when sent.', {
      required: 'published-company-id',
    })
    return optionalIf(choices['published-company-id'] === 'optional', id)
  }

  const bankCode = (basis: Source) =>
    text(basis, "00 and the bank's code: assumption bank-code-format.", { max: 30, required: 'published' })
  const accountNumber = (basis: Source, description: string) =>
    text(basis, description, { max: 34, required: 'published' })

  return {
    asText,
    asNumber,
    text,
    optionalText,
    optional,
    amount,
    httpUrl,
    mobileCurrencyCode,
    referenceId,
    requestId,
    publishedCompanyId,
    bankCode,
    accountNumber,
  }
}

export function optionalIf<S extends z.ZodType>(isOptional: boolean, schema: S): z.ZodOptional<S> {
  return (isOptional ? schema.optional() : schema) as z.ZodOptional<S>
}

/** Less than a cent is rounded or cut, and the rest must still be a valid amount. */
const inCents = {
  round: { exclusiveMinimum: undefined, maximum: undefined, minimum: 0.005, exclusiveMaximum: 999_999_999_999.995 },
  cut: { exclusiveMinimum: undefined, maximum: undefined, minimum: 0.01, exclusiveMaximum: 1e12 },
}

/** With the same type, because what is read so is read by the schema in the end. */
function read<S extends z.ZodType>(schema: S, meant: (sent: unknown) => unknown): S {
  return z.preprocess(meant, schema) as z.ZodType as S
}

/** Longer whole numbers change when they are read as numbers. */
export const LONGEST_DIGITS = 15
const NUMBER_AS_TEXT = /^(?:0|[1-9]\d{0,11})(?:\.\d{1,2})?$/

function isShortNumber(sent: unknown): boolean {
  return typeof sent === 'number' && Number.isInteger(sent) && sent >= 0 && sent < 10 ** LONGEST_DIGITS
}

/** Uses the shortest decimal text, as the check of amounts does, so that binary fractions do not matter. */
function cents(amount: unknown, choice: 'round' | 'cut'): unknown {
  const [, whole, two, more] = /^(\d{1,12})\.(\d\d)(\d+)$/.exec(typeof amount === 'number' ? String(amount) : '') ?? []
  if (whole === undefined || two === undefined || more === undefined) return amount
  return (Number(whole + two) + (choice === 'round' && more >= '5' ? 1 : 0)) / 100
}

const PIECE = '[0-9A-Fa-f]{1,4}'
const IPV6 = [
  `(?:${PIECE}:){7}${PIECE}`,
  `::(?:${PIECE}(?::${PIECE}){0,6})?`,
  ...[1, 2, 3, 4, 5, 6].map((n) => `${PIECE}(?::${PIECE}){${n - 1}}::(?:${PIECE}(?::${PIECE}){0,${6 - n}})?`),
  `${PIECE}(?::${PIECE}){6}::`,
].join('|')

const HOST = `(?:(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.)*[A-Za-z_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?\\.?|(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)|\\[(?:${IPV6})\\])`
const PORT = '(?::(?:6553[0-5]|655[0-2]\\d|65[0-4]\\d\\d|6[0-4]\\d{3}|[1-5]\\d{4}|\\d{1,4}))?'
const BEHIND = '(?:[/?#]\\S*)?'
/** JSON Schema has no flag to ignore case, so both cases are listed. */
const URL_PATTERN = `^[Hh][Tt][Tt][Pp][Ss]?://${HOST}${PORT}${BEHIND}$`
const HTTPS_PATTERN = URL_PATTERN.replace('[Ss]?', '[Ss]')

const httpUrlForm = new RegExp(URL_PATTERN)

/**
 * Checks the pattern only, so that it agrees with the contract. A Punycode name without meaning fails when it is
 * resolved.
 */
function urlProblem(value: string): string {
  const { protocol = '', username, password, hostname = '' } = URL.parse(value) ?? {}
  if (!/^https?:$/.test(protocol)) return 'must be an http or https URL'
  if (username || password) return 'must be an http or https URL without a user name and password'
  if (hostname.includes('xn--') && !value.includes(hostname))
    return `must be an http or https URL with an ASCII host, here ${hostname}`
  if (/\s/.test(value)) return 'must be an http or https URL without blanks'
  return 'must be an http or https URL'
}

export function isHttpUrl(value: string): boolean {
  return httpUrlForm.test(value)
}

// Both cases are listed, because JSON Schema has no flag to ignore case.
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/

export function uuid(basis: Basis, description: string, grounds: Grounds = {}) {
  return schemaField(
    basis,
    description,
    z.string().regex(UUID, 'must be a uuid'),
    { format: basis as Source, pattern: basis as Source, ...grounds },
    { format: 'uuid' },
  )
}

const UUID_WORDS = { format: 'uuid', pattern: UUID.source }

export function isUuid(value: string): boolean {
  return UUID.test(value)
}

/** For the control plane, whose own requests depend on no choice. */
export const { amount, httpUrl, text } = requestFields(usualChoices)

export const companyId = uuid(
  'specified',
  "The caller's company; a sub-account's id is accepted too (assumption company-id).",
  { required: 'specified' },
)

const answeredBy = (source: Source) => ({
  requestId: uuid(source, 'The uuid of the record.'),
  pending: schemaField(source, 'Always PENDING here.', z.literal('PENDING'), { const: source }),
  status: schemaField(source, 'PENDING, SUCCESS or FAILED.', z.enum(['PENDING', 'SUCCESS', 'FAILED']), {
    enum: 'published',
  }),
  floatAmount: schemaField(source, 'Major units; whole amounts carry one decimal (published).', z.number()),
  wholeAmount: schemaField(source, 'Major units; whole amounts are printed as integers (published).', z.number()),
})

export const published = answeredBy('published')

export const answered = {
  ...answeredBy('specified'),
  id: schemaField('specified', 'Counted per kind of record.', z.int()),
  uuid: uuid('specified', 'The requestId of the creation.'),
  callbackUrl: schemaField('specified', 'As sent.', z.string()),
}

/** Also for records that the reads of Tanzania show. */
export const statusOrAccepted = schemaField(
  'specified',
  'PENDING, SUCCESS or FAILED; PAYMENT_ACCEPTED on Tanzania reads when assumed so.',
  z.enum(['PENDING', 'SUCCESS', 'FAILED', 'PAYMENT_ACCEPTED']),
  { enum: 'tz-status-word' },
)

/** An answer whose data stands in an envelope. `statusSource`: of the first status, where it is another source. */
export function envelope(
  status: number | readonly [number, number],
  description: string,
  message: string,
  data: z.ZodType,
  source: Source = 'specified',
  statusSource = source,
): AnswerContract {
  const statuses = typeof status === 'number' ? ([status] as const) : status
  const schema = closedObject(() => ({
    status: schemaField(
      source,
      'The HTTP status again.',
      z.literal(statuses),
      { const: statusSource, enum: 'status-read-code' },
      { type: 'integer' },
    ),
    message: schemaField(source, 'A text per family of operations.', z.literal(message), { const: 'published' }),
    data: data instanceof z.ZodArray ? schemaField(source, 'A list of records.', data) : data,
  }))
  return { status: statuses[0], description, schema, message }
}

export const localTimestamp = schemaField(
  'specified',
  'Date and time: mostly without a zone and with a fraction, some with a trailing Z and no fraction (assumption timestamp-form). Up to 9 fractional digits (published).',
  z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9}|Z)?$/),
  { pattern: 'timestamp-form' },
)
