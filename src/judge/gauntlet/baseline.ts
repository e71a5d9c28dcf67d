/** Findings that are known already, so that only new ones count. */
import type { GauntletFinding, GauntletReport } from './gauntlet-report.ts'

/** What is kept of a finding: ids and amounts differ from run to run and from version to version. */
export interface KnownFinding {
  code: string
  scenario: string
  reference?: string
}

/** What to write down so that these findings are known the next time. */
export function baselineOf({ findings, known }: GauntletReport): { findings: KnownFinding[] } {
  return {
    findings: [...findings, ...known].map(({ code, scenario, reference }) => ({
      code,
      scenario,
      ...(reference !== undefined && { reference }),
    })),
  }
}

/** The known findings of a text. Throws with what was expected where it holds none. */
export function readBaseline(text: string): KnownFinding[] {
  const { findings } = JSON.parse(text) as { findings?: unknown }
  const isKnown = (one: KnownFinding) => typeof one?.code === 'string' && typeof one?.scenario === 'string'
  if (Array.isArray(findings) && findings.every(isKnown)) return findings
  throw new Error('expected { "findings": [{ "code": …, "scenario": … }] }, as --write-baseline writes it')
}

/** The report with known findings set apart. */
export function withoutKnown(report: GauntletReport, baseline: readonly KnownFinding[]): GauntletReport {
  const isKnown = ({ code, scenario, reference }: GauntletFinding) =>
    baseline.some((one) => one.code === code && one.scenario === scenario && one.reference === reference)
  return {
    ...report,
    findings: report.findings.filter((one) => !isKnown(one)),
    known: report.findings.filter(isKnown),
  }
}
