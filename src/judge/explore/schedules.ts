/** Which schedules are run, in which order: few choices for each payment first, many payments at a time, then by what was new. */
import { Chance, type Draw } from '../../core/model/chance.ts'
import { paymentsService } from '../../service/service.ts'
import { inTurn, riskNames } from '../subject/risks.ts'
import { behavioursOf } from './behaviours.ts'
import {
  agree,
  type Choice,
  choiceSort,
  choicesOffered,
  keyOf,
  placeName,
  placeOf,
  recordOf,
  withoutClashes,
} from './choice.ts'
import type { OrdinaryDay } from './choices/choice-record.ts'
import { dayOf } from './day.ts'
import type { PaymentMet } from './happened.ts'
import type { Ran } from './run-app.ts'
import { nameOfChoices } from './tell.ts'

/** So often a schedule is drawn again that was run already, before it is taken for all that there are. */
const TRIES = 200
const EACH_MOST = 3
/** Schedules that showed something new are varied: the last of those as often as all others. */
const LATELY = 12

/**
 * Draws schedules. What goes wrong with one payment hardly ever touches another, so each schedule decides something for
 * every payment: first every choice by itself; then every two, with every choice that is about no payment in between, and
 * variations of what showed something new.
 */
export class Schedules {
  readonly #options: readonly (readonly Choice[])[]
  readonly #others: readonly Choice[]
  #waiting: readonly Choice[]
  readonly #pairs: readonly (readonly [Choice, Choice])[][]
  readonly #chance: Chance
  readonly #seen = new Set<string>()
  readonly #corpus: { choices: readonly Choice[]; options: readonly Choice[] }[] = []
  readonly #merchant: OrdinaryDay['merchant']
  readonly #behaviours = new Set<string>()
  readonly #spared: (readonly string[])[] = []
  #drawn = 0

