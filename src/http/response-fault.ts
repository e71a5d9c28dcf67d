/** Applies faults to answers, and describes them for the journal. */

import { deferredTurn, type Host } from '../core/host.ts'
import {
  type ErrorAnswer,
  type PlannedAnswerFault,
  printErrorAnswer,
  type ResponseFault,
  responseFaultNames,
  tellResponseFault,
} from '../core/model/faults.ts'
import type { Payment } from '../core/model/payment.ts'
import { commonReasons, type Refusal, refused } from '../core/model/refusal.ts'
import { escaped } from '../core/model/text.ts'
import type { Exchange } from './exchange.ts'
import type { Answer } from './operation.ts'

/** Faults that the payment's plan decides. A repeated reference gets a normal answer, so that a retry succeeds. */
export function asPlanned(
  { seq, plan }: Payment,
  replayed: boolean,
): Pick<Answer, 'rule' | 'payment' | 'fault' | 'tellFirst'> {
  if (replayed) return { rule: plan.rule, payment: { seq, replayed } }
  return {
    rule: plan.rule,
    payment: { seq, replayed },
    ...(plan.answer !== undefined && { fault: faultOf(plan.rule, plan.answer) }),
    ...(plan.callback?.early && { tellFirst: seq }),
  }
}

function faultOf(by: string, answer: PlannedAnswerFault): ResponseFault {
  return { by, executed: true, answer }
}

/** A response fault wins over the payment's plan. */
export function joined(
  applied: ResponseFault | null | undefined,
  planned: ResponseFault | undefined,
): ResponseFault | undefined {
  if (!applied) return planned
  return planned ? ({ ...planned, ...applied, answer: applied.answer ?? planned.answer } as ResponseFault) : applied
}

export function turnedAway({ by, answer }: ResponseFault): Refusal {
  if (typeof answer !== 'object') return refused(commonReasons.notExecuted, `not executed: ${by}`)
  return refusalOf(answer, by)
}

function refusalOf(answer: Exclude<NonNullable<ResponseFault['answer']>, string>, by: string): Refusal {
  const { status, code, message, details } = answer
  return refused(commonReasons.ruled, details ?? `sent by the scenario: ${by}`, {
    code,
    status,
    ...(message !== undefined && { message }),
  })
}

export function onItsWay(
  { env, service, operation, world }: Exchange,
  intact: Answer,
  fault: ResponseFault | undefined,
): Answer {
  if (!fault) return intact
  const canSever = env.connection.sever !== undefined
  const { list, rule, fault: _, ...rest } = intact
  const whole: Answer = { ...rest, ...(rule !== undefined && { rule }), ...(list && { text: listText(list) }), fault }
  const { answer, by } = fault
  if (answer === undefined || (typeof answer === 'string' && canSever)) return whole
  const error =
    typeof answer === 'object'
      ? refusalOf(answer, by)
      : refused(commonReasons.ruled, 'the connection was to be severed, which this host cannot do', {
          code: 'BAD_GATEWAY',
          status: 502,
        })
  const { tellFirst } = intact
  if (typeof answer === 'object' && answer.html)
    return {
      status: error.status,
      headers: { 'content-type': 'text/html' },
      text: gatewayPage(answer),
      fault,
      ...(tellFirst !== undefined && { tellFirst }),
    }
  const body = service.errorBody(error, operation, world.core.scenario.assumptions)
  return { status: error.status, body, fault, ...(tellFirst !== undefined && { tellFirst }) }
}

export function cut(text: string, fault: ResponseFault | undefined): string {
  if (!fault?.truncate) return text
  const bytes = new TextEncoder().encode(text)
  return new TextDecoder().decode(bytes.subarray(0, cutAt(fault.truncate, bytes.length)))
}

export function describe(fault: ResponseFault, canSever: boolean): string {
  const { by, executed, answer } = fault
  const done = executed ? 'executed' : 'not executed'
  const instead = [
    typeof answer === 'object' && `${done}, answered ${printErrorAnswer(answer)}`,
    answer === 'reset' && `${done}, connection reset before a byte of the answer`,
    answer === 'lost' && 'executed and answered, connection closed before a byte of the answer arrived',
    answer === 'empty' && `${done}, connection closed without an answer`,
    typeof answer === 'string' && !canSever && 'this host cannot sever connections: answered 502',
  ]
  const parts = responseFaultNames.flatMap((name) => [
    tellResponseFault(name, fault),
    ...(name === 'error' ? instead : []),
  ])
  return `${by}: ${parts.filter(Boolean).join('; ')}`
}

export function cutAt(truncate: NonNullable<ResponseFault['truncate']>, length: number): number {
  return Math.min(length, 'bytes' in truncate ? truncate.bytes : Math.floor(length * truncate.fraction))
}

const gatewayHeadings: Readonly<Record<number, string>> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Temporarily Unavailable',
  504: 'Gateway Time-out',
}

/** As nginx writes it. */
function gatewayPage({ status, message = gatewayHeadings[status] ?? '' }: ErrorAnswer): string {
  const title = escaped(`${status} ${message}`.trim())
  return [
    `<html>\r\n<head><title>${title}</title></head>\r\n<body>`,
    `<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
  ].join('\r\n')
}

// Streams long lists as answers.

type List = NonNullable<Answer['list']>

const ITEMS_PER_CHUNK = 200

/**
 * Reads from the store as fast as the client takes it, and lets other requests run in between. `release` runs at the
 * end.
 */
export function streamed({ before, items, after }: List, host: Host, release: () => void): ReadableStream {
  const encoder = new TextEncoder()
  const iterator = items[Symbol.iterator]()
  let first = true
  let givenUp = false
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(before)),
    pull: async (controller) => {
      await deferredTurn(host)
      if (givenUp) return
      let chunk = ''
      try {
        for (let i = 0; i < ITEMS_PER_CHUNK; i++) {
          const { done, value } = iterator.next()
          if (done) {
            controller.enqueue(encoder.encode(chunk + after))
            controller.close()
            release()
            return
          }
          chunk += (first ? '' : ',') + JSON.stringify(value)
          first = false
        }
      } catch (error) {
        release()
        throw error
      }
      controller.enqueue(encoder.encode(chunk))
    },
    cancel: () => {
      givenUp = true
      iterator.return?.()
      release()
    },
  })
}

/** In one piece, because faults cut or delay bytes. */
export function listText({ before, items, after }: List): string {
  return before + Array.from(items, (item) => JSON.stringify(item)).join(',') + after
}
