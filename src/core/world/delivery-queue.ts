/** Chooses the next callbacks so that a receiver that hangs delays only itself. */
import type { DueDelivery, Position } from '../model/due.ts'
import type { InstantUs } from '../model/time.ts'
import { type Agenda, BEGINNING, isBehind } from '../store/agenda-table.ts'

const PLACES = 128
/** Rows per pass, so that other work runs in between. */
const LOOKED_AT = 1_000
/** Reads more rows than it needs, because rows of other origins may lie between. */
const READ_AT_LEAST = 16

/**
 * A dynamic threshold: an origin gets a place while it has fewer than are free. So one origin can use half, and a late
 * one still finds a place.
 */
export class DeliveryQueue {
  readonly #agenda: Agenda
  /** Rows up to here are handled or wait; new rows always sort behind. */
  #read = BEGINNING
  readonly #waiting = new Map<string, Position>()
  readonly #placesTaken = new Map<string, number>()
  readonly #mostAtOnce: () => number
  underWay = 0
  /** Most callbacks go to one address, so its origin is parsed once. */
  #last = { url: '', origin: '' }

  constructor(agenda: Agenda, mostAtOnce: () => number) {
    this.#agenda = agenda
    this.#mostAtOnce = mostAtOnce
  }

  /** `more`: call again, because not all rows were looked at. */
  take(nowUs: InstantUs): { rows: DueDelivery[]; more: boolean } {
    const rows: DueDelivery[] = []
    let more = false
    for (const [origin, behind] of [...this.#waiting])
      if (this.#hasPlace(origin)) more = !this.#resume(origin, behind, rows) || more
    return { rows, more: !this.#readOn(nowUs, rows) || more }
  }

  done({ url }: DueDelivery): void {
    const origin = this.#originOf(url)
    const taken = (this.#placesTaken.get(origin) ?? 0) - 1
    if (taken > 0) this.#placesTaken.set(origin, taken)
    else this.#placesTaken.delete(origin)
    this.underWay--
  }

  nextDueUs(): InstantUs {
    return this.#agenda.deliveries(Number.MAX_SAFE_INTEGER, 1, this.#read)[0]?.dueAtUs ?? Number.POSITIVE_INFINITY
  }

  #resume(origin: string, behind: Position, taken: DueDelivery[]): boolean {
    let from = behind
    for (let looked = 0; this.#hasPlace(origin); ) {
      if (looked >= LOOKED_AT) return false
      const few = Math.max(READ_AT_LEAST, this.#placesOf(origin))
      const rows = this.#agenda.deliveries(this.#read.dueAtUs, few, from)
      for (const row of rows) {
        if (isBehind(row, this.#read)) break
        if (this.#originOf(row.url) === origin) {
          if (!this.#hasPlace(origin)) return true
          this.#give(row, origin, taken)
        }
        this.#waiting.set(origin, row)
        from = row
      }
      const last = rows.at(-1)
      if (rows.length < few || !last || isBehind(last, this.#read)) {
        this.#waiting.delete(origin)
        return true
      }
      looked += rows.length
    }
    return true
  }

  #readOn(nowUs: InstantUs, taken: DueDelivery[]): boolean {
    for (let looked = 0; this.underWay < PLACES; ) {
      if (looked >= LOOKED_AT) return false
      const most = PLACES - this.underWay
      const rows = this.#agenda.deliveries(nowUs, most, this.#read)
      looked += most
      for (const row of rows) {
        if (this.underWay === PLACES) return true
        const origin = this.#originOf(row.url)
        if (!this.#waiting.has(origin)) {
          if (this.#hasPlace(origin)) this.#give(row, origin, taken)
          else this.#waiting.set(origin, this.#read)
        }
        this.#read = row
      }
      if (rows.length < most) return true
    }
    return true
  }

  #hasPlace(origin: string): boolean {
    return this.#placesOf(origin) > 0
  }

  #placesOf(origin: string): number {
    return Math.min(PLACES - this.underWay, this.#mostAtOnce()) - (this.#placesTaken.get(origin) ?? 0)
  }

  #originOf(url: string): string {
    if (url !== this.#last.url) this.#last = { url, origin: originOf(url) }
    return this.#last.origin
  }

  #give(row: DueDelivery, origin: string, taken: DueDelivery[]): void {
    this.#placesTaken.set(origin, (this.#placesTaken.get(origin) ?? 0) + 1)
    this.underWay++
    taken.push(row)
  }
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}
