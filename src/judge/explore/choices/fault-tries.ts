/** How faults are tried, from their records: a new fault is a new choice. */
import type { FaultTries, FaultTry } from '../../../core/model/risks.ts'

interface TriedRecord {
  tries: FaultTries
}

/** By name, with the record of its fault. */
export function triesOf<Of extends TriedRecord>(
  faults: Readonly<Record<string, Of>>,
  isTried: (of: Of, one: FaultTry, fault: string) => boolean = () => true,
): Map<string, FaultTry & { fault: string; record: Of }> {
  const all = Object.entries(faults).flatMap(([fault, record]) =>
    Object.entries(record.tries)
      .filter(([, one]) => isTried(record, one, fault))
      .map(([name, one]) => [name, { ...one, fault, record }] as const),
  )
  return new Map(all)
}
