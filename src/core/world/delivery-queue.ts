/** Which due callbacks are sent next, so that a receiver that hangs holds up none but itself. */
import type { InstantUs } from '../model/time.ts'
import type { Agenda } from '../store/agenda-table.ts'
import type { Elsewhere } from '../store/deliveries-elsewhere.ts'
import { type DueDelivery, isBehind, type Position } from '../store/due-columns.ts'

/** Deliveries under way at once, per world. */
const PLACES = 128
/** So many rows are looked at in one go, so that others have their turn. */
const LOOKED_AT = 1_000
/** As few are read at once: there may be others between those of an origin. */
const READ_AT_LEAST = 16

/** The origin of an address, which shares its places; an address that is none shares with nobody. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}

/**
 * Gives out due rows in their order, as far as there are places. An origin is given another one only while it has fewer
 * than are free (a dynamic threshold), so one alone can have half of them, and whoever comes last still finds one. What
 * an origin has no place for stays in the agenda: remembered is only from where on.
 */
export class DeliveryQueue {
  readonly #agenda: Pick<Agenda, 'deliveries' | 'deliveriesElsewhere'>
  /** Due rows up to here were given out, or wait for their origin; new ones always sort behind. */
  #read: Position = { dueAtUs: Number.MIN_SAFE_INTEGER, seq: 0 }
  /** Origins that wait, and behind which row theirs do. */
  readonly #waiting = new Map<string, Position>()
  readonly #held = new Map<string, number>()
  readonly #mostAtOnce: () => number
  #underWay = 0
  /** Of the address that was looked at last, so many times in a row: most go to the same. */
  #last = { url: '', origin: '', times: 0 }

  /** `mostAtOnce`: places that one origin may have. */
  constructor(agenda: Pick<Agenda, 'deliveries' | 'deliveriesElsewhere'>, mostAtOnce: () => number) {
    this.#agenda = agenda
    this.#mostAtOnce = mostAtOnce
  }

  get underWay(): number {
    return this.#underWay
  }

  /** What is to be sent now. `more`: not everything was looked at, and it is to be asked again. */
  take(nowUs: InstantUs): { rows: DueDelivery[]; more: boolean } {
    const rows: DueDelivery[] = []
    let more = false
    for (const [origin, behind] of [...this.#waiting])
      if (this.#hasPlace(origin)) more = !this.#resume(origin, behind, rows) || more
    return { rows, more: !this.#readOn(nowUs, rows) || more }
  }

  /** A row that was given out is done with. */
  done({ url }: DueDelivery): void {
    const origin = this.#originOf(url)
    const held = (this.#held.get(origin) ?? 0) - 1
    if (held > 0) this.#held.set(origin, held)
    else this.#held.delete(origin)
    this.#underWay--
  }

  /** When the next row falls due that is not under way and does not wait for a place. */
  nextDueUs(): InstantUs | undefined {
    return this.#agenda.deliveries(Number.MAX_SAFE_INTEGER, 1, this.#read)[0]?.dueAtUs
  }

  /** Goes on with the rows of an origin that waited, as far as it has places. Whether it came to an end. */
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

  /** Goes on with the rows that nobody has looked at. Whether it came to an end. */
  #readOn(nowUs: InstantUs, taken: DueDelivery[]): boolean {
    for (let looked = 0; this.#underWay < PLACES; ) {
      if (looked >= LOOKED_AT) return false
      const most = PLACES - this.#underWay
      const { rows, through, more } = this.#unread(nowUs, most)
      looked += most
      for (const row of rows) {
        if (this.#underWay === PLACES) return true
        const origin = this.#originOf(row.url)
        if (!this.#waiting.has(origin)) {
          if (this.#hasPlace(origin)) this.#give(row, origin, taken)
          else this.#waiting.set(origin, this.#read)
        }
        this.#read = row
      }
      this.#read = through
      if (!more) return true
    }
    return true
  }

  /** Rows that nobody has looked at, without those to an address whose origin waits, where that is nearly all there is. */
  #unread(nowUs: InstantUs, most: number): Elsewhere {
    const { url, origin, times } = this.#last
    if (times >= READ_AT_LEAST && this.#waiting.has(origin))
      return this.#agenda.deliveriesElsewhere(url, nowUs, most, this.#read)
    const rows = this.#agenda.deliveries(nowUs, most, this.#read)
    return { rows, through: rows.at(-1) ?? this.#read, more: rows.length === most }
  }

  #hasPlace(origin: string): boolean {
    return this.#placesOf(origin) > 0
  }

  #placesOf(origin: string): number {
    return Math.min(PLACES - this.#underWay, this.#mostAtOnce()) - (this.#held.get(origin) ?? 0)
  }

  #originOf(url: string): string {
    if (url === this.#last.url) this.#last.times++
    else this.#last = { url, origin: originOf(url), times: 1 }
    return this.#last.origin
  }

  #give(row: DueDelivery, origin: string, taken: DueDelivery[]): void {
    this.#held.set(origin, (this.#held.get(origin) ?? 0) + 1)
    this.#underWay++
    taken.push(row)
  }
}
