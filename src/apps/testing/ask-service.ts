/** Asking a service which alternative of each assumption holds, as a test. */
import { MfanoError } from '../../client/errors.ts'
import type { CalibrationReport } from '../../judge/calibrate.ts'

/** What is asked, and what it may cost. */
export interface CalibrationOptions {
  /** The base URL of the service. */
  baseUrl: string
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  /** The key of a sub-account, for what only one can ask. */
  subAccount?: { apiKey: string; apiSecret: string }
  /** What may be made besides free questions: `session`, `lasting`, `own-transfer`; payments are the command line's. */
  allow?: readonly ('session' | 'lasting' | 'own-transfer')[]
  /** Only these assumptions. */
  assumptions?: readonly string[]
  /** The most requests; 150 unless given. */
  requests?: number
  /** Real milliseconds between two requests; 1000 unless given. */
  paceMs?: number
  /** The address is the sandbox's, although neither its path nor https says so. */
  isSandbox?: boolean
}

/** A session lives longer than a test waits. */
const LONGEST_WAIT_MS = 0

/**
 * Asks the service, and answers what holds. Fails where the address may not be asked; what could not be told, or why it
 * stopped, is in the report.
 *
 * @example
 * ```ts
 * await using mfano = await startMfano()
 * const world = await mfano.world({ scenario: { name: 'flat', description: 'Flat errors.', assumptions: { 'error-body': 'flat' } } })
 * const { baseUrl, credentials } = world
 * const report = await calibrate({ baseUrl, credentials, assumptions: ['error-body'], paceMs: 0 })
 * assert.equal(report.answers[0]?.alternative, 'flat')
 * ```
 */
export async function calibrate(options: CalibrationOptions): Promise<CalibrationReport> {
  const { baseUrl, credentials, subAccount, allow = [], assumptions, requests = 150, paceMs = 1000 } = options
  // Only here: nothing else in a suite needs the judge.
  const [{ runCalibration: ask, Secrets, whyNotAsked }, { paymentsService }, { realPause, wallNowMs }] =
    await Promise.all([
      import('../../judge/calibrate.ts'),
      import('../../service/service.ts'),
      import('../../hosts/node/wall.ts'),
    ])
  const why = whyNotAsked(baseUrl, options.isSandbox ?? false)
  if (why !== undefined)
    throw new MfanoError({ code: 'BAD_OPTIONS', message: `baseUrl: ${why}; isSandbox: true says that it is` })
  const all = Object.entries(paymentsService.assumptions)
  return ask({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    account: { ...credentials, to: [], amount: 10, run: wallNowMs().toString(36) },
    keys: subAccount ? { 'sub-account': subAccount } : {},
    allow: new Set(['free', ...allow]),
    questions: Object.fromEntries(all.filter(([id]) => assumptions?.includes(id) ?? true)),
    requests,
    payments: 0,
    longestWaitMs: LONGEST_WAIT_MS,
    known: [],
    twice: true,
    fetch,
    secrets: new Secrets(),
    signal: new AbortController().signal,
    nowMs: wallNowMs,
    pace: () => realPause(paceMs),
    wait: realPause,
    asking: () => {},
    answered: () => {},
  })
}
