import * as z from 'zod'
import { must } from '../../core/model/must.ts'
import { requestEntry } from '../../inspect/present.ts'
import { equalTo, search, toQuery } from '../../inspect/search.ts'
import { paymentsService } from '../../service/service.ts'
import { notFound } from './control-context.ts'
import { controlOperation, internalOperation } from './declared-operation.ts'
import { instant, listLimit, oneOf, pageBefore, searched } from './fields.ts'

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')

const listOf = () =>
  z.strictObject({
    operation: oneOf(paymentsService.operations.map(({ id }) => id))
      .optional()
      .describe('By its id in the contract.'),
    status: z.coerce.number().int('must be a whole number').optional().describe('The HTTP status that was answered.'),
    method: z.string().toUpperCase().optional().describe('The HTTP method.'),
    path: z.string().optional().describe('Without its query.'),
    requestId: z.string().optional().describe("From the answer's Mfano-Request-Id header."),
    rule: z.string().optional().describe("The scenario's rule that decided."),
    search: searched('Part of its path, body or answer, in any case. A phone number may have any spelling.'),
    refused: flag.optional().describe('Only those that were turned away.'),
    since: instant.optional().describe('From this simulated time on.'),
    until: instant.optional().describe('Up to this simulated time.'),
    where: z.string().optional().describe('CEL over the request and its payment.'),
    unread: flag.optional().describe('Only those with fields that nobody read.'),
    limit: listLimit,
    before: pageBefore,
  })

export const requestOperations = [
  controlOperation('requests.list', 'GET /requests', {
    summary: 'List requests to the service, newest first',
    query: listOf,
    answer: () =>
      z.object({
        next: z.number().nullable(),
        requests: z.array(requestEntry.schema()),
      }),
    errors: ['INVALID_EXPRESSION'],
    list: {
      rows: 'requests',
      none: 'No requests yet. The API reference is at /docs of the server.',
      columns: ['requestId', 'at', 'method', 'path', 'status:status', 'rule', 'unreadFields=ignored fields'],
    },
    screen: { examples: ['--limit 10', `--where 'request.status >= 400' --json`] },
    async run({ world, query }) {
      const { limit, before, search: texts, operation, status, method, path, requestId, rule } = query
      const wanted = toQuery(paymentsService, 'request', query, {
        ...equalTo('request', { operation, status, method, path, requestId, rule }),
        ...(query.refused && { refused: 'request.status >= 400' }),
        ...(query.unread && { unread: 'request.unread.size() > 0' }),
      })
      const { found, more } = await search(world, wanted, { limit, before, texts })
      return {
        next: more,
        requests: found.map(({ context }) => requestEntry(must(context.seen.entry), world.core)),
      }
    },
  }),
  // A judge waits so until an app asks nothing. `begun`: all that came since the world was opened.
  internalOperation('requests.open', 'GET /requests/open', {
    run: ({ world }) => world.leases.requests,
  }),
  controlOperation('requests.show', 'GET /requests/:id', {
    summary: 'Show one request and its answer',
    description: 'Each answer carries the id in its header Mfano-Request-Id. Secrets are masked.',
    params: { id: 'A request, by its Mfano-Request-Id.' },
    answer: requestEntry.schema,
    screen: {
      facts: [
        'requestId=id',
        'at',
        'method',
        'path',
        'operation',
        'organisationId',
        'status=answer:status',
        'rule',
        'fault',
        'unreadFields=ignored fields',
        'warnings',
        'assumed=taken by assumption',
      ],
      parts: { 'request.body': ['Request'], response: ['Answer'] },
      examples: [`"$(mfano requests list --json | jq -r '.requests[0].requestId')"`],
    },
    run({ world: { core }, params: { id } }) {
      const entry = core.store.journal.byRequestId(id)
      if (entry) return requestEntry(entry, core)
      throw notFound(`There is no request "${id.slice(0, 80)}".`, 'requests.list')
    },
  }),
  controlOperation('requests.clear', 'DELETE /requests', {
    summary: 'Delete all recorded requests',
    answer: () => z.object({ cleared: z.literal(true) }),
    screen: { says: () => 'All recorded requests are deleted.', examples: ['--world shop'] },
    run: ({ world }) => world.perform({ command: 'clear-journal' }),
  }),
] as const
