/** The last stage: sends an answer that is committed. */
import { httpDate } from '../../core/model/time.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer } from '../operation.ts'
import { sendFaulty } from './send-faulty.ts'
import { listText, streamed } from './stream-list.ts'

export function respond(
  exchange: Exchange,
  requestId: string,
  answer: Answer,
  text: string | undefined,
): Response | Promise<Response> {
  const { c, world, operation } = exchange
  const date = httpDate(world.core.clock.now())
  const headers: Record<string, string> =
    text === ''
      ? { 'mfano-request-id': requestId, date }
      : { 'content-type': 'application/json', 'mfano-request-id': requestId, date }
  if (answer.headers) Object.assign(headers, answer.headers)
  const { fault } = answer
  const rule = fault?.by ?? answer.rule
  if (rule !== undefined) headers['mfano-rule'] = encodeURI(rule.toWellFormed())
  const tellsWhen = world.core.scenario.assumptions['retry-after'] === 'sent'
  if (tellsWhen && typeof fault?.answer === 'object' && fault.answer.retryAfterS !== undefined)
    headers['retry-after'] = String(fault.answer.retryAfterS)
  if (fault) return sendFaulty(c, fault, answer.status, headers, text ?? '')
  const told = (whole: string) => world.presentation.answer(operation?.id ?? '', c.method, whole)
  if (!world.presentation.idle && answer.list)
    return new Response(told(listText(answer.list)), { status: answer.status, headers })
  if (!answer.list) {
    const isTold = answer.status < 300 && text !== undefined && operation !== undefined
    return new Response((isTold ? told(text) : text) || null, { status: answer.status, headers })
  }
  // Nobody reads the body of an answer to HEAD, so it would never release the world.
  const body = c.method === 'HEAD' ? null : streamed(answer.list, world.host, world.lease())
  return new Response(body, { status: answer.status, headers })
}
