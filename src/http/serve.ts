/** The road of a request, read downwards. */
import type { Context } from 'hono'
import { Refusal } from '../model/refusal.ts'
import { refusalOf } from '../model/storage-failure.ts'
import type { World } from '../world/world.ts'
import { applyFault, isWatched } from './apply-fault.ts'
import { type Concluded, conclude } from './conclude.ts'
import type { Env } from './env.ts'
import { beginExchange, type Exchange } from './exchange.ts'
import { handle } from './handle.ts'
import type { HttpService } from './http-service.ts'
import { maskPath } from './mask.ts'
import type { Answer, Operation } from './operation.ts'
import { receive } from './receive.ts'
import { asRecorded, recorded } from './recorded.ts'
import { internalFailure, otherMethod, unknownPath } from './refusals.ts'
import { respond } from './respond.ts'
import { sleep } from './send-faulty.ts'

/**
 * Authenticate and read, apply a fault, then in one commit validate, handle and journal; answer. A refusal at any stage
 * takes the same road out.
 */
export function serve(c: Context<Env>, service: HttpService, operation: Operation): Promise<Response> {
  return counted(c, () => answered(c, service, operation))
}

/** Counts a request as under way until it is answered, whatever it asks for. */
async function counted(c: Context<Env>, answer: () => Promise<Response>): Promise<Response> {
  const end = c.env.world.traffic.begin()
  try {
    return await answer()
  } finally {
    end()
  }
}

async function answered(c: Context<Env>, service: HttpService, operation: Operation): Promise<Response> {
  const exchange = beginExchange(c, service, operation)
  await receive(exchange, operation)
  if (isWatched(exchange, operation)) await applyFault(exchange, operation)
  const { world, fault } = exchange
  if (fault?.latencyMs !== undefined && !fault.workFirst) await sleep(c, fault.latencyMs)

  const done = await world.commit.submit(
    () => recorded(exchange, 'answer', () => handle(exchange, operation)),
    (outcome) => asRecorded(exchange, () => conclude(exchange, outcome)),
  )
  c.env.observe(done.event)
  const { answer, requestId, text } = done
  if (answer.tellFirst !== undefined) await callbacksAttempted(world, answer.tellFirst)
  if (!operation.finish || answer.status >= 300) return respond(exchange, requestId, answer, text)
  const finished = { ...answer, ...(await operation.finish({ world }, answer)) }
  return respond(exchange, requestId, finished, JSON.stringify(finished.body))
}

/** Waits until the merchant has been told of a payment, well or not. */
async function callbacksAttempted(world: World, paymentSeq: number): Promise<void> {
  const callbacks = world.core.store.callbacks.ofPayment(paymentSeq)
  await Promise.all(callbacks.map(({ id }) => world.deliverer.attempted(id)))
}

/** A request that no operation answers: journalled like any other. `allowed`: the methods that its path has. */
export function serveUnknown(c: Context<Env>, service: HttpService, allowed: string[]): Promise<Response> {
  return counted(c, () => turnedAway(c, service, allowed))
}

async function turnedAway(c: Context<Env>, service: HttpService, allowed: string[]): Promise<Response> {
  const exchange = beginExchange(c, service)
  const asUnknown = allowed.length === 0 || service.otherMethod(exchange.world.core.scenario.assumptions) === 404
  exchange.refusal = asUnknown ? unknownPath(c) : otherMethod(c, allowed)
  const { answer, requestId, text, event } = await refuseNow(exchange, exchange.refusal)
  c.env.observe(event)
  const response = await respond(exchange, requestId, answer, text)
  if (!asUnknown) response.headers.set('allow', allowed.join(', '))
  return response
}

function refuseNow(exchange: Exchange, refusal: Refusal): Promise<Concluded> {
  return exchange.world.commit.submit<Answer, Concluded>(
    () =>
      recorded(exchange, 'answer', () => {
        throw refusal
      }),
    (outcome) => asRecorded(exchange, () => conclude(exchange, outcome)),
  )
}

/** What happens outside of a commit: the world is gone, or mfano is broken. Told in the service's form, not journalled. */
export function serveFailure(c: Context<Env>, service: HttpService, error: unknown): Response {
  const { world, path } = c.env
  const known = error instanceof Refusal
  const told = refusalOf(error)
  const refusal = told instanceof Refusal ? told : internalFailure('no request id')
  c.env.observe({
    world: world.id,
    requestId: '-',
    method: c.req.method,
    path: maskPath(path),
    status: refusal.status,
    ...(!known && { error }),
  })
  return Response.json(service.errorBody(refusal, undefined, world.core.scenario.assumptions), {
    status: refusal.status,
  })
}
