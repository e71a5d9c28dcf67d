import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import type { TestWorld } from '../../../support/harness.ts'
import { useBrowser } from '../browser.ts'

/**
 * A refusal is shown on the page, and tests look for it there. And where text of an editor is replaced, Chromium itself
 * tries to keep its colours with a style attribute, which the page's policy stops.
 */
const harmless = /^(?:Failed to load resource|Applying inline style)/

/** Pages of a world's dashboard, in real Chromium. After every test: no script failed, and no policy was broken. */
export function useDashboard(): (world: TestWorld, path?: string, options?: BrowserContextOptions) => Promise<Page> {
  const browser = useBrowser()
  let problems: string[] = []
  afterEach(() => {
    const found = problems
    // Of its own for each test: a page that is being closed complains of what its test has taken away.
    problems = []
    expect(found, 'what the browser complained of').toEqual([])
  })
  return async (world, path = '/', options = {}) => {
    const own = problems
    const page = await (await browser({ viewport: { width: 1440, height: 900 }, ...options })).newPage()
    page.on('pageerror', (error) => own.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error' && !harmless.test(message.text())) own.push(message.text())
    })
    await page.goto(`${world.baseUrl}/_mfano/#${path}`)
    await page.locator('[data-live=true]').waitFor()
    return page
  }
}
