/** Asks a service which alternative of each assumption holds, as a test. */
import { MfanoError } from '../../client/errors.ts'
import type { CalibrationReport } from '../../judge/calibrate.ts'

export interface CalibrationOptions {
  /** Base URL of the service. */
  baseUrl: string
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  /** The key of a sub-account, for questions that only a sub-account can ask. */
  subAccount?: { apiKey: string; apiSecret: string }
  /**
   * Things to create besides free questions: `session`, `lasting`, `own-transfer`. Only the command line may make
   * payments.
   */
  allow?: readonly ('session' | 'lasting' | 'own-transfer')[]
  /** Only these assumptions. Default: all. */
  assumptions?: readonly string[]
  /** Requests at most. Default 150. */
  requests?: number
  /** Real milliseconds from the beginning of one request to that of the next. Default 1000. */
  paceMs?: number
  /** Confirms that the address is a sandbox, although neither its path nor https says so. */
  isSandbox?: boolean
}

/** A session lives longer than a test can wait. */
const LONGEST_WAIT_MS = 0

/**
 * Asks the service and reports which alternatives hold. Fails when it may not ask this address. The report says which
 * assumptions stay open, and why it stopped.
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
    paceMs,
    pause: realPause,
    wait: realPause,
    asking: () => {},
    answered: () => {},
  })
}
