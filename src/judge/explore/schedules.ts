/** Which schedules are run, in which order: few choices for each payment first, many payments at a time, then by what was new. */
import { Chance, type Draw } from '../../model/chance.ts'
import { type Choice, keyOf, sortOf, withoutClashes } from './choice.ts'
import { inTurn, optionsOf, othersOf } from './options.ts'
import type { Ran, RunnerOptions } from './schedule-runner.ts'

/** So often a schedule is drawn again that was run already, before it is taken for all that there are. */
const TRIES = 200
/** The most choices for one payment. */
const EACH_MOST = 3

/**
 * Draws schedules. What goes wrong with one payment hardly ever touches another, so each schedule decides something for
 * every payment: first every choice by itself, then every two, then whatever looks promising.
 */
export class Schedules {
  readonly #options: readonly (readonly Choice[])[]
  readonly #others: readonly Choice[]
  readonly #pairs: readonly (readonly [Choice, Choice])[][]
  readonly #chance: Chance
  readonly #seen = new Set<string>()
  readonly #corpus: (readonly Choice[])[] = []
  readonly #behaviours = new Set<string>()
  readonly #spared: (readonly string[])[] = []
  #drawn = 0

  constructor(base: Ran, merchant: RunnerOptions['merchant'], seed: number) {
    this.#chance = new Chance(seed)
    this.#options = base.payments.map((payment) =>
      inTurn(Object.values(Object.groupBy(optionsOf(payment), (one) => one.do)).filter((list) => list !== undefined)),
    )
    this.#others = othersOf(base, merchant)
    this.#pairs = this.#options.map((options, j) => this.#shuffled(pairsOf(options), `pairs ${j}`))
    this.#seen.add(keyOf([]))
    this.learn(base)
  }

  /** The next schedule; undefined where every one was run. */
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

  /** Remembers a run that showed something new; gives whether it did. */
  learn(ran: Ran): boolean {
    const before = this.#behaviours.size
    for (const behaviour of behavioursOf(ran)) this.#behaviours.add(behaviour)
    const isNew = this.#behaviours.size > before
    if (isNew) this.#corpus.push(ran.choices)
    return isNew
  }

  /** These are known to go wrong together: from here on they are not drawn together, so that something else is found. */
  spare(choices: readonly Choice[]): void {
    this.#spared.push(choices.map(sortOf))
  }

  get behaviours(): number {
    return this.#behaviours.size
  }

  #draw(n: number): Choice[] {
    const other = (i: number) => this.#others.slice(i % Math.max(1, this.#others.length)).slice(0, 1)
    const most = Math.max(0, ...this.#options.map(({ length }) => length))
    const single = (i: number, j: number, list: readonly Choice[]) => list[(i + j * 3) % list.length] ?? []
    if (n < most)
      return [...this.#options.flatMap((list, j) => single(n, j, list)), ...other(2 * n), ...other(2 * n + 1)]
    const m = n - most
    const alone = Math.ceil(this.#others.length / 2)
    if (m < alone && m % 2 === 0) return [...other(2 * most + m), ...other(2 * most + m + 1)]
    const longest = Math.max(0, ...this.#pairs.map(({ length }) => length))
    if (m < alone + longest / 2)
      return [
        ...this.#pairs.flatMap((list, j) => list[(m + j * 7) % list.length] ?? []),
        ...(m % 3 ? other(2 * most + m) : []),
      ]
    return this.#random(this.#chance.of('schedule', n))
  }

  /** Half of them vary one that showed something new. */
  #random(draw: Draw): Choice[] {
    if (this.#corpus.length > 1 && draw.unit() < 0.5) {
      const kept = draw.pick(this.#corpus).filter(() => draw.unit() < 0.8)
      return [...this.#some(draw, 1 + draw.below(3)), ...kept]
    }
    const each = this.#options.flatMap((list) =>
      list.length === 0 ? [] : Array.from({ length: draw.below(EACH_MOST + 1) }, () => draw.pick(list)),
    )
    const others = this.#others.length === 0 ? [] : Array.from({ length: draw.below(4) }, () => draw.pick(this.#others))
    return [...each, ...others]
  }

  #some(draw: Draw, count: number): Choice[] {
    const all = [...this.#options.flat(), ...this.#others]
    return all.length === 0 ? [] : Array.from({ length: count }, () => draw.pick(all))
  }

  #spare(choices: Choice[]): Choice[] {
    let left = choices
    for (const sorts of this.#spared) {
      while (sorts.length > 0 && sorts.every((sort) => left.some((one) => sortOf(one) === sort))) {
        const first = left.find((one) => sortOf(one) === sorts[0])
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

/** What an app did in which state of its payments and callbacks: `getSendMoney 404 | PENDING | SUCCESS`. */
export function behavioursOf({ happened }: Pick<Ran, 'happened'>): string[] {
  let payment = ''
  let callback = ''
  let before = ''
  const behaviours = new Set<string>()
  for (const one of happened) {
    if (one.what === 'payment') payment = one.status
    if (one.what === 'callback') callback = `${one.status} ${one.taken}`
    if (one.what !== 'answer' && one.what !== 'crash') continue
    const now = one.what === 'crash' ? `crash ${one.at.split(' ')[0]}` : `${one.operation} ${one.status}`
    behaviours.add([before, now, payment, callback].join(' | '))
    before = now
  }
  return [...behaviours]
}

/** What happened, without what is always so: equal for schedules that come to the same. */
export function tracesOf({ happened }: Pick<Ran, 'happened'>): string {
  return happened.map((one) => Object.values(one).join(' ')).join('\n')
}
