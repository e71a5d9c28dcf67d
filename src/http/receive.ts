/** The stages that may wait: the token's signature, the body's bytes, slow preparations. */
import type { z } from 'zod'
import { Refusal } from '../model/refusal.ts'
import { isOff } from '../scenarios/language/response-faults.ts'
import { authenticate } from './authenticate.ts'
import type { Exchange } from './exchange.ts'
import type { Operation, RequiredHeader } from './operation.ts'
import { parseJson, readBody } from './read-body.ts'
import { unknownPath } from './refusals.ts'

/** Takes in what came over the wire. The first thing that is wrong with it is kept as the refusal. */
export async function receive(exchange: Exchange, operation: Operation): Promise<void> {
  try {
    if (isOff(operation, exchange.world.core.scenario.assumptions)) throw unknownPath(exchange.c)
    if (operation.auth === 'bearer') exchange.credential = await authenticate(exchange)
    for (const header of operation.headers ?? []) requireHeader(exchange, header)
    if (operation.method === 'get') return
    exchange.text = await readBody(exchange.c.req.raw)
    if (!operation.body) return
    requireJson(exchange)
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

function requireJson({ c, service, world }: Exchange): void {
  const onOther = service.otherMediaType(world.core.scenario.assumptions)
  const contentType = c.req.header('content-type')
  if (onOther === 'accept' || /^application\/(?:[\w.-]+\+)?json(?:\s*;.*)?$/i.test(contentType ?? '')) return
  const got = contentType ? `"${contentType}"` : 'nothing'
  throw new Refusal('REQ_BAD_REQUEST', `Content-Type: expected application/json, got ${got}`, {
    status: onOther,
    fields: [{ field: 'Content-Type', message: 'Content-Type must be application/json' }],
  })
}
