/** Which of many conditions may hold, found by the values that they ask for. */
import type { Condition } from '../../expressions.ts'

/** Conditions that ask for a value of one field, all for the whole value or all for an end of one length. */
interface Group {
  field: string
  type: string
  endLength: number | undefined
  byValue: Map<unknown, number[]>
  /** The places of all of them. */
  places: number[]
}

/**
 * The conditions of a list, of which most ask for one value of a field of the request: who has another one need not be
 * asked about each, which takes a tenth more of deciding among a hundred.
 */
export class ByValue {
  /** Places of those that ask for anything else. */
  readonly #others: number[] = []
  readonly #groups: Group[] = []

  constructor(conditions: readonly (Condition | undefined)[]) {
    for (const [place, condition] of conditions.entries()) {
      const only = condition?.only
      if (!only) {
        this.#others.push(place)
        continue
      }
      const { field, type, value } = only
      const group = this.#groupOf(field, type, only.isEnd ? String(value).length : undefined)
      group.places.push(place)
      group.byValue.set(value, [...(group.byValue.get(value) ?? []), place])
    }
  }

  #groupOf(field: string, type: string, endLength: number | undefined): Group {
    let group = this.#groups.find((one) => one.field === field && one.type === type && one.endLength === endLength)
    if (!group) {
      group = { field, type, endLength, byValue: new Map(), places: [] }
      this.#groups.push(group)
    }
    return group
  }

  /** The places, rising, of all conditions that do not surely fail for a request. */
  mayHold(request: Readonly<Record<string, unknown>>): readonly number[] {
    let found: number[] | undefined
    for (const { field, type, endLength, byValue, places } of this.#groups) {
      const value = request[field]
      // What becomes of a value of another type, each says itself.
      const of = typeof value !== type ? places : byValue.get(endLength ? (value as string).slice(-endLength) : value)
      if (of) found = [...(found ?? this.#others), ...of]
    }
    return found?.sort((one, other) => one - other) ?? this.#others
  }
}
