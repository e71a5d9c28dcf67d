/** The road of a request, from top to bottom. */

import { maskPath } from '../../core/model/mask.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { storageRefusal } from '../../core/model/storage-failure.ts'
import { httpDate } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { beginExchange, type Unrouted } from '../exchange.ts'
import type { HttpService } from '../http-service.ts'
import type { Operation } from '../operation.ts'
import { jsonResponse } from '../read-body.ts'
import { applyFault, isWatched } from './apply-fault.ts'
import { conclude } from './conclude.ts'
import { handle } from './handle.ts'
import { receive } from './receive.ts'
import { asRecorded, recordedStage } from './recorded.ts'
import { internalFailure } from './refusals.ts'
import { respond } from './respond.ts'
import { sleep } from './send-faulty.ts'
import type { ServiceRequest } from './service-request.ts'
import { answerUnrouted, methodsOf } from './unrouted.ts'

/**
 * One commit validates, handles and journals, so that an answer and its effects are stored together. A refusal ends the
 * same way.
 */
export async function serve(c: ServiceRequest, service: HttpService, operation: Operation): Promise<Response> {
  // Under way until it is answered, whatever it asks for.
  const end = c.env.world.traffic.begin()
  try {
    const exchange = beginExchange(c, service, operation)
    await receive(exchange, operation)
    if (isWatched(exchange, operation)) await applyFault(exchange, operation)
    const { world, fault } = exchange
    if (fault?.latencyMs !== undefined && !fault.workFirst) await sleep(c, fault.latencyMs)

    const done = await world.commit.submit(
      () => recordedStage(exchange, 'answer', () => handle(exchange, operation)),
      (outcome) => asRecorded(exchange, () => conclude(exchange, outcome)),
    )
    c.env.observe(done.event)
    const { answer, requestId, text } = done
    if (answer.tellFirst !== undefined) await callbacksAttempted(world, answer.tellFirst)
    if (!operation.finish || answer.status >= 300) {
      const response = respond(exchange, requestId, answer, text)
      // Awaits promises only, to save a tick for answers that are ready.
      return response instanceof Promise ? await response : response
    }
    const finished = { ...answer, ...(await operation.finish({ world }, answer)) }
    return await respond(exchange, requestId, finished, JSON.stringify(finished.body))
  } catch (error) {
    return serveFailure(c, service, error)
  } finally {
    end()
  }
}

async function callbacksAttempted(world: World, paymentSeq: number): Promise<void> {
  const callbacks = world.core.store.callbacks.ofPayment(paymentSeq)
  await Promise.all(callbacks.map(({ id }) => world.deliverer.attempted(id)))
}

/** Also journalled, so that a wrong URL in an app can be found. */
export async function serveUnknown(c: ServiceRequest, service: HttpService, unrouted: Unrouted): Promise<Response> {
  const end = c.env.world.traffic.begin()
  try {
    const exchange = beginExchange(c, service, unrouted)
    const { answer, requestId, text, event } = await exchange.world.commit.submit(
      () => recordedStage(exchange, 'answer', () => answerUnrouted(exchange)),
      (outcome) => asRecorded(exchange, () => conclude(exchange, outcome)),
    )
    c.env.observe(event)
    const response = await respond(exchange, requestId, answer, text)
    if (answer.status === 405) response.headers.set('allow', methodsOf(exchange).join(', '))
    return response
  } catch (error) {
    return serveFailure(c, service, error)
  } finally {
    end()
  }
}

/**
 * For failures outside a commit: the world is gone, or mfano is broken. Not journalled, since nothing can be stored.
 */
function serveFailure(c: ServiceRequest, service: HttpService, error: unknown): Response {
  const { world, path } = c.env
  const known = error instanceof Refusal
  const told = storageRefusal(error)
  const refusal = told instanceof Refusal ? told : internalFailure('no request id')
  c.env.observe({
    world: world.id,
    requestId: '-',
    operation: null,
    method: c.method,
    path: maskPath(path),
    status: refusal.status,
    ...(!known && { error }),
  })
  return jsonResponse(service.errorBody(refusal, undefined, world.core.scenario.assumptions), {
    status: refusal.status,
    headers: { date: httpDate(world.core.clock.now()) },
  })
}
