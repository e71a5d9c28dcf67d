/** Known findings, so that only new ones fail a run. */
import { readFileSync, writeFileSync } from 'node:fs'
import { whyUnreadable, whyUnwritable } from '../../hosts/node/file-access.ts'
import { Unusable } from '../subject.ts'
import type { GauntletFinding, GauntletReport } from './gauntlet-report.ts'

/** Ids and amounts are left out, because they differ between runs. */
interface KnownFinding {
  code: string
  scenario: string
  reference?: string
}

export function writeBaseline(file: string, { findings, unstable, unconfirmed, known }: GauntletReport): void {
  const kept = [...findings, ...unstable, ...unconfirmed, ...known].map(
    ({ code, scenario, reference }): KnownFinding => ({
      code,
      scenario,
      ...(reference !== undefined && { reference }),
    }),
  )
  try {
    writeFileSync(file, `${JSON.stringify({ findings: kept }, null, 2)}\n`)
  } catch (error) {
    throw new Unusable(`${file} cannot be written:`, { code: 'COMMAND_FAILED', hint: `${whyUnwritable(error)}.` })
  }
}

export function readBaseline(file: string): KnownFinding[] {
  try {
    return knownIn(readFileSync(file, 'utf8'))
  } catch (error) {
    const message = `${file} cannot be read: ${whyUnreadable(error)}`
    throw new Unusable(message, { code: 'BASELINE_UNREADABLE', option: 'baseline' })
  }
}

function knownIn(text: string): KnownFinding[] {
  const { findings }: { findings?: unknown } = JSON.parse(text)
  const isKnown = (one: KnownFinding) => typeof one?.code === 'string' && typeof one?.scenario === 'string'
  if (Array.isArray(findings) && findings.every(isKnown)) return findings
  throw new Error('expected { "findings": [{ "code": …, "scenario": … }] }, as --write-baseline writes it')
}

export function withoutKnown(report: GauntletReport, baseline: readonly KnownFinding[]): GauntletReport {
  const isKnown = ({ code, scenario, reference }: GauntletFinding) =>
    baseline.some((one) => one.code === code && one.scenario === scenario && one.reference === reference)
  return {
    ...report,
    findings: report.findings.filter((one) => !isKnown(one)),
    unstable: report.unstable.filter((one) => !isKnown(one)),
    unconfirmed: report.unconfirmed.filter((one) => !isKnown(one)),
    known: [...report.findings, ...report.unstable, ...report.unconfirmed].filter(isKnown),
  }
}
