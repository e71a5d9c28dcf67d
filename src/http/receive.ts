/** The stages that may wait: the token's signature, the body's bytes, slow preparations. */
import type { z } from 'zod'
import { Refusal } from '../model/refusal.ts'
import { isOff } from '../scenarios/language/response-faults.ts'
import { authenticate } from './authenticate.ts'
import { readBodyBytes, requireUtf8, textOf } from './body-text.ts'
import { refuseOrigin } from './cors.ts'
import type { Exchange } from './exchange.ts'
import { requireAcceptable, requireJson } from './media-type.ts'
import type { Operation, RequiredHeader } from './operation.ts'
import { parseJson } from './read-body.ts'
import { unknownPath } from './refusals.ts'

/** Takes in what came over the wire. The first thing that is wrong with it is kept as the refusal. */
export async function receive(exchange: Exchange, operation: Operation): Promise<void> {
  try {
    if (isOff(operation, exchange.world.core.scenario.assumptions)) throw unknownPath(exchange.c)
    refuseOrigin(exchange)
    if (operation.auth === 'bearer') exchange.credential = await authenticate(exchange)
    requireAcceptable(exchange)
    for (const header of operation.headers ?? []) requireHeader(exchange, header)
    if (operation.method === 'get') return
    const bytes = await readBodyBytes(exchange)
    exchange.text = textOf(exchange, bytes)
    if (!operation.body) return
    requireJson(exchange)
    requireUtf8(exchange, bytes, exchange.text)
    exchange.body = parseJson(exchange.text)
    const { prepare, body } = operation
    if (prepare) exchange.prepared = await prepare(read(exchange, body), exchange.world)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    exchange.refusal = error
  }
}

function requireHeader({ c }: Exchange, { name, why }: RequiredHeader): void {
  if (c.req.header(name)?.trim()) return
  throw new Refusal('REQ_MISSING_FIELD', `${name}: is required, it ${why}, got nothing`, {
    fields: [{ field: name, message: `${name} is required` }],
  })
}

function read<T>({ service, world, body }: Exchange, schema: z.ZodType<T>): T {
  return service.read(schema, body, world.core.scenario.assumptions)
}
