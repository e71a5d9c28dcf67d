/** Blind trials: a calibration against an mfano whose alternatives nobody shows it, held against what they were. */
import { controlOf } from '../../../src/client/control.ts'
import { Chance } from '../../../src/core/model/chance.ts'
import type { RunningSimulator } from '../../../src/hosts/node/simulator.ts'
import { type CalibrateOptions, type CalibrationReport, runCalibration } from '../../../src/judge/calibrate.ts'
import { Secrets } from '../../../src/judge/traffic/har.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { unlistedIn } from './hidden-by.ts'

export type Hidden = Readonly<Record<string, string>>

const { assumptions } = paymentsService

/** One alternative of every assumption. */
export function drawn(seed: number): Hidden {
  const chance = new Chance(seed)
  return Object.fromEntries(
    Object.entries(assumptions).map(([id, { alternatives }]) => [id, chance.of('hidden', id).pick(alternatives)]),
  )
}

export const defaults: Hidden = Object.fromEntries(
  Object.entries(assumptions).map(([id, { alternatives }]) => [id, alternatives[0]]),
)

/** What is done when a payment is made, and not when its record is read. */
export const ofThePast = ['success-record'] as const

/** Trials of one key can be of one account. */
export function keyOfPast(hidden: Hidden, withSubAccount: boolean): string {
  return JSON.stringify([withSubAccount, ...ofThePast.map((id) => hidden[id])])
}

/** A world whose merchant has a past, and what the merchant knows of it. */
export interface HiddenAccount {
  id: string
  baseUrl: string
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  keys: CalibrateOptions['keys']
}

/** Asks as the command line does. Nobody shows it anything but what comes over HTTP. */
export function calibrated(
  ask: typeof fetch,
  { baseUrl, credentials, keys }: HiddenAccount,
  more: Partial<CalibrateOptions> = {},
): Promise<CalibrationReport> {
  let atMs = Date.parse('2026-11-25T08:00:00Z')
  return runCalibration({
    baseUrl,
    account: { ...credentials, to: ['254711000100', '255711000100', '256771000100'], amount: 10, run: 'r1' },
    keys,
    fetch: ask,
    paceMs: 1000,
    pause: async (ms) => {
      atMs += ms
    },
    nowMs: () => atMs,
    requests: 150,
    secrets: new Secrets(),
    signal: new AbortController().signal,
    questions: assumptions,
    allow: new Set(['free']),
    payments: 0,
    longestWaitMs: 0,
    twice: true,
    answered: () => {},
    ...more,
  })
}

export interface Trial {
  report: CalibrationReport
  /** What was said and is not so, and what could not be told for no listed reason. */
  amiss: string[]
}

/** `twice`: surprises are asked about again, as a calibration always does and few trials need. */
export async function trialOf(
  simulator: RunningSimulator,
  account: HiddenAccount,
  hidden: Hidden,
  twice: boolean,
): Promise<Trial> {
  const scenario = { name: 'hidden', description: 'Of a blind trial.', extends: 'default', assumptions: hidden }
  await controlOf(account.baseUrl, { fetch: simulator.fetch })('PUT', '/scenario', { body: scenario })
  const before = holdings(simulator, account)
  const report = await calibrated(simulator.fetch, account, { twice })
  const amiss = [...wrongIn(report, hidden), ...unlistedIn(report, hidden, account.keys['sub-account'] !== undefined)]
  if (holdings(simulator, account) !== before) amiss.push('something was made, or moved')
  if (report.payments > 0) amiss.push(`it says that it made ${report.payments} payments`)
  if (report.stopped) amiss.push(`it stopped: ${report.stopped.why}`)
  return { report, amiss }
}

/** What a request could make or move, as it is stored: every row of it. */
const HELD = 'account agenda api_user callback credential organisation payment referenced subscription transfer'.split(
  ' ',
)

export function holdings({ worlds }: RunningSimulator, { id }: { id: string }): string {
  const { sql } = worlds.get(id).core.store
  return JSON.stringify(HELD.map((table) => sql.prepare(`SELECT * FROM ${table}`).all()))
}

export function wrongIn({ answers }: CalibrationReport, hidden: Hidden): string[] {
  return answers
    .filter(({ assumption, verdict, alternative, excluded }) => {
      const is = hidden[assumption] as string
      if (verdict === 'none-of-ours' || verdict === 'unstable') return true
      return (verdict === 'holds' && alternative !== is) || excluded.includes(is)
    })
    .map(
      ({ assumption, verdict, alternative, why }) =>
        `${assumption}: is ${hidden[assumption]}, said ${verdict} ${alternative ?? why}`,
    )
}
