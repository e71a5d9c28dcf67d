/** Books against the ledger, over HTTP. */
import { Hono } from 'hono'
import { z } from 'zod'
import { parseJson, readBytes } from '../../http/read-body.ts'
import { validate } from '../../http/validate.ts'
import type { Finding } from '../../reconcile/finding.ts'
import { readBooks, reconcile } from '../../reconcile/reconcile.ts'
import { asks, type ControlContext, type ControlEnv, json, organisationOf } from './kit.ts'

/** Bytes that books may have. */
const BOOKS_MAX = 32_000_000

const query = z.strictObject({ organisationId: z.string().optional() })

/** Lines are read by `readBooks`, which knows where each one stands. */
const request = z.strictObject({
  books: z.unknown().optional(),
  /** Conditions over `line` and `payment`, each a finding where it holds. */
  findings: z
    .array(
      z.strictObject({
        code: z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'must be a code such as salary_below_minimum'),
        where: z.string(),
        text: z.string().min(1).max(500),
        level: z.enum(['error', 'warning'], 'must be error or warning').optional(),
      }),
    )
    .max(100)
    .optional(),
  organisationId: z.string().optional(),
})

/** `POST /_mfano/reconcile`: the books as a JSON array, as text/csv, or in an object with what is wanted besides. */
export function reconcileRoutes() {
  return new Hono<ControlEnv>().post('/_mfano/reconcile', asks(query), async (c) => {
    const { world } = c.env
    const { books, findings, organisationId = c.req.valid('query').organisationId } = await given(c)
    const lines = books === undefined ? undefined : readBooks(books, c.env.service.kinds.names)
    const owner = organisationId === undefined ? undefined : organisationOf(world, organisationId).id
    const result = await reconcile(world, lines, { findings, organisationId: owner })
    return json(c, {
      ...result,
      findings: result.findings.map((finding) => explained(c, finding)),
      warnings: result.warnings.map((finding) => explained(c, finding)),
    })
  })
}

async function given(c: ControlContext): Promise<z.output<typeof request>> {
  const text = new TextDecoder().decode(await readBytes(c.req.raw, BOOKS_MAX))
  if (/^text\/csv\b/i.test(c.req.header('content-type') ?? '')) return { books: text }
  const body = text.trim() === '' ? {} : parseJson(text)
  return Array.isArray(body) ? { books: body } : validate(request, body)
}

/** With what tells the whole story of its payment. */
function explained({ env: { baseUrl, origin, world } }: ControlContext, finding: Finding) {
  const { requestId } = finding
  if (requestId === undefined || world.core.store.payments.byUuid(requestId) === undefined) return finding
  const place = world.id === 'default' ? '' : ` --world ${world.id}`
  return {
    ...finding,
    explain: {
      command: `mfano explain ${requestId} --url ${origin}${place}`,
      url: `${baseUrl}/_mfano/payments/${requestId}/explain?format=text`,
    },
  }
}
