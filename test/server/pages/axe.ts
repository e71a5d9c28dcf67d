import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** How a page is looked at, and which rules it is held to then, if not all. */
export interface Look extends BrowserContextOptions {
  only?: readonly string[]
}

/** The rules whose answer depends on colours and widths; the others ask how a page is made, which is one for all looks. */
export const OF_A_LOOK = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable']

/**
 * Has axe look at a page as it is now, and fails with what it finds serious. `only`: the rules that are asked, where the
 * rest is asked of the same page in another look.
 */
export async function expectAccessible(page: Page, only?: readonly string[]): Promise<void> {
  // What still fades in is harder to read than it will be; what never ends, such as a spinner, is as it is.
  await page.evaluate(() => {
    const passing = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    return Promise.allSettled(passing.map(({ finished }) => finished)).then(() => {})
  })
  // Run by the debugger, which a page's policy does not bind.
  await page.evaluate(source)
  // Each node that passes would be described, too.
  const options = { resultTypes: ['violations'], ...(only && { runOnly: only }) }
  const results = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults
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
