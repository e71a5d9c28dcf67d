import type { Control } from './errors.ts'
import type { CallbackDetail, ClockState, PaymentDetail, PaymentSummary, RequestEntry } from './shapes.ts'

/** So many payments and refused requests are told of, the newest ones. */
const TOLD = 10

/** What happened in a world, in plain words, for somebody whose test has just failed. */
export async function worldReport(control: Control, id: string): Promise<string> {
  const [clock, { total, payments }, { requests }] = await Promise.all([
    control<ClockState>('GET', '/clock'),
    control<{ total: number; payments: PaymentSummary[] }>('GET', '/payments', { query: { limit: TOLD } }),
    control<{ requests: RequestEntry[] }>('GET', '/requests', { query: { limit: 1000 } }),
  ])
  const details = await Promise.all(payments.map(({ uuid }) => control<PaymentDetail>('GET', `/payments/${uuid}`)))
  const refused = requests.filter(({ status }) => status >= 400).slice(0, TOLD)
  const next = clock.nextDue === null ? 'nothing is due' : `next due ${clock.nextDue}`
  return [
    `mfano: in the world ${id} it is ${clock.now} (${clock.mode}), ${next}; ${counted(total, 'payment')}, ${counted(requests.length, 'request')}.`,
    ...details.toReversed().flatMap(paymentLines),
    ...refused.toReversed().map(requestLine),
  ].join('\n')
}

function paymentLines(payment: PaymentDetail): string[] {
  const { kind, amount, currency, status, uuid, referenceId, trace, rule, timeline, callbacks } = payment
  const why = trace.find(({ outcome }) => outcome === 'decided')?.why
  return [
    `- ${kind} ${uuid}${referenceId === null ? '' : ` (${referenceId})`}: ${amount} ${currency}, ${status}`,
    `    decided by "${rule}"${why ? `: ${why}` : ''}`,
    ...timeline.happened.map((moment) => `    ${moment.at} ${moment.status}, by ${moment.by}`),
    ...timeline.due.map((due) => `    ${due.at} ${due.event} is due`),
    ...callbacks.map(callbackLine),
  ]
}

function callbackLine({ state, url, attempts, tries, fault, nextAttemptAt }: CallbackDetail): string {
  const last = tries.at(-1)
  const said = last && (last.error ?? `answered ${last.status}`)
  const parts = [
    `    callback to ${url}: ${state}, ${counted(attempts, 'attempt')}`,
    said && `the last one: ${said}`,
    fault && `on purpose ${fault.does}, by "${fault.rule}"`,
    nextAttemptAt && `next attempt ${nextAttemptAt}`,
  ]
  return parts.filter(Boolean).join('; ')
}

function requestLine({ at, method, path, status, response, requestId, fault }: RequestEntry): string {
  const said = typeof response === 'string' ? response : JSON.stringify(response)
  return `- ${at} ${method} ${path} was answered ${status} (${fault ?? said?.slice(0, 300) ?? 'no body'}); ${requestId}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
