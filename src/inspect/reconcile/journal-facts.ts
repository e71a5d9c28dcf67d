/** Collects from the journal what each merchant could know about its payments. */
import type { JournalEntry } from '../../core/model/journal.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { RefusedRequest } from './ledger-facts.ts'
import { normalText } from './spelling.ts'

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

export class JournalFacts {
  readonly refused: RefusedRequest[] = []
  readonly answered = new Set<number>()
  readonly shownAtUs = new Map<string, InstantUs[]>()
  listedAtUs: InstantUs | null = null
  lookedInVainAtUs: InstantUs | null = null

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

function isIntact({ status, notes }: JournalEntry): boolean {
  return status > 0 && status < 500 && notes?.fault === undefined
}

function referenceIn(body: string | null): string | undefined {
  try {
    const { referenceId, externalReference }: Record<string, unknown> = JSON.parse(body ?? '')
    const reference = referenceId ?? externalReference
    return typeof reference === 'string' ? normalText(reference) : undefined
  } catch {
    return undefined
  }
}
