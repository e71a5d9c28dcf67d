/** What the profiles have in common: a past is put together from its streams, funded, and put in order. */
import type { Draw } from '../../model/chance.ts'
import { EastAfrica } from './east-africa.ts'
import { fundedOn } from './funding.ts'
import { ordinaryMonths } from './ordinary-months.ts'
import type { Act, Asked, Past, Profile, Span } from './profile.ts'
import { type Day, daysOf } from './usual-days.ts'

/** Wallets of other countries are full from the beginning: what is paid into a bank here is shillings of Kenya. */
const SPARE = 1.2

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
  paid: (making: Making, count: number) => Asked[],
): Profile {
  return { name, description, past: (span) => pastOf(name, funded, paid, span) }
}

function pastOf(
  name: string,
  funded: (day: Day) => boolean,
  paid: (making: Making, count: number) => Asked[],
  span: Span,
): Past {
  const days = daysOf(span)
  const mornings = days.filter((day, i) => i === 0 || funded(day)).slice(0, Math.max(1, span.payments - 1))
  const draw = span.chance.of(`past:${name}`, 0)
  const asked = paid({ days, africa: new EastAfrica(span.chance), draw }, Math.max(0, span.payments - mornings.length))
  const acts: Act[] = [...fundedOn(mornings, asked), ...asked].sort((a, b) => a.atUs - b.atUs)
  return { scenario: ordinaryMonths({ TZS: sumOf(asked, 'TZS'), UGX: sumOf(asked, 'UGX') }), acts }
}

function sumOf(asked: readonly Asked[], currency: string): number {
  const own = asked.filter(({ request }) => request['currencyCode'] === currency)
  return Math.ceil(own.reduce((sum, { request }) => sum + Number(request['amount']), 0) * SPARE)
}
