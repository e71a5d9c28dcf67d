import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Has axe look at a page as it is now, and fails with what it finds serious. */
export async function expectAccessible(page: Page): Promise<void> {
  // What still fades in is harder to read than it will be; what never ends, such as a spinner, is as it is.
  await page.evaluate(() => {
    const passing = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    return Promise.allSettled(passing.map(({ finished }) => finished)).then(() => {})
  })
  // Run by the debugger, which a page's policy does not bind.
  await page.evaluate(source)
  const results = (await page.evaluate('axe.run()')) as AxeResults
  const serious = results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} (${node.failureSummary?.split('\n')[1]?.trim()})`).join('; ')}`,
    )
  expect(serious, page.url()).toEqual([])
}

/** Fails when a page is wider than its window. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  expect(content, `${page.url()} is wider than its window`).toBeLessThanOrEqual(window as number)
}
