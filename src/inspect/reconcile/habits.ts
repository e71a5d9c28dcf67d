/** Habits of an app that the journal and the outbox show without any books: nothing is lost by them yet. */
import { type Zone, zonedText } from '../../core/model/calendar.ts'
import type { Attempt, Callback } from '../../core/model/callback.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { SECOND_US } from '../../core/model/time.ts'
import type { Finding, FindingCode } from '../finding.ts'

/** A token that is younger is good for another minute at least. */
const TOKEN_FRESH_US = 240 * SECOND_US
/** Fewer calls than this show no habit. */
const CALLS_MIN = 5
/** So many reads of one thing within so much world time are more than sense. */
const READS_MAX = 20
const READS_WITHIN_US = 10 * SECOND_US
/** A receiver that takes more than this part of the time it has will one day take all of it. */
const SLOW_PART = 0.5
const SECRET = /secret|password|token|api_?key/i
/** mfano lost the receiver's answer itself. */
const ANSWER_LOST = 'answer-lost'

/** Looks at one request, and one callback, after the other. */
export class Habits {
  readonly #callbacks = new Map<FindingCode, { times: number; first: Callback; what: string }>()
  readonly #misplaced = new Map<string, { times: number; first: JournalEntry }>()
  readonly #reads = new Map<string, { sinceUs: number; times: number; most: number; first: JournalEntry }>()
  #tokens = 0
  #needless = 0
  #calls = 0
  #tokenAtUs = Number.NEGATIVE_INFINITY

  /** `tokenless`: the operation is one that gives tokens. */
  request(entry: JournalEntry, tokenless: boolean): void {
    if (tokenless && entry.status < 300) {
      this.#tokens++
      if (entry.atUs - this.#tokenAtUs < TOKEN_FRESH_US) this.#needless++
      this.#tokenAtUs = entry.atUs
    } else if (!tokenless && entry.requestHeaders['authorization'] !== undefined) this.#calls++
    for (const where of misplacedIn(entry)) {
      const known = this.#misplaced.get(where)
      this.#misplaced.set(where, { times: (known?.times ?? 0) + 1, first: known?.first ?? entry })
    }
    if (entry.method === 'GET') this.#read(entry)
  }

  #read(entry: JournalEntry): void {
    const known = this.#reads.get(entry.path)
    const goesOn = known && entry.atUs - known.sinceUs <= READS_WITHIN_US
    const times = goesOn ? known.times + 1 : 1
    const sinceUs = goesOn ? known.sinceUs : entry.atUs
    this.#reads.set(entry.path, {
      sinceUs,
      times,
      most: Math.max(known?.most ?? 0, times),
      first: known?.first ?? entry,
    })
  }

  /** A callback, and every try at telling it. */
  callback(callback: Callback, attempts: readonly Attempt[], timeoutMs: number): void {
    const { state, attempts: tries, fault } = callback
    // Who turns away what is signed wrongly does right.
    if (fault?.signature) return
    const own = attempts.filter(({ diagnosis }) => diagnosis?.code !== ANSWER_LOST)
    const last = own.at(-1)
    if (state === 'failed' && tries > 0 && last)
      this.#note('callback_unacknowledged', callback, `${last.error ?? 'not received'}, tried ${often(tries)}`)
    const broken = own.find(({ status }) => status !== null && status >= 500)
    if (broken) this.#note('callback_server_error', callback, `answered ${broken.status}`)
    const slow = own.find(({ tookMs }) => tookMs > timeoutMs * SLOW_PART)
    if (slow)
      this.#note('callback_slow', callback, `answered after ${slow.tookMs} ms, of ${timeoutMs} ms that there are`)
  }

  #note(code: FindingCode, callback: Callback, what: string): void {
    const known = this.#callbacks.get(code)
    this.#callbacks.set(code, {
      times: (known?.times ?? 0) + 1,
      first: known?.first ?? callback,
      what: known?.what ?? what,
    })
  }

  /** `uuidOf`: the id of a payment by its number. */
  findings(uuidOf: (seq: number) => string | undefined, zone: Zone): Finding[] {
    return [
      ...[...this.#callbacks].map(([code, { times, first, what }]): Finding => {
        const requestId = first.paymentSeq === null ? undefined : uuidOf(first.paymentSeq)
        const text = `${callbackTexts[code as keyof typeof callbackTexts]} ${often(times)}, first ${first.uid} at ${zonedText(first.createdAtUs, zone)}: ${what}.`
        return { code, level: 'warning', ...(requestId !== undefined && { requestId }), text }
      }),
      ...this.#tokenFindings(),
      ...[...this.#misplaced].map(
        ([where, { times, first }]): Finding => ({
          code: 'secret_misplaced',
          level: 'warning',
          text: `A secret stands in ${where} of ${first.method} ${first.path.split('?')[0]} ${often(times)} (${first.requestId}), where logs keep it.`,
        }),
      ),
      ...this.#pollFindings(),
    ]
  }

  #tokenFindings(): Finding[] {
    if (this.#calls < CALLS_MIN || this.#needless < this.#calls * 0.8) return []
    const text = `${this.#tokens} tokens were fetched for ${this.#calls} calls, ${this.#needless} of them while the last one was still good: a token lasts for minutes.`
    return [{ code: 'token_for_every_call', level: 'warning', text }]
  }

  #pollFindings(): Finding[] {
    return [...this.#reads.values()]
      .filter(({ most }) => most > READS_MAX)
      .map(
        ({ most, first }): Finding => ({
          code: 'polled_too_fast',
          level: 'warning',
          text: `GET ${first.path} was asked ${most} times within ${READS_WITHIN_US / SECOND_US} seconds: nothing changes so fast.`,
        }),
      )
  }
}

const callbackTexts = {
  callback_unacknowledged: 'A callback was never acknowledged',
  callback_server_error: 'A callback was answered with an error of the server',
  callback_slow: 'A callback was acknowledged slowly',
}

/** Where a secret stands that nothing there reads: `the query`, `the field apiSecret`. */
function misplacedIn({ path, notes }: JournalEntry): string[] {
  const fields = (notes?.unread ?? []).filter((field) => !field.startsWith('?') && SECRET.test(field))
  return [...(/[?&][^=&]+=\*\*\*/.test(path) ? ['the query'] : []), ...fields.map((field) => `the field ${field}`)]
}

function often(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}
