/** Books against the ledger, over HTTP. */
import { Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod'
import type { Json } from '../../core/model/payment.ts'
import { isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { parseJson, readBytes } from '../../http/read-body.ts'
import { validate } from '../../http/validate.ts'
import type { Finding, FindingShown } from '../../inspect/finding.ts'
import type { Reconciled } from '../../inspect/reconcile.ts'
import { about, withFacts } from './about.ts'
import { asks, type ControlContext, type ControlEnv, json, organisationOf } from './control-context.ts'

/** Bytes that books may have. */
const BOOKS_MAX = 32_000_000
/** So many findings of the last comparison are kept for those who look later. */
const KEPT_MAX = 500
const LAST = 'reconciled'

// Loaded with the first books, so that a start need not wait for it.
const reconciler = () => import('../../inspect/reconcile.ts')

const query = z.strictObject({
  /** Of which organisation, by uuid; of the default one without. */
  organisationId: z.string().optional(),
})

/** Lines are read by `readBooks`, which knows where each one stands. */
const request = z.strictObject({
  /** An array of lines, or CSV as text. Without: only what the journal and the outbox show. */
  books: z.union([z.array(z.unknown()), z.string(), z.record(z.string(), z.unknown())]).optional(),
  /** Conditions over `line` and `payment`, each a finding where it holds. */
  findings: z
    .array(
      z.strictObject({
        /** A code of your own. */
        code: z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be a code such as salary_below_minimum'),
        /** CEL; each line or payment for which it holds is a finding. */
        where: z.string(),
        /** What is told of it. */
        text: z.string().min(1).max(500),
        /** Whether it counts; it does without. */
        level: z.enum(['error', 'warning'], 'must be error or warning').optional(),
      }),
    )
    .max(100)
    .optional(),
  /** Of which organisation, by uuid; of the default one without. */
  organisationId: z.string().optional(),
  /** What an earlier comparison gave, of a world in which people did the same and nothing went wrong. */
  asked: z
    .array(
      z.strictObject({
        /** The kind of payment. */
        kind: z.string(),
        /** Whom it is for, or from. */
        party: z.string().optional(),
        /** In major units. */
        amount: z.number(),
        /** The currency. */
        currency: z.string(),
        /** How often it was asked for. */
        times: z.number().int('must be a whole number').min(0, 'must be at least 0'),
      }),
    )
    .max(1000)
    .optional(),
})

/** What came of holding books against the ledger. */
export interface Verdict extends Reconciled {
  findings: FindingShown[]
  warnings: FindingShown[]
  /** Simulated time. */
  at: string
}

/** `POST /_mfano/reconcile`: the books as a JSON array, as text/csv, or in an object with what is wanted besides. */
export function reconcileRoutes() {
  return new Hono<ControlEnv>()
    .post(
      '/_mfano/reconcile',
      about('Compare books with ledger, histories and journal', {
        takes: z.union([request.shape.books.unwrap().options[0], request]),
        body: { 'text/csv': 'Books, with the names of their fields as header.' },
        errors: ['404 NOT_FOUND', '400 INVALID_EXPRESSION', '400 TOO_MANY'],
      }),
      asks(query),
      takesBooks,
      async (c) => {
        const { world } = c.env
        const { readBooks, reconcile } = await reconciler()
        const { books, findings, asked, organisationId = c.req.valid('query').organisationId } = c.req.valid('json')
        const lines = books === undefined ? undefined : readBooks(books, c.env.service)
        const owner = organisationId === undefined ? undefined : organisationOf(world, organisationId).id
        const verdict = shown(c, await reconcile(world, lines, { findings, asked, organisationId: owner }))
        if (lines) await keep(c, verdict)
        return json(c, verdict)
      },
    )

    .get('/_mfano/reconcile', about('The last comparison'), (c) => json(c, { last: lastCompared(c.env.world) }))
}

/** What the last books came to; null before the first. */
export function lastCompared({ core }: World): Verdict | null {
  return core.store.meta.get<Verdict>(LAST) ?? null
}

const takesBooks: MiddlewareHandler<
  ControlEnv,
  string,
  { in: { json: z.input<typeof request> }; out: { json: z.output<typeof request> } }
> = withFacts(
  async (c, next) => {
    const text = new TextDecoder().decode(await readBytes(c.req.raw, BOOKS_MAX))
    const isCsv = /^text\/csv\b/i.test(c.req.header('content-type') ?? '')
    const body = isCsv ? { books: text } : text.trim() === '' ? {} : parseJson(text)
    c.req.addValidatedData('json', validate(request, Array.isArray(body) ? { books: body } : body))
    await next()
  },
  { json: request },
)

/** For those who look at a payment later, and for the report of the run that goes on. */
async function keep({ env: { world } }: ControlContext, verdict: Verdict): Promise<void> {
  const { findings, warnings } = verdict
  const kept = { ...verdict, findings: findings.slice(0, KEPT_MAX), warnings: warnings.slice(0, KEPT_MAX) }
  const { meta, runs } = world.core.store
  await world.commit.submit(() => {
    meta.set(LAST, kept)
    const run = runs.open()
    if (run) runs.save({ ...run, compared: kept as unknown as Json })
  })
}

function shown({ env: { baseUrl, origin, world } }: ControlContext, reconciled: Reconciled): Verdict {
  const place = world.id === 'default' ? '' : ` --world ${world.id}`
  const explained = (finding: Finding): FindingShown => {
    const { requestId } = finding
    if (requestId === undefined || world.core.store.payments.byUuid(requestId) === undefined) return finding
    const command = `mfano explain ${requestId} --url ${origin}${place}`
    const url = `${baseUrl}/_mfano/payments/${requestId}/explain?format=text`
    return { ...finding, explain: { command, url } }
  }
  return {
    ...reconciled,
    findings: reconciled.findings.map(explained),
    warnings: reconciled.warnings.map(explained),
    at: isoInstant(world.core.clock.now()),
  }
}
