import Papa from 'papaparse'
import type { Countries } from '../../core/model/country.ts'
import type { Service } from '../../core/model/kind.ts'
import { type Currency, toMinor } from '../../core/model/money.ts'
import { isRecord } from '../../core/model/must.ts'
import { didYouMean, nearest } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { normalText } from './payment-facts.ts'

const fields = ['reference', 'requestId', 'kind', 'amount', 'currency', 'status', 'fee', 'refundDue'] as const
type Field = (typeof fields)[number]
const MAIN_FIELDS = fields.slice(0, 6).join(',')
const MOST_LINES = 100_000
const MOST_UNREAD = 20

export interface Books {
  lines: BookedPayment[]
  /** Fields that no comparison reads, as the books write them. */
  unreadFields: string[]
}

/** Reads by the byte order mark, else by the charset of the content type, else as UTF-8. */
export function decodeBooks(bytes: Uint8Array, contentType = ''): string {
  const [first, second] = bytes
  const utf16 =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined
  const declared = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]
  const charset = utf16 ?? declared ?? 'utf-8'
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    throw wrong(
      `books: cannot be read as ${charset.toUpperCase()}. Save them as UTF-8, or serve them with their charset, such as text/csv; charset=iso-8859-1`,
    )
  }
}

/** `idsMayLack`: every line may lack its ids, as those of an app that was never answered. */
export function booksOfJson(value: unknown, service: Service, idsMayLack = false): Books {
  if (!Array.isArray(value))
    throw wrong(`books: must be an array of lines, or CSV with the header ${MAIN_FIELDS}; got ${printValue(value)}`)
  if (value.length > MOST_LINES) throw wrong(`books: must have at most ${MOST_LINES} lines, have ${value.length}`)
  const names = new FieldNames()
  const lines = value.map((line, i) => readLine(line, i + 1, service, names))
  if (lines.length > 0 && !idsMayLack && !names.hasOneOf('reference', 'requestId'))
    throw wrong(
      `books: no line has a reference or a requestId, so nothing can be compared; ${fieldsOf(value[0])}. While the app does not know one, write null`,
    )
  return { lines, unreadFields: names.unread }
}

export function booksOfCsv(text: string, service: Service): Books {
  const told = /^\ufeff?sep=([,;\t])\r?\n/i.exec(text)
  const table = text.slice(told?.[0].length ?? 0).replace(/^\ufeff/, '')
  const { data, errors, meta } = Papa.parse<Record<string, string>>(table, {
    header: true,
    skipEmptyLines: 'greedy',
    delimiter: told?.[1] ?? separatorOf(table),
  })
  const header = meta.fields ?? []
  const names = new FieldNames()
  const known = header.map((name) => names.fieldOf(name, 'books: the header of the CSV'))
  if (!known.some((field) => field === 'reference' || field === 'requestId'))
    throw wrong(
      `books: the CSV needs a header with reference or requestId (${MAIN_FIELDS}), got ${printValue(table.split('\n')[0])}`,
    )
  const [problem] = errors
  if (problem) throw wrong(`books: line ${(problem.row ?? 0) + 1} of the CSV: ${problem.message}`)
  return booksOfJson(data, service)
}

function fieldsOf(line: unknown): string {
  const names = isRecord(line) ? Object.keys(line).slice(0, MOST_UNREAD) : []
  return names.length === 0 ? 'line 1 is empty' : `line 1 has ${names.map(printValue).join(', ')}`
}

/** The one of the three that spreadsheets write which the header has most often. */
function separatorOf(table: string): string {
  const header = table.trimStart().split('\n', 1)[0] ?? ''
  const times = (separator: string) => header.split(separator).length
  return [',', ';', '\t'].reduce((best, one) => (times(one) > times(best) ? one : best))
}

/** Which field of the books a name means. Refuses one that is nearly a field's, since its values would not be compared. */
class FieldNames {
  readonly #known = new Map<string, Field | undefined>()

  fieldOf(name: string, where: string): Field | undefined {
    if (this.#known.has(name)) return this.#known.get(name)
    const plain = name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
    const field = fields.find((one) => one.toLowerCase() === plain)
    const near = field === undefined && nearest(name.trim(), fields)
    if (near) throw wrong(`${where}: ${printValue(name)} is no field of the books. Did you mean ${near}?`)
    this.#known.set(name, field)
    return field
  }

  hasOneOf(...wanted: readonly Field[]): boolean {
    return [...this.#known.values()].some((field) => field !== undefined && wanted.includes(field))
  }

  get unread(): string[] {
    return [...this.#known].flatMap(([name, field]) => (field ? [] : [name])).slice(0, MOST_UNREAD)
  }
}

function readLine(value: unknown, number: number, { kinds, countries }: Service, names: FieldNames) {
  if (!isRecord(value))
    throw wrong(`books line ${number}: must be an object with ${MAIN_FIELDS}; got ${printValue(value)}`)
  const line: Partial<Record<Field, unknown>> = {}
  for (const [name, held] of Object.entries(value)) {
    const field = names.fieldOf(name, `books line ${number}`)
    if (!field) continue
    if (field in line) throw wrong(`books line ${number}: has ${field} twice, the second time as ${printValue(name)}`)
    line[field] = held
  }
  const text = (field: Field) => textOf(line[field], `books line ${number}, ${field}`)
  const amount = (field: Field) => amountOf(line[field], `books line ${number}, ${field}`)
  return {
    number,
    reference: text('reference'),
    requestId: text('requestId')?.toLowerCase(),
    kind: kindOf(text('kind'), number, kinds.names),
    amountMinor: amount('amount'),
    currency: ledgerCurrency(text('currency'), number, countries),
    status: text('status'),
    refundDueMinor: amount('refundDue'),
    feeMinor: amount('fee'),
  }
}

export type BookedPayment = Partial<ReturnType<typeof readLine>> & { number: number }

function textOf(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw wrong(`${field}: must be a text, got ${printValue(value)}`)
  return normalText(value) || undefined
}

function amountOf(value: unknown, field: string): number | undefined {
  const text = textOf(value, field)
  if (text === undefined) return undefined
  const minor = /^\d+(?:\.\d+)?$/.test(text) ? toMinor(Number(text)) : undefined
  if (minor === undefined)
    throw wrong(
      `${field}: must be an amount of at least 0 with at most two decimals, such as 1000.00; got ${printValue(value)}`,
    )
  return minor
}

function kindOf(written: string | undefined, number: number, kinds: readonly string[]): string | undefined {
  if (written === undefined) return undefined
  const kind = written.toLowerCase().replaceAll(/[_\s]+/g, '-')
  if (kinds.includes(kind)) return kind
  throw wrong(
    `books line ${number}, kind: must be one of ${kinds.join(', ')}; got ${printValue(written)}.${didYouMean(kind, kinds)}`,
  )
}

function ledgerCurrency(written: string | undefined, number: number, countries: Countries): Currency | undefined {
  if (written === undefined) return undefined
  const currency = countries.currencyOf(written.toUpperCase())
  if (currency) return currency
  throw wrong(
    `books line ${number}, currency: must be one of ${countries.spellings.join(', ')}; got ${printValue(written)}`,
  )
}

function printValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (value === undefined || value === null) return 'nothing'
  if (typeof value !== 'object') return String(value)
  return Array.isArray(value) ? 'an array' : 'an object'
}

function wrong(details: string): Refusal {
  return new Refusal('INVALID_FIELD', details, { message: 'The books cannot be read.' })
}
