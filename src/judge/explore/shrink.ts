import { type Choice, keyOf, paymentOf } from './choice.ts'
import type { PaymentMet } from './happened.ts'

type Shows = (choices: readonly Choice[]) => Promise<boolean>

export interface Shrinking {
  jobs: number
  about: PaymentMet | undefined
}

/** The fewest choices that were found to show it: none of them can be left out. */
export async function shrink(choices: readonly Choice[], shows: Shows, { jobs, about }: Shrinking): Promise<Choice[]> {
  const known = new Map<string, Promise<boolean>>()
  const ask: Shows = (some) => {
    const key = keyOf(some)
    const asked = known.get(key) ?? shows(some)
    known.set(key, asked)
    return asked
  }
  const nearby = about ? choices.filter((one) => concerns(one, about)) : choices
  const [none, near] = await Promise.all([ask([]), ask(nearby)])
  if (none) return []
  // A finding that does not come again at once cannot be shrunk.
  if (!near && nearby.length === choices.length) return [...choices]
  const left = near ? nearby : choices
  const single = await firstThat(
    left.map((one) => [one]),
    ask,
    jobs,
  )
  return single ?? fewestOf(left, ask, jobs)
}

/**
 * Delta debugging (Zeller): the fewest choices that still show it together, so that none can be left out. All of them
 * together show it; none shows nothing.
 */
async function fewestOf(choices: readonly Choice[], shows: Shows, jobs: number): Promise<Choice[]> {
  let left = [...choices]
  // Halves, quarters, and so on: what can go goes.
  for (let parts = 2; left.length > 1; ) {
    const size = Math.ceil(left.length / parts)
    const chunks = Array.from({ length: Math.ceil(left.length / size) }, (_, i) => left.slice(i * size, (i + 1) * size))
    const smaller = await firstThat(
      chunks.map((chunk) => left.filter((one) => !chunk.includes(one))).filter(({ length }) => length > 0),
      shows,
      jobs,
    )
    if (smaller) left = smaller
    else if (size === 1) break
    parts = smaller ? Math.max(2, parts - 1) : Math.min(left.length, parts * 2)
  }
  return left
}

async function firstThat(candidates: Choice[][], shows: Shows, jobs: number): Promise<Choice[] | undefined> {
  for (let i = 0; i < candidates.length; i += jobs) {
    const some = candidates.slice(i, i + jobs)
    const shown = await Promise.all(some.map(shows))
    const first = some.find((_, j) => shown[j])
    if (first) return first
  }
  return undefined
}

function concerns(one: Choice, { kind, nth }: PaymentMet): boolean {
  const payment = paymentOf(one)
  return payment === undefined || payment === `${kind} ${nth}`
}
