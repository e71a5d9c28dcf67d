import * as z from 'zod'
import type { Json } from '../../core/model/payment.ts'
import { isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { parseJson, readBytes } from '../../http/read-body.ts'
import {
  type Finding,
  type FindingShown,
  type Reconciled,
  type ReconcileVerdict,
  verdictShape,
} from '../../inspect/finding.ts'
import { inTurns } from '../../inspect/search.ts'
import { paymentsService } from '../../service/service.ts'
import { type ControlBindings, type ControlContext, organisationOf } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'
import { organisationField } from './fields.ts'

const KEPT_MAX = 500
const LAST = 'reconciled'

// Loaded with the first books, so that a start need not wait for it.
const reconciler = () => import('../../inspect/reconcile.ts')

const query = z.strictObject({ organisationId: organisationField })

/** `readBooks` checks the lines, because it knows the position of each. */
const request = z.strictObject({
  books: z
    .union([z.array(z.unknown()), z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe('Lines, or CSV as text. Without: only what journal and outbox show.'),
  organisationId: organisationField,
  asked: z
    .array(
      z.strictObject({
        kind: z.string().describe('The kind of payment.'),
        party: z.string().optional().describe('The receiver, or the payer.'),
        amount: z.number().describe('In major units.'),
        currency: z.string().describe('The currency.'),
        times: z.number().int('must be a whole number').min(0, 'must be at least 0').describe('How often.'),
      }),
    )
    .max(1000)
    .optional()
    .describe('Answer of an earlier comparison, in a world where people did the same and nothing went wrong.'),
})

export const reconcileOperations = [
  controlOperation('books.compare', 'POST /reconcile', {
    summary: 'Compare books with the ledger',
    description:
      'It finds what is paid twice, unknown, stale or wrong. A line has reference, requestId, kind, amount, currency, status.',
    agent: { tool: 'reconcile' },
    query,
    body: request,
    read: readBooksSent,
    bodies: { 'text/csv': 'Books, with the names of their fields as header.' },
    takes: z.union([request.shape.books.unwrap().options[0], request]),
    answer: verdictShape,
    errors: ['TOO_MANY'],
    screen: {
      examples: [
        '--books http://localhost:3000/books',
        '--books books.csv --world payday --json',
        '--books books.json --fail-on warning',
      ],
    },
    async run({ env, world, query, body }) {
      const { readBooks, reconcileBooks } = await reconciler()
      const { books, asked, organisationId = query.organisationId } = body
      const read = books === undefined ? undefined : readBooks(books, paymentsService, asked !== undefined)
      const { lines, unreadFields = [] } = read ?? {}
      const owner = organisationId === undefined ? undefined : organisationOf(world, organisationId).id
      const reconciled = await reconcileBooks(world, lines, { asked, organisationId: owner })
      const verdict = await presentVerdict(env, { ...reconciled, unreadFields })
      if (lines) await keep(world, verdict)
      return verdict
    },
  }),
  controlOperation('books.show', 'GET /reconcile', {
    summary: 'Show the last comparison',
    answer: () => z.object({ last: verdictShape().nullable() }),
    run: ({ world }) => ({ last: lastCompared(world) }),
  }),
] as const

export function lastCompared({ core }: World): ReconcileVerdict | null {
  return core.store.meta.get<ReconcileVerdict>(LAST) ?? null
}

async function readBooksSent(c: ControlContext): Promise<unknown> {
  const { decodeBooks, BOOKS_MAX_BYTES } = await reconciler()
  const type = c.req.header('content-type') ?? ''
  const text = decodeBooks(await readBytes(c.req.raw, BOOKS_MAX_BYTES), type)
  if (/^text\/csv\b/i.test(type)) return { books: text }
  const body = text.trim() === '' ? {} : parseJson(text)
  return Array.isArray(body) ? { books: body } : body
}

async function keep(world: World, verdict: ReconcileVerdict): Promise<void> {
  const { findings, warnings } = verdict
  const kept = { ...verdict, findings: findings.slice(0, KEPT_MAX), warnings: warnings.slice(0, KEPT_MAX) }
  const { meta, runs } = world.core.store
  await world.commit.submit(() => {
    meta.set(LAST, kept)
    const run = runs.open()
    if (run) runs.save({ ...run, compared: kept as unknown as Json })
  })
}

async function presentVerdict(
  { baseUrl, origin, world }: ControlBindings,
  reconciled: Reconciled & { unreadFields: string[] },
): Promise<ReconcileVerdict> {
  const place = world.id === 'default' ? '' : ` --world ${world.id}`
  const explained = (finding: Finding): FindingShown => {
    const { requestId } = finding
    if (requestId === undefined || world.core.store.payments.byUuid(requestId) === undefined) return finding
    const command = `mfano explain ${requestId} --url ${origin}${place}`
    const url = `${baseUrl}/_mfano/payments/${requestId}/explain?format=text`
    return { ...finding, explain: { operation: 'payment.explain', with: { id: requestId }, command, url } }
  }
  return {
    ...reconciled,
    findings: await inTurns(world, reconciled.findings, explained),
    warnings: await inTurns(world, reconciled.warnings, explained),
    at: isoInstant(world.core.clock.now()),
  }
}
