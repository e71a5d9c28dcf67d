/** A real browser for the tests of pages. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
  chromium,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { findChromium } from '../support/chromium.ts'

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A Chromium for a test file, with more flags perhaps; every call gives a payer with a browser of their own. */
export function useBrowser(...more: string[]): (options?: BrowserContextOptions) => Promise<BrowserContext> {
  const found = findChromium()
  if (!found) {
    beforeEach(({ skip }) => skip('this machine has no Chromium, Chrome or Edge'))
    return () => Promise.reject(new Error('there is no browser'))
  }
  const home = mkdtempSync(join(tmpdir(), 'mfano-browser-'))
  let server: BrowserServer
  let browser: Browser
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    server = await chromium.launchServer({
      executablePath: found.executablePath,
      args: [...FLAGS, ...more],
      env: { ...process.env, ...found.env, HOME: home },
    })
    browser = await chromium.connect(server.wsEndpoint())
  })
  afterEach(() => {
    // Nobody waits for it: Chromium forgets a close that comes while a navigation of the page is committed, and pages
    // that follow a session navigate by themselves.
    for (const context of contexts.splice(0)) context.close().catch(() => {})
  })
  afterAll(async () => {
    await server?.kill()
    rmSync(home, { recursive: true, force: true })
  })

  return async (options) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    contexts.push(context)
    return context
  }
}
