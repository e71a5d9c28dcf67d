/** What the profiles have in common: a past is put together from its streams, funded, and put in order. */
import { DAY_US } from '../../core/model/calendar.ts'
import type { Draw } from '../../core/model/chance.ts'
import type { Act, Asked, Past, Profile, Span, Stream } from '../parts.ts'
import { EastAfrica, type Person } from './east-africa.ts'
import { fundedOn } from './funding.ts'
import { ordinaryMonths } from './ordinary-months.ts'
import { type Day, daysOf } from './usual-days.ts'

/** Wallets of other countries are full from the beginning: what is paid into a bank here is shillings of Kenya. */
const SPARE = 1.2

/** Payments, or people, that are made up before others have their turn: some milliseconds. */
const STEP = 500

/** What a stream of payments is made from. */
export interface Making {
  days: readonly Day[]
  africa: EastAfrica
  draw: Draw
}

/** Deals so many out by shares, so that the parts add up to the whole. */
export function deal<Name extends string>(whole: number, shares: Record<Name, number>): Record<Name, number> {
  const names = Object.keys(shares) as Name[]
  const sum = names.reduce((all, name) => all + shares[name], 0)
  let [shared, dealt] = [0, 0]
  const parts = names.map((name) => {
    shared += shares[name]
    const part = Math.round((whole * shared) / sum) - dealt
    dealt += part
    return [name, part]
  })
  return Object.fromEntries(parts) as Record<Name, number>
}

/** So many payments, one after the other. */
export function* each(count: number, make: (n: number) => Asked | undefined): Stream {
  for (let n = 0; n < count; n++) yield make(n)
}

/** So many of something, all of which are needed before there is a payment. */
export function* made<T>(count: number, make: () => T): Stream<T[]> {
  const all: T[] = []
  while (all.length < count) {
    all.push(make())
    yield
  }
  return all
}

export function people(africa: EastAfrica, count: number): Stream<Person[]> {
  return made(count, () => africa.person())
}

/** `SAL-000012`: the number that a business gives the `n`-th of something, from 0. */
export function reference(what: string, n: number): string {
  return `${what}-${String(n + 1).padStart(6, '0')}`
}

/**
 * A profile from what it pays. A past has exactly as many payments as were asked for; those that move money into the
 * wallet, one on each of the `funded` days, are among them.
 */
export function profile(
  { name, description }: Pick<Profile, 'name' | 'description'>,
  funded: (day: Day) => boolean,
  paid: (making: Making, count: number) => Stream,
): Profile {
  return { name, description, past: (span) => pastOf(name, funded, paid, span) }
}

function* pastOf(
  name: string,
  funded: (day: Day) => boolean,
  paid: (making: Making, count: number) => Stream,
  span: Span,
): Generator<void, Past> {
  const days = daysOf(span)
  const mornings = days.filter((day, i) => i === 0 || funded(day)).slice(0, Math.max(1, span.payments - 1))
  const draw = span.chance.of(`past:${name}`, 0)
  const count = Math.max(0, span.payments - mornings.length)
  const asked: Asked[] = []
  let made = 0
  for (const one of paid({ days, africa: new EastAfrica(span.chance), draw }, count)) {
    if (one) asked.push(one)
    if (++made % STEP === 0) yield
  }
  const acts = yield* inOrder([...(yield* fundedOn(mornings, asked)), ...asked])
  const [TZS, UGX] = [sumOf(asked, 'TZS'), sumOf(asked, 'UGX')]
  return { scenario: ordinaryMonths({ TZS, UGX }), acts }
}

/** In the order of time, by the day first: to sort a long past at once takes long. */
function* inOrder(acts: readonly Act[]): Generator<void, Act[]> {
  const byDay = new Map<number, Act[]>()
  for (const [i, act] of acts.entries()) {
    const day = Math.floor(act.atUs / DAY_US)
    const known = byDay.get(day)
    if (known) known.push(act)
    else byDay.set(day, [act])
    if (i % STEP === 0) yield
  }
  const sorted: Act[] = []
  for (const [, ofDay] of [...byDay].sort(([one], [other]) => one - other)) {
    for (const act of ofDay.sort((a, b) => a.atUs - b.atUs)) sorted.push(act)
    yield
  }
  return sorted
}

function sumOf(asked: readonly Asked[], currency: string): number {
  const own = asked.filter(({ request }) => request['currencyCode'] === currency)
  return Math.ceil(own.reduce((sum, { request }) => sum + Number(request['amount']), 0) * SPARE)
}
