import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The system's Chromium for a test file, with more flags perhaps; every call gives a payer with a browser of their own. */
export function useBrowser(...more: string[]): (options?: BrowserContextOptions) => Promise<BrowserContext> {
  const home = mkdtempSync(join(tmpdir(), 'mfano-browser-'))
  let browser: Awaited<ReturnType<typeof chromium.launch>>
  const contexts: BrowserContext[] = []

  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: [...FLAGS, ...more],
      env: { ...process.env, HOME: home },
    })
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) {
      // Chromium forgets a close that comes while a navigation of the page is committed: pages that follow a session
      // navigate by themselves, so each is taken away from it first.
      for (const page of context.pages()) await page.goto('about:blank').catch(() => {})
      await context.close()
    }
  })
  afterAll(async () => {
    await browser?.close()
    rmSync(home, { recursive: true, force: true })
  })

  return async (options) => {
    const context = await browser.newContext(options)
    contexts.push(context)
    return context
  }
}
