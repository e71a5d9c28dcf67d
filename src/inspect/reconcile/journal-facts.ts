/** What the journal says of requests and their answers: which made payments, and what their merchant got to see. */
import type { JournalEntry } from '../../core/model/journal.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { RefusedRequest } from './ledger-facts.ts'

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

/** Takes up one entry after the other. */
export class JournalFacts {
  /** Requests that were answered and made no payment, by the merchant's reference. */
  readonly refused: RefusedRequest[] = []
  /** Payments whose request got its answer as it was meant, by their number. */
  readonly answered = new Set<number>()
  /** When an id was shown in an answer that arrived, in order. */
  readonly shownAtUs = new Map<string, InstantUs[]>()
  /** When last a list arrived that is too long to be kept here. */
  listedAtUs: InstantUs | null = null
  /** When somebody last looked something up and got no answer that could be read. */
  lookedInVainAtUs: InstantUs | null = null

  /** `opens`: the operation makes payments. */
  see(entry: JournalEntry, opens: boolean): void {
    const arrived = isIntact(entry)
    if (entry.method === 'GET' && !arrived) this.lookedInVainAtUs = entry.atUs
    if (arrived && entry.status < 300) {
      if (entry.responseBody?.startsWith('(')) this.listedAtUs = entry.atUs
      for (const [uuid] of entry.responseBody?.matchAll(UUID) ?? []) this.#shown(uuid.toLowerCase(), entry.atUs)
      if (entry.paymentSeq !== null) this.answered.add(entry.paymentSeq)
    }
    if (!opens || entry.paymentSeq !== null) return
    const reference = referenceIn(entry.requestBody)
    const { requestId, atUs, status } = entry
    if (reference !== undefined) this.refused.push({ reference, requestId, atUs, status })
  }

  #shown(uuid: string, atUs: InstantUs): void {
    const known = this.shownAtUs.get(uuid)
    if (!known) this.shownAtUs.set(uuid, [atUs])
    else if (known.at(-1) !== atUs) known.push(atUs)
  }
}

/** The answer went out whole, and no outage stood in its place. */
function isIntact({ status, notes }: JournalEntry): boolean {
  return status > 0 && status < 500 && notes?.fault === undefined
}

/** What a merchant calls the payment that it asks for. */
function referenceIn(body: string | null): string | undefined {
  try {
    const { referenceId, externalReference } = JSON.parse(body ?? '') as Record<string, unknown>
    const reference = referenceId ?? externalReference
    return typeof reference === 'string' ? reference : undefined
  } catch {
    return undefined
  }
}
