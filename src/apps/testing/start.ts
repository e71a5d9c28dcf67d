import { MfanoError } from '../../client/errors.ts'
import { errorOf } from '../../core/model/must.ts'
import { Mfano } from './mfano.ts'
import { isScenarioName, type WorldDefaults } from './world-options.ts'

/** Settings of mfano. The world's options are defaults for `world()`. */
export interface StartOptions extends WorldDefaults {
  /** Default: a free port. */
  port?: number
  /** Protects the control plane. The kit sends it with each request. */
  adminToken?: string
  /**
   * Serves HTTPS and HTTP on one port: `mfano.url` begins with https, and `mfano.ca` is the certificate to trust. This
   * process trusts it already, and mfano trusts receivers whose certificates that authority has issued.
   */
  tls?: boolean
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
  const { port = 0, data = ':memory:', log = 'off', adminToken, callbackHost, tls = false, ...defaults } = options
  // Imported on demand: connecting to a mfano elsewhere needs neither a server nor Node.
  const [{ openLog, settingsOf, startFailure }, { startSimulator }] = await Promise.all([
    import('../../hosts/node/settings.ts'),
    import('../../hosts/node/simulator.ts'),
  ])
  const path = typeof defaults.scenario === 'string' && isPath(defaults.scenario) ? defaults.scenario : undefined
  const given = { port: String(port), data, log, adminToken, callbackHost, tls: String(tls), scenario: path }
  const settings = orBadOptions(() => settingsOf(given))
  const simulator = await startSimulator(settings, await openLog(settings)).catch((error) => {
    const details = startFailure(error, settings)
    throw new MfanoError({ code: 'NOT_STARTED', message: 'mfano did not start.', details, cause: error })
  })
  const { authority } = simulator
  if (authority) await trustHere(authority.certificate)
  return new Mfano(simulator.baseUrl, {
    adminToken,
    authority,
    // The server reads the file itself, so that what it extends is found beside it.
    defaults: path === undefined ? defaults : { ...defaults, scenario: undefined },
    stop: () => simulator.close(),
  })
}

/** Has `fetch` and everything else in this process trust an authority besides those that it trusts. */
async function trustHere(certificate: string): Promise<void> {
  const { getCACertificates, setDefaultCACertificates } = await import('node:tls')
  if (setDefaultCACertificates) return setDefaultCACertificates([...getCACertificates('default'), certificate])
  throw new MfanoError({
    code: 'BAD_OPTIONS',
    message: `startMfano({ tls: true }) needs another Node than ${process.versions.node}.`,
    details: 'Node 22.19 and later and 24.5 and later can trust an authority while they run.',
  })
}

function isPath(scenario: string): boolean {
  return !isScenarioName(scenario) && !/[\n{]/.test(scenario)
}

function orBadOptions<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const details = errorOf(error).message
    throw new MfanoError({ code: 'BAD_OPTIONS', message: 'startMfano cannot start so.', details })
  }
}
