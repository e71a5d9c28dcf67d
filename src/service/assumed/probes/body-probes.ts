/** Probes for the fields of successful answers. */

import { oneWay, type SeenAnswer, untold } from './asked-by.ts'
import { allLists, login } from './asking.ts'
import type { SomeProbes } from './some-probes.ts'

const TOKEN = ['status', 'data']
const OF_TOKEN = ['access_token', 'refresh_token', 'expires_in', 'refresh_expires_in']
const ENVELOPE = ['status', 'message', 'data']

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

/** A single answer can be without more fields by chance, so several must agree. */
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
} as const satisfies SomeProbes