  constructor(base: Ran, merchant: OrdinaryDay['merchant'], seed: number) {
    this.#chance = new Chance(seed)
    this.#merchant = merchant
    this.#options = base.payments.map((payment) =>
      inTurn([...Map.groupBy(optionsOf(payment, merchant), (one) => one.do).values()]),
    )
    this.#others = othersOf(base, merchant)
    this.#waiting = this.#others
    this.#pairs = this.#options.map((options, j) => this.#shuffled(pairsOf(options), `pairs ${j}`))
    this.#seen.add(keyOf([]))
    this.learn(base)
  }

  next(): Choice[] | undefined {
    for (let tries = 0; tries < TRIES; tries++) {
      const choices = this.#spare(withoutClashes(this.#draw(this.#drawn++)))
      const key = keyOf(choices)
      if (this.#seen.has(key)) continue
      this.#seen.add(key)
      return choices
    }
    return undefined
  }

  learn(ran: Ran): void {
    // A choice that came to nothing in it need not be left out once more.
    this.#seen.add(keyOf(choicesMade(ran)))
    const before = this.#behaviours.size
    for (const behaviour of behavioursOf(ran)) this.#behaviours.add(behaviour)
    if (this.#behaviours.size === before) return
    const ofPayments = ran.payments.flatMap((payment) => optionsOf(payment, this.#merchant))
    this.#corpus.push({ choices: choicesMade(ran), options: inTurn([ofPayments, othersOf(ran, this.#merchant)]) })
  }

  /** These are known to go wrong together: from here on they are not drawn together, so that something else is found. */
  spare(choices: readonly Choice[]): void {
    this.#spared.push(choices.map(choiceSort))
  }

  #draw(n: number): Choice[] {
    const most = Math.max(0, ...this.#options.map(({ length }) => length))
    if (n < most)
      return [...this.#options.flatMap((list, j) => list[(n + j * 3) % list.length] ?? []), ...this.#othersInTurn(2)]
    const m = n - most
    const turn = Math.floor(m / 4)
    const draw = this.#chance.of('schedule', n)
    switch (m % 4) {
      case 0:
        return this.#waiting.length > 0 ? this.#othersInTurn(3) : this.#vary(draw)
      case 1:
        return this.#pairsInTurn(2 * turn) ?? this.#random(draw)
      case 2:
        return this.#pairsInTurn(2 * turn + 1) ?? this.#random(draw)
      default:
        return this.#vary(draw)
    }
  }

  /** The next choices that are about no payment; one that does not agree with those before it waits. */
  #othersInTurn(most: number): Choice[] {
    const taken: Choice[] = []
    for (const one of this.#waiting)
      if (taken.length < most && taken.every((other) => agree(one, other))) taken.push(one)
    this.#waiting = this.#waiting.filter((one) => !taken.includes(one))
    return taken
  }

  #pairsInTurn(i: number): Choice[] | undefined {
    const longest = Math.max(0, ...this.#pairs.map(({ length }) => length))
    return i < longest ? this.#pairs.flatMap((list, j) => list[(i + j * 7) % list.length] ?? []) : undefined
  }

  #vary(draw: Draw): Choice[] {
    const lately = draw.unit() < 0.5 ? this.#corpus.slice(-LATELY) : this.#corpus
    const { choices, options } = draw.pick(lately)
    if (options.length === 0) return []
    const changed = Array.from({ length: 1 + draw.below(3) }, () => draw.pick(options))
    return [...changed, ...choices.filter(() => draw.unit() < 0.8)]
  }

  #random(draw: Draw): Choice[] {
    const each = this.#options.flatMap((list) =>
      list.length === 0 ? [] : Array.from({ length: draw.below(EACH_MOST + 1) }, () => draw.pick(list)),
    )
    const others = this.#others.length === 0 ? [] : Array.from({ length: draw.below(4) }, () => draw.pick(this.#others))
    return [...each, ...others]
  }

  #spare(choices: Choice[]): Choice[] {
    let left = choices
    for (const sorts of this.#spared) {
      while (sorts.length > 0 && sorts.every((sort) => left.some((one) => choiceSort(one) === sort))) {
        const first = left.find((one) => choiceSort(one) === sorts[0])
        left = left.filter((one) => one !== first)
      }
    }
    return left
  }

  #shuffled<One>(list: readonly One[], label: string): One[] {
    const draw = this.#chance.of(label, 0)
    return list
      .map((one) => ({ one, at: draw.unit() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one)
  }
}

function pairsOf(options: readonly Choice[]): (readonly [Choice, Choice])[] {
  return options.flatMap((one, i) =>
    options
      .slice(i + 1)
      .filter((other) => other.do !== one.do)
      .map((other) => [one, other] as const),
  )
}

const REQUESTS_EACH = 3

export function optionsOf({ kind, nth }: PaymentMet, merchant: Pick<OrdinaryDay['merchant'], 'acts'>): Choice[] {
  const of = paymentsService.kinds.of(kind)
  const operation = paymentsService.operations.find(({ opens }) => opens === kind)?.id
  // No request makes it: customers decide about it alone.
  if (operation === undefined) return []
  const acts = merchant.acts.map(({ name }) => name)
  return choicesOffered(({ offersForPayment }) => offersForPayment?.({ kind, nth, of, operation, acts }))
}

export function othersOf(base: Pick<Ran, 'requests' | 'told'>, merchant: OrdinaryDay['merchant']): Choice[] {
  const requests = base.requests.filter(({ nth, opens }) => opens !== undefined || nth <= REQUESTS_EACH)
  const steps = dayOf(merchant).map((step, i) => ({ step, number: i + 1 }))
  const day = { requests, told: base.told, steps, merchant }
  const choices = choicesOffered(({ offersForDay }) => offersForDay?.(day))
  return inTurn([...Map.groupBy(choices, choiceSort).values()])
}

/** Those that came to something: without the others, the run is the same. */
export function choicesMade({
  choices,
  payments,
  requests,
  happened,
}: Pick<Ran, 'choices' | 'payments' | 'requests' | 'happened'>): Choice[] {
  const met = new Set([
    ...['', ...payments.map(({ kind, nth }) => `${kind} ${nth}`)],
    ...requests.map(({ operation, nth }) => `${operation} ${nth}`),
    ...happened.flatMap((one) => (one.what === 'crash' ? one.at : [])),
  ])
  return choices.filter((one) => met.has('at' in one ? `${one.at} ${placeName(one)}` : placeName(one)))
}

/** Each sort of choice once for every operation and kind of payment, then once more. Risks take turns, the most money first. */
export function singlesOf(base: Ran, merchant: OrdinaryDay['merchant']): Choice[] {
  const all = [...base.payments.flatMap((one) => optionsOf(one, merchant)), ...othersOf(base, merchant)]
  const distinct = new Map(all.map((one) => [nameOfChoices([one]), one])).values()
  const groups = [...Map.groupBy(distinct, (one) => `${choiceSort(one)} ${placeOf(one)}`).values()]
  const kindOf = new Map(base.requests.flatMap(({ operation, opens }) => (opens ? [[operation, opens] as const] : [])))
  const moneyOf = ([first]: readonly Choice[]) => {
    const place = first ? placeOf(first) : ''
    // A choice about no operation is about all of the money.
    const asked = (base.asked ?? []).filter(({ kind }) => place === '' || kind === (kindOf.get(place) ?? place))
    return asked.reduce((sum, { amount, times }) => sum + amount * times, 0)
  }
  const richest = groups.toSorted((a, b) => moneyOf(b) - moneyOf(a))
  const byRisk = Map.groupBy(richest, ([first]) => first && recordOf(first).risk(first))
  return inTurn(inTurn(riskNames.map((risk) => byRisk.get(risk) ?? [])))
}
