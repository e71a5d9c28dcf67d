/**
 * An index of conditions by the values that they compare with, so that thousands of rules need not be asked one by one.
 */
import type { Condition } from '../../expressions.ts'

interface Group {
  field: string
  type: string
  endLength: number | undefined
  byValue: Map<unknown, number[]>
  places: number[]
}

/**
 * Most conditions of a long list compare one field with a value, so a request with another value can skip them. Asking
 * each of a hundred makes deciding a tenth slower.
 */
export class ByValue {
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

  mayHold(request: Readonly<Record<string, unknown>>): readonly number[] {
    let found: number[] | undefined
    for (const { field, type, endLength, byValue, places } of this.#groups) {
      const value = request[field]
      // For a value of another type, each condition decides itself.
      const of =
        typeof value !== type
          ? places
          : byValue.get(endLength && typeof value === 'string' ? value.slice(-endLength) : value)
      if (of) found = [...(found ?? this.#others), ...of]
    }
    return found?.sort((one, other) => one - other) ?? this.#others
  }
}
