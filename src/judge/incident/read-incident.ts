/**
 * Reads the files of an incident: traffic as HAR or as JSON lines, the provider's list of payments, and the app's books.
 * Its errors repeat no value of them, because that could be somebody's name or number.
 */
import Papa from 'papaparse'
import { asJson } from '../../core/model/json.ts'
import { toMinor } from '../../core/model/money.ts'
import { isRecord, keysIn } from '../../core/model/must.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { readBooks } from '../../inspect/reconcile.ts'
import { paymentsService } from '../../service/service.ts'
import { BooksUnreadable, fetchBooks } from '../fetch-books.ts'
import { instantOf, readText, readTrafficFile, unreadable } from '../traffic/read-traffic.ts'

export type ListedPayment = ReturnType<typeof readList>[number]
export type BookedLine = ReturnType<typeof readBooks>['lines'][number]

export type IncidentFiles = Awaited<ReturnType<typeof readIncident>>

export async function readIncident(of: { traffic: string; payments: string | undefined; books: string | undefined }) {
  return {
    ...readTrafficFile(of.traffic),
    listed: of.payments === undefined ? undefined : readList(of.payments),
    booked: of.books === undefined ? undefined : await booksOf(of.books),
  }
}

/** Names of its columns, without separators; of several that a list has, the first counts. */
const columns = {
  requestId: ['requestid', 'uuid', 'paymentid', 'transactionid', 'id'],
  reference: ['reference', 'referenceid', 'externalreference', 'externalref', 'clientreference', 'merchantreference'],
  status: ['status', 'state', 'outcome', 'result'],
  amount: ['amount', 'requestedamount', 'value'],
  kind: ['kind', 'type', 'product'],
  created: ['createdat', 'created', 'time', 'timestamp', 'date'],
  ended: ['endedat', 'updatedat', 'completedat', 'ended', 'updated'],
} as const
type Column = keyof typeof columns

function readList(file: string) {
  const text = readText(file, 'payments')
  const list = listIn(asJson(text))
  const table = list ? undefined : Papa.parse<object>(text.trim(), { header: true, skipEmptyLines: 'greedy' })
  const rows = list ?? table?.data ?? []
  const names = table?.meta.fields ?? Object.keys(Object.assign({}, ...rows.slice(0, 100)))
  const plain = new Map(names.map((name) => [name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), name]))
  const columnValue = (column: Column) => columns[column].map((one) => plain.get(one)).find((one) => one !== undefined)
  if ((table || rows.length > 0) && (!columnValue('status') || !(columnValue('requestId') ?? columnValue('reference'))))
    throw unreadable(
      `${file}: expected a JSON array, or CSV with a header, with status and requestId or reference (amount, kind, createdAt and updatedAt help); ${columnsTold(names, keysIn(columns).some(columnValue))}.`,
      'payments',
    )
  const kinds = paymentsService.kinds.names
  return rows.map((row) => {
    const text = (column: Column) => {
      const name = columnValue(column)
      const value = name === undefined ? undefined : Reflect.get(row, name)
      return value === undefined || value === null || value === '' ? undefined : String(value)
    }
    const amount = Number(text('amount')?.replaceAll(',', ''))
    const kind = text('kind')
      ?.toLowerCase()
      .replaceAll(/[_\s]+/g, '-')
    return {
      requestId: text('requestId')?.toLowerCase(),
      reference: text('reference'),
      status: text('status')?.trim().toUpperCase() ?? '',
      kind: kinds.find((one) => one === kind),
      amountMinor: Number.isFinite(amount) ? toMinor(amount) : undefined,
      createdMs: instantOf(text('created')),
      endedMs: instantOf(text('ended')),
    }
  })
}

function listIn(value: unknown): object[] | undefined {
  if (Array.isArray(value)) return value.filter(isRecord)
  if (!isRecord(value)) return undefined
  for (const inner of Object.values(value)) {
    const list = listIn(inner)
    if (list) return list
  }
  return undefined
}

/** Where no name is known, the first line may hold data, which is not repeated. */
function columnsTold(names: readonly string[], isHeader: boolean): string {
  if (names.length === 0) return 'got no line'
  if (!isHeader) return `got ${names.length} columns without a header`
  return `got the columns ${names.map((name) => JSON.stringify(name)).join(', ')}`
}

async function booksOf(place: string): Promise<readonly BookedLine[]> {
  try {
    return readBooks(await fetchBooks(place), paymentsService).lines
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof BooksUnreadable)) throw error
    const why = error instanceof Refusal ? error.details : error.message
    throw unreadable(why.replace(/[;,] got .*/s, '.'), 'books')
  }
}
