/** How long somebody waits for the dashboard's list of payments, and how it scrolls. */
import { type Browser, chromium } from 'playwright-core'
import { FLAGS } from '../server/pages/browser.ts'
import { findChromium } from '../support/chromium.ts'
import { filled } from './filled.ts'
import { type Benchmark, count, median, startMfano } from './kit.ts'

const SCROLL_MS = 4_000

export const dashboard: Benchmark = async ({ quick }) => {
  const [rounds, payments] = quick ? [3, 10_000] : [10, 100_000]
  const found = findChromium()
  if (!found) throw new Error('There is no Chromium here. Install one, or name one: CHROMIUM=…')
  const service = await startMfano(await filled(payments))
  const browser = await chromium.launch({ ...found, env: { ...process.env, ...found.env }, args: FLAGS })
  const shownMs: number[] = []
  let perSecond = 0
  for (let round = 0; round <= rounds; round++) {
    const seen = await look(browser, service.url('/_mfano/#/payments'), round === rounds)
    // The first of a process loads what the others find there.
    if (round > 0) shownMs.push(seen.shownMs)
    perSecond = seen.perSecond
  }
  await browser.close()
  await service.stop()
  return [
    {
      what: `the dashboard shows its list of ${count(payments)} payments · frames while it scrolls`,
      ours: `${median(shownMs).toFixed(0)} ms · ${perSecond.toFixed(0)}/s`,
      figures: [
        { value: median(shownMs), unit: ' ms', most: 1_000 },
        { value: perSecond, unit: '/s', least: 59 },
      ],
      how: `in headless Chromium, from the start of the navigation until the first row is drawn, nothing cached, ${rounds} times; then ${SCROLL_MS / 1000} s of scrolling`,
    },
  ]
}

async function look(browser: Browser, url: string, scrolled: boolean): Promise<{ shownMs: number; perSecond: number }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(url)
  const shownMs = await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    while (!document.querySelector('[data-testid=row]')) await frame()
    // Drawn by the next one.
    await frame()
    return performance.now()
  })
  const perSecond = scrolled ? await page.evaluate(framesWhileScrolling, SCROLL_MS) : 0
  await page.close()
  return { shownMs, perSecond }
}

/** In the page. */
async function framesWhileScrolling(forMs: number): Promise<number> {
  const table = document.querySelector('[role=table]')
  const beganMs = performance.now()
  let frames = 0
  for (; performance.now() - beganMs < forMs; frames++) {
    table?.scrollBy(0, 60)
    await new Promise(requestAnimationFrame)
  }
  if (!table?.scrollTop) throw new Error('Nothing was scrolled')
  return (frames * 1000) / (performance.now() - beganMs)
}
