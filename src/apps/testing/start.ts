/** Starts mfano in the process of a test. */
import { MfanoError } from '../../client/errors.ts'
import type { Settings } from '../../hosts/node/settings.ts'
import { Mfano } from './mfano.ts'
import type { WorldOptions } from './world-options.ts'
import { isScenarioName } from './world-scenario.ts'

/** Settings of mfano. The world's options are defaults for `world()`. */
export interface StartOptions extends Pick<WorldOptions, 'scenario' | 'parameters' | 'seed' | 'assumptions' | 'clock'> {
  /** Default: a free port. */
  port?: number
  /** Protects the control plane. The kit sends it with each request. */
  adminToken?: string
  /** Host that replaces localhost in callback URLs. */
  callbackHost?: string
  /** Folder for worlds. By default they stay in memory. */
  data?: string
  /** `pretty` or `json` prints every request, transition and callback. */
  log?: 'pretty' | 'json' | 'off'
}

/**
 * Starts mfano in this process, on a free port and in memory. Resolves when it answers. Close it after the tests, so
 * that nothing keeps running.
 *
 * @example
 * ```ts
 * const mfano = await startMfano({ scenario: 'late-reversal' })
 * const world = await mfano.world()
 * assert.match(mfano.url, /^http:\/\/127\.0\.0\.1:\d+$/)
 * await mfano.close()
 * ```
 */
export async function startMfano(options: StartOptions = {}): Promise<Mfano> {
  const { port = 0, data = ':memory:', log = 'off', adminToken, callbackHost, ...defaults } = options
  // Imported on demand: connecting to a mfano elsewhere needs neither a server nor Node.
  const [{ openLog }, { startSimulator }, { startFailure }] = await Promise.all([
    import('../../hosts/node/settings.ts'),
    import('../../hosts/node/simulator.ts'),
    import('../../hosts/node/settings.ts'),
  ])
  const path = typeof defaults.scenario === 'string' && isPath(defaults.scenario) ? defaults.scenario : undefined
  const given = { port: String(port), data, log, adminToken, callbackHost, scenario: path }
  const settings = await settingsFrom(given)
  const simulator = await startSimulator(settings, await openLog(settings)).catch((error) => {
    const details = startFailure(error, settings)
    throw new MfanoError({ code: 'NOT_STARTED', message: 'mfano did not start.', details, cause: error })
  })
  return new Mfano(simulator.baseUrl, {
    adminToken,
    // The server reads the file itself, so that what it extends is found beside it.
    defaults: path === undefined ? defaults : { ...defaults, scenario: undefined },
    stop: () => simulator.close(),
  })
}

function isPath(scenario: string): boolean {
  return !isScenarioName(scenario) && !/[\n{]/.test(scenario)
}

async function settingsFrom(given: Readonly<Record<string, string | undefined>>): Promise<Settings> {
  const { settingsOf } = await import('../../hosts/node/settings.ts')
  try {
    return settingsOf(Object.fromEntries(Object.entries(given).filter(([, text]) => text !== undefined)))
  } catch (error) {
    const details = (error as Error).message
    throw new MfanoError({ code: 'BAD_OPTIONS', message: 'startMfano cannot start so.', details })
  }
}
