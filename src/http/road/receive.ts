/** The stages that may wait: signature of the token, body, slow preparations. */
import type * as z from 'zod'
import { Refusal } from '../../core/model/refusal.ts'
import { commonReasons, refused } from '../../core/model/refusal-reasons.ts'
import { isOff } from '../../core/response-faults.ts'
import type { Exchange } from '../exchange.ts'
import type { Operation, RequiredHeader } from '../operation.ts'
import { parseJson } from '../read-body.ts'
import { authenticate } from './authenticate.ts'
import { bodyRefusal, bodyText, readBodyBytes, requireUtf8 } from './body-text.ts'
import { refuseOrigin } from './cors.ts'
import { readFields } from './handle.ts'
import { requireAcceptable, requireJson } from './media-type.ts'
import { unknownPath } from './refusals.ts'
import { parametersOf } from './repeated-parameters.ts'

export async function receive(exchange: Exchange, operation: Operation): Promise<void> {
  try {
    const { assumptions } = exchange.world.core.scenario
    if (isOff(operation, assumptions)) throw unknownPath(exchange.c)
    exchange.query = parametersOf(exchange)
    refuseOrigin(exchange)
    const isTokenFirst = assumptions['check-order'] === 'token-first'
    const needsToken = operation.auth === 'bearer'
    // Awaits promises only, to save a tick.
    if (needsToken && isTokenFirst) {
      const credential = authenticate(exchange)
      exchange.credential = credential instanceof Promise ? await credential : credential
    }
    requireAcceptable(exchange)
    for (const header of operation.headers ?? []) requireHeader(exchange, header)
    if (operation.method !== 'get') {
      let bytes: Uint8Array
      try {
        bytes = await readBodyBytes(exchange)
      } catch (error) {
        throw bodyRefusal(exchange, error)
      }
      takeBody(exchange, operation, bytes)
    }
    if (!isTokenFirst) {
      readFields(exchange, operation)
      if (needsToken) exchange.credential = await authenticate(exchange)
    }
    const { prepare, body } = operation
    if (prepare && body) exchange.prepared = await prepare(read(exchange, body), exchange.world)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    exchange.refusal = error
  }
}

function takeBody(exchange: Exchange, { body }: Operation, bytes: Uint8Array): void {
  exchange.text = bodyText(exchange, bytes)
  if (!body) return
  requireJson(exchange)
  requireUtf8(exchange, bytes, exchange.text)
  exchange.body = parseJson(exchange.text)
}

function requireHeader({ c }: Exchange, { name, why }: RequiredHeader): void {
  if (c.header(name.toLowerCase())?.trim()) return
  throw refused(commonReasons.headerMissing, `${name}: is required, it ${why}, got nothing`, {
    fields: [{ field: name, message: `${name} is required` }],
  })
}

function read<T>({ service, world, body }: Exchange, schema: z.ZodType<T>): T {
  return service.read(schema, body, world.core.scenario.assumptions)
}
