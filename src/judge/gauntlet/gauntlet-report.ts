import { readFileSync, writeFileSync } from 'node:fs'
import { type RiskName, riskNames, risks } from '../../core/model/risks.ts'
import { whyUnreadable, whyUnwritable } from '../../hosts/node/file-access.ts'
import type { ToldUnder } from '../explore/tell.ts'
import { Unusable } from '../subject.ts'

export type ScenarioVerdict = 'clean' | 'findings' | 'unjudged' | 'skipped' | 'left'

export interface ScenarioResult {
  /** Or a single choice, as in findings. */
  scenario: string
  story?: string
  risk?: RiskName
  verdict: ScenarioVerdict
  why?: string
  findings: ToldUnder[]
  warnings: ToldUnder[]
  /** Rules and faults that never fired, so what they test was not tested. */
  unmet: string[]
  isUnmet?: true
  /** The app made no payment under it, so it tested nothing. */
  isIdle?: true
  tookMs: number
}

/**
 * `passed-so-far`: what was tried passed, and some was not tried. `not-applicable`: the app does nothing that it could
 * touch. `not-reached`: it could, and nothing of it was tried.
 */
type RiskVerdict = 'passed' | 'passed-so-far' | 'failed' | 'not-applicable' | 'not-reached'

interface RiskScore {
  risk: RiskName
  title: string
  verdict: RiskVerdict
  tried: number
  failed: number
  /** Those that there was no time for, that could not be judged, or whose rules nothing met. */
  left: number
}

export interface GauntletReport {
  merchant: string
  findings: ToldUnder[]
  warnings: ToldUnder[]
  known: ToldUnder[]
  unstable: ToldUnder[]
  unconfirmed: ToldUnder[]
  scenarios: ScenarioResult[]
  singles: ScenarioResult[]
  scorecard: RiskScore[]
  interrupted: boolean
}

export function riskScorecard(results: readonly ScenarioResult[]): RiskScore[] {
  return riskNames.map((risk) =>
    scoreOf(
      risk,
      results.filter((one) => one.risk === risk),
    ),
  )
}

function scoreOf(risk: RiskName, results: readonly ScenarioResult[]): RiskScore {
  const applicable = results.filter(({ verdict, isIdle }) => verdict !== 'skipped' || isIdle)
  const failed = applicable.filter(({ verdict }) => verdict === 'findings').length
  // Rules of a scenario that nothing met were not tried.
  const passed = applicable.filter(({ verdict, unmet }) => verdict === 'clean' && unmet.length === 0).length
  const tried = passed + failed
  const left = applicable.length - tried
  return { risk, title: risks[risk].title, verdict: verdictOf({ tried, failed, left }), tried, failed, left }
}

function verdictOf({ tried, failed, left }: Pick<RiskScore, 'tried' | 'failed' | 'left'>): RiskVerdict {
  if (failed > 0) return 'failed'
  if (tried > 0) return left > 0 ? 'passed-so-far' : 'passed'
  return left > 0 ? 'not-reached' : 'not-applicable'
}

// Known findings, so that only new ones fail a run.

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
  const isKnown = ({ code, scenario, reference }: ToldUnder) =>
    baseline.some((one) => one.code === code && one.scenario === scenario && one.reference === reference)
  return {
    ...report,
    findings: report.findings.filter((one) => !isKnown(one)),
    unstable: report.unstable.filter((one) => !isKnown(one)),
    unconfirmed: report.unconfirmed.filter((one) => !isKnown(one)),
    known: [...report.findings, ...report.unstable, ...report.unconfirmed].filter(isKnown),
  }
}
