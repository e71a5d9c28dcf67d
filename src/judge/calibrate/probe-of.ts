/** Finds the probe of an assumption by its name. */
import { probes } from '../../service/probes.ts'

type Probe = (typeof probes)[keyof typeof probes]
const byName: Readonly<Record<string, Probe | undefined>> = probes

/** Undefined for what is no assumption of ours. */
export function probeOf(assumption: string): Probe | undefined {
  return byName[assumption]
}
