/** Looks through what a world has stored for what a question holds for, a page at a time. */
import type { Core } from '../engine/core.ts'
import { commonReasons, refused } from '../model/refusal-reasons.ts'
import type { Stretch } from '../store/conditions.ts'
import { turn } from '../world/host.ts'
import type { World } from '../world/world.ts'
import { EvaluationContext } from './evaluation-context.ts'
import type { Predicate } from './predicate.ts'
import type { Subject } from './subjects.ts'

/** What is looked for. */
export interface Query {
  subject: Subject
  /** Leases for all of the subject without. */
  predicate: Predicate | undefined
  /** Where to look. */
  stretch: Stretch
}

/** Something that was looked at, with its number in the order of its kind. */
export interface Numbered {
  number: number
  context: EvaluationContext
}

const PAGE = 250
/** So much is looked at for one answer; the rest is for more exact questions. */
export const MOST_LOOKED_AT = 100_000

/**
 * Everything of a subject that a store cannot rule out by itself, in order or the newest first. Lets others have their
 * turn between pages, and between things where a pattern is matched; refuses to go on when the world is gone.
 */
export async function* candidates(
  world: World,
  { subject, predicate, stretch }: Query,
  newestFirst: boolean,
): AsyncGenerator<Numbered> {
  const { core } = world
  const read = pages[subject](core, predicate?.equals ?? new Map())
  let { after, before } = stretch
  for (;;) {
    const page = read({ ...stretch, after, before }, newestFirst)
    if (predicate?.matches)
      for (const candidate of page) {
        yield candidate
        await goOn(world)
      }
    else yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    if (newestFirst) before = last.number
    else after = last.number
    await goOn(world)
  }
}

async function goOn({ host, closing }: World): Promise<void> {
  await turn(host)
  if (closing.aborted)
    throw refused(commonReasons.worldClosed, 'this world was reset or removed, or mfano is stopping, meanwhile')
}

/**
 * What the question holds for, until there is enough of it. `more` is the number to go on from, when not everything was
 * looked at.
 */
export async function search(
  world: World,
  query: Query,
  options: { newestFirst: boolean; limit: number; mostLookedAt?: number },
): Promise<{ found: Numbered[]; more: number | null }> {
  const { limit, mostLookedAt = MOST_LOOKED_AT } = options
  const found: Numbered[] = []
  let looked = 0
  for await (const candidate of candidates(world, query, options.newestFirst)) {
    if (!query.predicate || query.predicate.holds(candidate.context)) found.push(candidate)
    if (found.length === limit || ++looked === mostLookedAt)
      return { found: asTheyAre(world.core, query, found, looked), more: candidate.number }
  }
  return { found: asTheyAre(world.core, query, found, looked), more: null }
}

/**
 * What was found, all of it at one moment: others had their turn between the pages, and what a callback was then would be
 * shown beside what is due for it now. What the question does not hold for any more is left out.
 */
function asTheyAre(core: Core, query: Query, found: Numbered[], looked: number): Numbered[] {
  if (looked < PAGE) return found
  return found.flatMap(({ number, context }) => {
    const { payment, callback } = context.seen
    const seen = payment
      ? { payment: core.store.payments.bySeq(payment.seq) ?? payment }
      : callback && { callback: core.store.callbacks.byId(callback.id) ?? callback }
    if (!seen) return { number, context }
    const now = new EvaluationContext(core, seen)
    return !query.predicate || query.predicate.holds(now) ? { number, context: now } : []
  })
}

/** The newest of a subject, whatever the question: among them is looked for the nearest miss. */
export function newest({ core }: World, { subject, stretch }: Query, count: number): EvaluationContext[] {
  const read = pages[subject](core, new Map())
  const seen: EvaluationContext[] = []
  let { before } = stretch
  while (seen.length < count) {
    const page = read({ ...stretch, before }, true)
    seen.push(...page.map(({ context }) => context))
    if (page.length < PAGE) break
    before = page.at(-1)?.number
  }
  return seen
}

type ReadPage = (stretch: Stretch, newestFirst: boolean) => Numbered[]

/** How to read pages of each subject; what a question compares with something written out narrows them. */
const pages: Record<Subject, (core: Core, equals: Predicate['equals']) => ReadPage> = {
  payment: (core, equals) => {
    const { payments } = core.store
    const [kind, currency] = [text(equals, 'payment.kind'), text(equals, 'payment.currency')]
    const filter = {
      ...(kind !== undefined && { kinds: [kind] }),
      ...optional('status', text(equals, 'payment.status')),
      ...optional('currency', currency === undefined ? undefined : core.service.countries.currencyOf(currency)),
      ...optional('referenceId', text(equals, 'payment.referenceId')),
    }
    const uuid = text(equals, 'payment.uuid')
    return ({ after, before, sinceUs, untilUs }, newestFirst) => {
      const only = uuid === undefined ? undefined : payments.byUuid(uuid)
      const afterSeq = newestFirst ? before : after
      const page =
        uuid === undefined
          ? payments.page(
              { ...filter, sinceUs, untilUs },
              { limit: PAGE, newestFirst, ...optional('afterSeq', afterSeq) },
            )
          : only && within({ after, before, sinceUs, untilUs }, only.seq, only.createdAtUs)
            ? [only]
            : []
      return page.map((payment) => ({ number: payment.seq, context: new EvaluationContext(core, { payment }) }))
    }
  },
  callback: (core, equals) => {
    const uuid = text(equals, 'payment.uuid')
    const state = text(equals, 'callback.state')
    const paymentSeq = uuid === undefined ? undefined : (core.store.payments.byUuid(uuid)?.seq ?? 0)
    return (stretch, newestFirst) =>
      core.store.callbacks
        .page({ ...stretch, state, paymentSeq, limit: PAGE, newestFirst })
        .map((callback) => ({ number: callback.id, context: new EvaluationContext(core, { callback }) }))
  },
  request: (core, equals) => {
    const operation = text(equals, 'request.operation')
    const method = text(equals, 'request.method')
    const status = equals.get('request.status')
    const requestId = text(equals, 'request.requestId')
    const only = requestId === undefined ? undefined : (core.store.journal.byRequestId(requestId) ?? null)
    return (stretch, newestFirst) =>
      (only !== undefined
        ? [only ?? []].flat().filter(({ seq, atUs }) => within(stretch, seq, atUs))
        : core.store.journal.page({
            ...stretch,
            // An unrecognised operation is "" for a question, and nothing in the store.
            ...optional('operation', operation || undefined),
            ...optional('method', method),
            ...optional('status', typeof status === 'number' ? status : undefined),
            limit: PAGE,
            newestFirst,
          })
      ).map((entry) => ({ number: entry.seq, context: new EvaluationContext(core, { entry }) }))
  },
  inbox: (core, equals) => (stretch, newestFirst) =>
    core.store.inbox
      .page({ ...stretch, name: text(equals, 'message.name'), limit: PAGE, newestFirst })
      .map((message) => ({ number: message.id, context: new EvaluationContext(core, { message }) })),
}

function text(equals: Predicate['equals'], name: string): string | undefined {
  const value = equals.get(name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function optional<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]: V })
}

function within({ sinceUs, untilUs, after, before }: Stretch, number: number, atUs: number): boolean {
  return (
    (after === undefined || number > after) &&
    (before === undefined || number < before) &&
    (sinceUs === undefined || atUs >= sinceUs) &&
    (untilUs === undefined || atUs <= untilUs)
  )
}
