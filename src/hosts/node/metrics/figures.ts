/** Counts in plain objects, so that a request pays only for a few additions. */

export class Distribution {
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  add(value: number): void {
    const { bounds, counts } = this
    let i = 0
    while (value > (bounds[i] ?? Number.POSITIVE_INFINITY)) i++
    counts[i] = (counts[i] ?? 0) + 1
    this.sum += value
  }
}

/** Milliseconds: from a request in memory to a receiver that hangs. */
const LATENCIES_MS = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]
/** A commit takes at most 512 pieces. */
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export class ProcessCounts {
  readonly requests: Record<string, Record<number, number>> = {}
  readonly requestMs = new Distribution(LATENCIES_MS)
  steps = 0
  readonly attempts = { accepted: 0, rejected: 0, unanswered: 0 }
  readonly attemptMs = new Distribution(LATENCIES_MS)
  readonly batches = new Distribution(BATCHES)

  request(operation: string | null, status: number, tookMs: number): void {
    const asked = operation ?? 'none'
    this.requests[asked] ??= {}
    const byStatus = this.requests[asked]
    byStatus[status] = (byStatus[status] ?? 0) + 1
    this.requestMs.add(tookMs)
  }

  attempt({ status, error, tookMs }: { status: number | null; error: string | null; tookMs: number }): void {
    this.attempts[error === null ? 'accepted' : status === null ? 'unanswered' : 'rejected']++
    this.attemptMs.add(tookMs)
  }
}
