/** Reads books: JSON or CSV with the payments that an app believes it has made. */
import Papa from 'papaparse'
import type { Countries } from '../../core/model/country.ts'
import { didYouMean } from '../../core/model/did-you-mean.ts'
import { type Currency, toMinor } from '../../core/model/money.ts'
import { isRecord } from '../../core/model/must.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { Service } from '../../core/model/simulated-service.ts'

export interface BookedPayment {
  /** Counted from 1, without the header. */
  number: number
  reference?: string
  requestId?: string
  kind?: string
  amountMinor?: number
  currency?: Currency
  status?: string
  refundDueMinor?: number
  feeMinor?: number
}

const fields = ['reference', 'requestId', 'kind', 'amount', 'currency', 'status'] as const
const MOST_LINES = 100_000

export function booksOfJson(value: unknown, service: Service): BookedPayment[] {
  if (!Array.isArray(value))
    throw wrong(`books: must be an array of lines, or CSV with the header ${fields.join(',')}; got ${shown(value)}`)
  if (value.length > MOST_LINES) throw wrong(`books: must have at most ${MOST_LINES} lines, have ${value.length}`)
  return value.map((line, i) => readLine(line, i + 1, service))
}

export function booksOfCsv(text: string, service: Service): BookedPayment[] {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(text.replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: 'greedy',
    delimiter: ',',
  })
  const header = meta.fields ?? []
  if (!header.some((name) => name === 'reference' || name === 'requestId'))
    throw wrong(
      `books: the CSV needs a header with reference or requestId (${fields.join(',')}), got ${shown(text.split('\n')[0])}`,
    )
  const [problem] = errors
  if (problem) throw wrong(`books: line ${(problem.row ?? 0) + 1} of the CSV: ${problem.message}`)
  return booksOfJson(data, service)
}

function readLine(value: unknown, number: number, { kinds, countries }: Service): BookedPayment {
  if (!isRecord(value))
    throw wrong(`books line ${number}: must be an object with ${fields.join(', ')}; got ${shown(value)}`)
  const line = value
  const text = (field: string) => textOf(line[field], `books line ${number}, ${field}`)
  const reference = text('reference')
  const requestId = text('requestId')?.toLowerCase()
  const kind = text('kind')
  const currency = text('currency')
  const status = text('status')
  const amountMinor = amountOf(line['amount'], `books line ${number}, amount`)
  const refundDueMinor = amountOf(line['refundDue'], `books line ${number}, refundDue`)
  const feeMinor = amountOf(line['fee'], `books line ${number}, fee`)
  return {
    number,
    ...(reference !== undefined && { reference }),
    ...(requestId !== undefined && { requestId }),
    ...(kind !== undefined && { kind: kindOf(kind, number, kinds.names) }),
    ...(amountMinor !== undefined && { amountMinor }),
    ...(currency !== undefined && { currency: ledgerCurrency(currency, number, countries) }),
    ...(status !== undefined && { status }),
    ...(refundDueMinor !== undefined && { refundDueMinor }),
    ...(feeMinor !== undefined && { feeMinor }),
  }
}

function textOf(value: unknown, field: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') throw wrong(`${field}: must be a text, got ${shown(value)}`)
  return value.trim() === '' ? undefined : value.trim()
}

function amountOf(value: unknown, field: string): number | undefined {
  const text = textOf(value, field)
  if (text === undefined) return undefined
  const minor = /^\d+(?:\.\d+)?$/.test(text) ? toMinor(Number(text)) : undefined
  if (minor === undefined)
    throw wrong(
      `${field}: must be an amount of at least 0 with at most two decimals, such as 1000.00; got ${shown(value)}`,
    )
  return minor
}

function kindOf(written: string, number: number, kinds: readonly string[]): string {
  const kind = written.toLowerCase().replaceAll(/[_\s]+/g, '-')
  if (kinds.includes(kind)) return kind
  throw wrong(
    `books line ${number}, kind: must be one of ${kinds.join(', ')}; got ${shown(written)}.${didYouMean(kind, kinds)}`,
  )
}

function ledgerCurrency(written: string, number: number, countries: Countries): Currency {
  const currency = countries.currencyOf(written.toUpperCase())
  if (currency) return currency
  throw wrong(`books line ${number}, currency: must be one of ${countries.spellings.join(', ')}; got ${shown(written)}`)
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (value === undefined || value === null) return 'nothing'
  if (typeof value !== 'object') return String(value)
  return Array.isArray(value) ? 'an array' : 'an object'
}

function wrong(details: string): Refusal {
  return new Refusal('INVALID_FIELD', details, { message: 'The books cannot be read.' })
}
