/** The stages that may wait: signature of the token, body, slow preparations. */
import type * as z from 'zod'
import { Refusal } from '../../core/model/refusal.ts'
import { commonReasons, refused } from '../../core/model/refusal-reasons.ts'
import { isOff } from '../../core/response-faults.ts'
import type { Exchange } from '../exchange.ts'
import type { Operation, RequiredHeader } from '../operation.ts'
import { parseJson } from '../read-body.ts'
import { authenticate } from './authenticate.ts'
import { readBodyText, requireJson } from './body-text.ts'
import { unknownPath } from './refusals.ts'

export async function receive(exchange: Exchange, operation: Operation): Promise<void> {
  try {
    if (isOff(operation, exchange.world.core.scenario.assumptions)) throw unknownPath(exchange.c)
    if (operation.auth === 'bearer') {
      const credential = authenticate(exchange)
      // Awaits promises only, to save a tick.
      exchange.credential = credential instanceof Promise ? await credential : credential
    }
    for (const header of operation.headers ?? []) requireHeader(exchange, header)
    const { method, prepare, body } = operation
    if (method !== 'get') exchange.text = await readBodyText(exchange)
    noteUnread(exchange, operation)
    if (exchange.text !== undefined && body) {
      requireJson(exchange)
      exchange.body = parseJson(exchange.text)
    }
    if (prepare && body) exchange.prepared = await prepare(read(exchange, body), exchange.world)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    exchange.refusal = error
  }
}

const IDEMPOTENCY_HEADERS = ['Idempotency-Key', 'X-Idempotency-Key']

/** Notes what no operation reads: idempotency keys, and bodies that belong to no field. */
function noteUnread({ c, text, notes }: Exchange, { body }: Operation): void {
  const unread = IDEMPOTENCY_HEADERS.filter((name) => c.header(name.toLowerCase()) !== undefined)
  const hasBody = text === undefined ? Number(c.header('content-length') ?? 0) > 0 : !/^\s*(?:\{\s*\})?\s*$/.test(text)
  if (!body && hasBody) unread.push('body')
  if (unread.length > 0) notes.unread = unread
}

function requireHeader({ c }: Exchange, { name, why }: RequiredHeader): void {
  if (c.header(name.toLowerCase())?.trim()) return
  throw refused(commonReasons.headerMissing, `${name}: is required, it ${why}, got nothing`, `${name} is required`)
}

function read<T>({ service, world, body }: Exchange, schema: z.ZodType<T>): T {
  return service.read(schema, body, world.core.scenario.assumptions)
}
