import { expect, it } from 'vitest'
import { refusalCodes } from '../../../src/core/model/refusal.ts'
import { assumptions } from '../../../src/service/assumed/assumptions.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { assuming } from '../../support/contract.ts'
import { useBench } from '../../support/harness.ts'
import { useBrowser } from './browser.ts'

const bench = useBench()
const browser = useBrowser()

it('shows every operation, error and assumption of the contract', async () => {
  const world = await bench.world()
  const { text, headers } = await world.raw('GET', '/docs')
  for (const { id, only } of paymentsService.operations)
    expect(text.includes(`<article class="operation" id="${id}">`), id).toBe(!only)
  for (const code of refusalCodes) expect(text.includes(`<code>${code}</code>`), code).toBe(true)
  for (const id of Object.keys(assumptions)) expect(text.includes(`id="assumption-${id}"`), id).toBe(true)
  // Told by a flag, because a page of this size is no help in a report.
  expect(text.includes(`curl &#39;${world.baseUrl}/api/sandbox/v1/send-money/single?requestId=`)).toBe(true)
  expect(/<script|src=|\bstyle="/.test(text)).toBe(false)
  expect(headers.get('content-security-policy')).toContain("form-action 'none'")
})

it('shows the world as its scenario has it', async () => {
  const world = await bench.world(assuming({ 'refresh-token': 'on', 'error-body': 'flat' }))
  const { text } = await world.raw('GET', '/docs')
  for (const expected of [
    'id="refreshToken"',
    'Here because assumption refresh-token is on.',
    '<div class="chosen">flat</div>',
    '&quot;statusCode&quot;: &quot;400&quot;',
  ]) {
    expect(text.includes(expected), expected).toBe(true)
  }
})

it('leads from a base URL to the docs, with or without a world in it', async () => {
  const world = await bench.world()
  for (const address of [world.baseUrl, `${world.baseUrl}/`, bench.simulator.baseUrl]) {
    const answer = await fetch(address, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      `${new URL(address).pathname.replace(/\/$/, '')}/docs`,
    ])
  }
  const icon = await fetch(`${bench.simulator.baseUrl}/favicon.ico`)
  expect(icon.headers.get('content-type')).toBe('image/svg+xml')
})

it('can be read on a small screen, with links that lead somewhere', async () => {
  const world = await bench.world()
  const page = await (await browser({ viewport: { width: 360, height: 800 } })).newPage()
  const blocked: string[] = []
  page.on('console', (message) => blocked.push(message.text()))
  await page.goto(`${world.baseUrl}/docs`)
  const dead = await page.evaluate(() => {
    for (const more of document.querySelectorAll('details')) more.open = true
    return [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')]
      .map((link) => link.hash.slice(1))
      .filter((id) => document.getElementById(id) === null)
  })
  expect(dead).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  expect(blocked).toEqual([])
})
