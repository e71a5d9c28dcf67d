/** What happened in a world, told when a test fails. */

import type { Control } from '../client/control.ts'
import type { RequestEntry } from '../client/control-answers.ts'

/** So many payments and refused requests are told of, the newest ones. */
const TOLD = 10

/** What happened in a world, in plain words, for somebody whose test has just failed. */
export async function worldReport(control: Control, id: string): Promise<string> {
  const [clock, { total, payments }, { requests }] = await Promise.all([
    control('GET', '/clock'),
    control('GET', '/payments', { query: { limit: TOLD } }),
    control('GET', '/requests', { query: { limit: 1000 } }),
  ])
  const explained = await Promise.all(
    payments.map(({ uuid }) =>
      control.text('GET', '/payments/:id/explain', { path: { id: uuid }, query: { format: 'text' } }),
    ),
  )
  const refused = requests.filter(({ status }) => status >= 400).slice(0, TOLD)
  const next = clock.nextDue === null ? 'nothing is due' : `next due ${clock.nextDue}`
  return [
    `mfano: in the world ${id} it is ${clock.now} (${clock.mode}), ${next}; ${counted(total, 'payment')}, ${counted(requests.length, 'request')}.`,
    ...explained.toReversed(),
    ...refused.toReversed().map(requestLine),
  ].join('\n\n')
}

function requestLine({ at, method, path, status, response, requestId, fault }: RequestEntry): string {
  const said = typeof response === 'string' ? response : JSON.stringify(response)
  return `${at} ${method} ${path} was answered ${status} (${fault ?? said?.slice(0, 300) ?? 'no body'}); ${requestId}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
