/** Every single choice that an app's ordinary day offers. */
import type { Merchant } from '../app/merchant-file.ts'
import { type Choice, choiceSort } from './choice.ts'
import type { Ran } from './run-app.ts'
import { inTurn, optionsOf, othersOf } from './schedules.ts'

/** Each sort of choice once for every operation and kind of payment, those with the most money first; then once more. */
export function singlesOf(base: Ran, merchant: Merchant): Choice[] {
  const all = [...base.payments.flatMap(optionsOf), ...othersOf(base, merchant)]
  const groups = Map.groupBy(distinct(all), (one) => `${choiceSort(one)} ${placeOf(one)}`)
  const sums = new Map<string, number>()
  for (const { kind, amount, times } of base.asked ?? []) sums.set(kind, (sums.get(kind) ?? 0) + amount * times)
  const kindOf = new Map(base.requests.flatMap(({ operation, opens }) => (opens ? [[operation, opens] as const] : [])))
  const moneyOf = ([first]: readonly Choice[]) => {
    const place = first ? placeOf(first) : ''
    return sums.get(kindOf.get(place) ?? place) ?? 0
  }
  const [anywhere, placed] = [true, false].map((isAnywhere) =>
    [...groups.values()].filter(([first]) => (first === undefined || placeOf(first) === '') === isAnywhere),
  )
  const richest = placed?.toSorted((a, b) => moneyOf(b) - moneyOf(a)) ?? []
  // Choices about no operation take turns with the others.
  return inTurn(inTurn([richest, anywhere ?? []]))
}

function distinct(choices: readonly Choice[]): Choice[] {
  return [...new Map(choices.map((one) => [nameOfChoice(one), one])).values()]
}

/** The kind or the operation that a choice is about; empty for what is about neither. */
function placeOf(one: Choice): string {
  if ('kind' in one) return one.kind
  if ('operation' in one) return one.operation
  return 'on' in one ? one.on : ''
}

/** Such as `answer send-money 1 lost`: the same from run to run. */
export function nameOfChoice(one: Choice): string {
  return Object.values(one).join(' ')
}
