/** How the service is asked about the fields of its answers: which there are, and in which order. */

import { oneWay, type SeenAnswer, untold } from './asked-by.ts'
import { allLists, login } from './asking.ts'
import type { SomeProbes } from './some-probes.ts'

/** The fields of answers that succeed, in the order that the sources show. */
const TOKEN = ['status', 'data']
const OF_TOKEN = ['access_token', 'refresh_token', 'expires_in', 'refresh_expires_in']
const ENVELOPE = ['status', 'message', 'data']

/** What is shown of the fields of an answer, and what they are; nothing of answers that have another form. */
function fieldsOf({ status, body }: SeenAnswer): (readonly [shown: readonly string[], are: string[]])[] {
  if (status !== 200 || typeof body?.data !== 'object' || body.data === null) return []
  const own = Object.keys(body)
  if (typeof body.data.access_token === 'string')
    return [
      [TOKEN, own],
      [OF_TOKEN, Object.keys(body.data)],
    ]
  return Array.isArray(body.data) ? [[ENVELOPE, own]] : []
}

const hasMore = (seen: SeenAnswer): boolean =>
  fieldsOf(seen).some(([shown, are]) => are.some((name) => !shown.includes(name)))
const isShuffled = (seen: SeenAnswer): boolean =>
  fieldsOf(seen).some(([shown, are]) => are.filter((name) => shown.includes(name)).join() !== shown.join())

/** One answer may have the order by chance; all of them have not. */
const LEAST_ANSWERS = 5
const enough = (seen: readonly SeenAnswer[]) => seen.filter((one) => fieldsOf(one).length > 0).length >= LEAST_ANSWERS
const tooFew = untold(`less than ${LEAST_ANSWERS} answers have the form that the sources show`)

export const bodyProbes = {
  'extra-fields': {
    ...oneWay(
      'free',
      (account) => [login(account), ...allLists(account)],
      (seen) => (seen.some(hasMore) ? 'some' : enough(seen) ? 'none' : tooFew),
    ),
    sees: (seen) => (hasMore(seen) ? 'some' : undefined),
  },
  'field-order': {
    ...oneWay(
      'free',
      (account) => [login(account), ...allLists(account)],
      (seen) => (seen.some(isShuffled) ? 'another' : enough(seen) ? 'as-shown' : tooFew),
    ),
    sees: (seen) => (isShuffled(seen) ? 'another' : undefined),
  },
} as const satisfies SomeProbes
