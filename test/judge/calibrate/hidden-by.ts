import type { CalibrationReport } from '../../../src/judge/calibrate.ts'
export function unlistedIn(r: CalibrationReport, hidden: Readonly<Record<string, string>>, withSub: boolean): string[] {
  return []
}
