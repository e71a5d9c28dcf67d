/** A real browser for the tests of pages. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { type Chromium, findChromium } from '../../support/chromium.ts'

/**
 * What Chromium is told to leave. The first two are pages of its own, which it loads into every window for its address
 * bar, at several times the cost of a window. Of such flags the last one counts, so those of Playwright are here again.
 */
const UNWANTED = [
  ...'WebUIOmniboxPopup WebUIOmniboxAimPopup AvoidUnnecessaryBeforeUnloadCheckSync'.split(' '),
  ...'DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable LensOverlay'.split(' '),
  ...'MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect'.split(' '),
  ...'TcpPortRandomizationWin OptimizationHints NetworkTimeServiceQuerying AimEnabled'.split(' '),
  'PreconnectToSearch',
]

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${UNWANTED}`,
  // A host as the network of a compose file has it.
  '--host-resolver-rules=MAP mfano 127.0.0.1',
]

/** The one of this process, which may run many test files; another when it is gone. */
let running: Promise<Browser> | undefined

async function start({ executablePath, env }: Chromium): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'mfano-browser-'))
  // Playwright kills what it started when this process exits, which a signal by itself would not let it do.
  process.once('SIGTERM', () => process.exit())
  process.once('exit', () => rmSync(home, { recursive: true, force: true }))
  const server = await chromium.launchServer({
    executablePath,
    args: FLAGS,
    env: { ...process.env, ...env, HOME: home },
    handleSIGTERM: false,
  })
  const browser = await chromium.connect(server.wsEndpoint())
  browser.once('disconnected', () => {
    running = undefined
  })
  return browser
}

/** A Chromium for a test file; every call gives a payer with a browser of their own. */
export function useBrowser(): (options?: BrowserContextOptions) => Promise<BrowserContext> {
  const found = findChromium()
  if (!found) {
    beforeEach(({ skip }) => skip('this machine has no Chromium, Chrome or Edge'))
    return () => Promise.reject(new Error('there is no browser'))
  }
  let browser: Browser
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    running ??= start(found)
    browser = await running
  })
  afterEach(() => {
    // Nobody waits for it: Chromium forgets a close that comes while a navigation of the page is committed, and pages
    // that follow a session navigate by themselves.
    for (const context of contexts.splice(0)) context.close().catch(() => {})
  })

  return async (options) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    contexts.push(context)
    return context
  }
}
