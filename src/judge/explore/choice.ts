/** What an explorer decides: one choice each, a small record that is written, read, shrunk and told. */
import * as z from 'zod'

/** How a payment ends; what the ordinary day does when none is chosen. */
export const ends = ['failed', 'failed-late', 'slow', 'never', 'failed-then-paid', 'paid-then-failed'] as const
/** What becomes of the answer to the request that made it; in each the payment is made. */
export const answers = ['lost', 'reset', '500', '503', 'held'] as const
/** What a stranger posts before the first callback of a payment: SUCCESS with another amount, about another payment, or about none. */
export const strangers = ['stranger-amount', 'stranger-other', 'stranger-unknown'] as const
/** What becomes of telling the merchant. */
export const tellings = [
  'lost',
  'late',
  'twice',
  'at-once',
  'early',
  'overtaken',
  'forged',
  'altered',
  'odd',
  ...strangers,
] as const
/** What becomes of a request that is not executed. `outage`: 503, and so are the five that follow. */
export const refusalChoices = ['503', 'outage', '429', 'reset', 'empty', 'revoked'] as const
/** So many requests in a row meet an outage. */
export const OUTAGE = 6
/**
 * When the app is killed. `seen`: its request has come in; `executed`: it is worked on, and not answered; `answered`: the
 * app has its answer, and did nothing yet that can be seen.
 */
export const crashes = ['seen', 'executed', 'answered', 'called', 'acknowledged'] as const

const nth = z.int().min(1)
const kind = z.string().min(1)

export const choice = z.discriminatedUnion('do', [
  /** Of the `nth` payment of a kind. */
  z.strictObject({ do: z.literal('end'), kind, nth, as: z.enum(ends) }),
  z.strictObject({ do: z.literal('answer'), kind, nth, as: z.enum(answers) }),
  z.strictObject({ do: z.literal('tell'), kind, nth, as: z.enum(tellings) }),
  /** Of the `nth` request of an operation. */
  z.strictObject({ do: z.literal('refuse'), operation: z.string(), nth, as: z.enum(refusalChoices) }),
  /** At the `nth` request of an operation, or the first callback of the `nth` payment of a kind (`on`). */
  z.strictObject({ do: z.literal('crash'), at: z.enum(crashes), on: z.string(), nth }),
  /** At a step of the day, before it. */
  z.strictObject({ do: z.literal('restart'), step: nth }),
  z.strictObject({ do: z.literal('act'), step: nth, act: z.string() }),
  z.strictObject({ do: z.literal('pass'), step: nth, by: z.string() }),
  /** The service itself ends, and is started again on its own data. */
  z.strictObject({ do: z.literal('restart-service'), step: nth }),
  /** Something is done at the same time as a step: an act, or else the app's own work. */
  z.strictObject({ do: z.literal('beside'), step: nth, act: z.string().optional() }),
  /** Every answer waits until the app has nothing else to do; of several that wait, the oldest goes first, or the newest. */
  z.strictObject({ do: z.literal('answers'), as: z.enum(['oldest-first', 'newest-first']) }),
  /** Callbacks with PENDING are sent too. */
  z.strictObject({ do: z.literal('tell-pending') }),
])
export type Choice = z.infer<typeof choice>

/** What was found once: a finding's code, and the choices that led to it. */
export const knownSchedule = z.object({ code: z.string(), choices: z.array(choice) })
export type KnownSchedule = z.infer<typeof knownSchedule>

/** Of two choices with one slot, only one can be made. */
function slotOf(one: Choice): string {
  switch (one.do) {
    case 'end':
    case 'answer':
    case 'tell':
      return `${one.do} ${one.kind} ${one.nth}`
    case 'refuse':
      return `refuse ${one.operation} ${one.nth}`
    case 'crash':
      return `crash ${one.at} ${one.on} ${one.nth}`
    case 'tell-pending':
    case 'answers':
      return one.do
    default:
      return `${one.do} ${one.step}`
  }
}

/** Whether two choices can be made together so that each still comes to something: a race that the app does not survive is none. */
export function agree(one: Choice, other: Choice): boolean {
  const both = [one.do, other.do]
  const isRace = both.includes('beside')
  return (
    slotOf(one) !== slotOf(other) && !(isRace && (both[0] === both[1] || endings.some((end) => both.includes(end))))
  )
}

const endings: readonly Choice['do'][] = ['crash', 'restart', 'refuse']

/** Answers that leave an app to guess in the same way. */
const alike = { lost: 'missing', reset: 'missing', 500: '5xx', 503: '5xx', held: 'held' }

/** Without a place: choices that come to the same for an app, here or elsewhere. */
export function choiceSort(one: Choice): string {
  switch (one.do) {
    case 'answer':
      return `answer ${alike[one.as]}`
    case 'crash':
      return `crash ${one.at}`
    case 'act':
      return 'act'
    case 'beside':
      return one.act === undefined ? 'beside' : 'beside act'
    case 'pass':
      return `pass ${one.by}`
    case 'restart':
    case 'restart-service':
    case 'tell-pending':
      return one.do
    default:
      return `${one.do} ${one.as}`
  }
}

/** Tells schedules apart, in whatever order they list their choices. */
export function keyOf(choices: readonly Choice[]): string {
  return choices
    .map((one) => JSON.stringify(one))
    .sort()
    .join('\n')
}

/**
 * Choices of which each slot has one; of two for one slot, the first. Who was told that a payment is over need not look
 * for days at what might become of it: so what is revised is told.
 */
export function withoutClashes(choices: readonly Choice[]): Choice[] {
  const taken = new Set<string>()
  const single = choices.filter((one) => {
    const slot = slotOf(one)
    const free = !taken.has(slot)
    taken.add(slot)
    return free
  })
  const revised = new Set(
    single.flatMap((one) => (one.do === 'end' && revisions.includes(one.as) ? `${one.kind} ${one.nth}` : [])),
  )
  return single.filter(
    (one) => !(one.do === 'tell' && untold.includes(one.as) && revised.has(`${one.kind} ${one.nth}`)),
  )
}

const revisions: readonly string[] = ['failed-then-paid', 'paid-then-failed'] satisfies (typeof ends)[number][]
/** In these the merchant is told nothing that can be believed. */
const untold: readonly string[] = ['lost', 'forged', 'altered', 'odd'] satisfies (typeof tellings)[number][]
