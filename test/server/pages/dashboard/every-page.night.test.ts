import { get, type IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { needsProcess } from '../../../support/needs.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('is found by its menu, also on a small screen', async () => {
  const world = await bench.world()
  const page = await open(world, '/', { viewport: { width: 360, height: 780 } })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Worlds' }).click()
  await page.getByRole('heading', { level: 1, name: 'Worlds' }).waitFor()
})

it('shows where the focus is, and moves nothing for those who want no motion', async () => {
  const page = await open(await bench.world(), '/worlds', { reducedMotion: 'reduce' })
  const styleOf = (name: 'outlineStyle' | 'transitionDuration') =>
    page.evaluate((key) => getComputedStyle(document.activeElement as Element)[key], name)
  for (const [role, name] of [
    ['link', 'Overview'],
    ['button', 'Create world'],
    ['button', /^Actions of/],
  ] as const) {
    await page.getByRole(role, { name }).first().focus()
    // By the keyboard, because a click shows no ring.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await styleOf('outlineStyle'), String(name)).toBe('solid')
    expect(await styleOf('transitionDuration'), String(name)).toBe('0s')
  }
})

it('loads less than 300 kB at first, compressed', async () => {
  const world = await bench.world()
  const index = await world.raw('GET', '/_mfano/', { headers: { accept: 'text/html' } })
  const files = [...index.text.matchAll(/(?:src|href)="\.\/(app\/[^"]+)"/g)].map(([, file]) => file as string)
  expect(files.length).toBeGreaterThanOrEqual(2)
  let sizes = gzipSync(index.text).length
  for (const file of files) {
    const response = await fetch(`${world.baseUrl}/_mfano/${file}`, { headers: { 'accept-encoding': 'identity' } })
    sizes += gzipSync(Buffer.from(await response.arrayBuffer())).length
  }
  expect(sizes).toBeLessThan(300_000)
})

it('sends its files compressed, and for ever', async (context) => {
  needsProcess('compression', context)
  const world = await bench.world()
  const index = await world.raw('GET', '/_mfano/', { headers: { accept: 'text/html' } })
  const [, file = ''] = /src="\.\/(app\/[^"]+\.js)"/.exec(index.text) ?? []
  // By hand, because fetch unpacks what it gets, and says nothing of it.
  const { headers } = await new Promise<IncomingMessage>((resolve) =>
    get(`${world.baseUrl}/_mfano/${file}`, { headers: { 'accept-encoding': 'gzip, br' } }, (response) => {
      response.resume()
      resolve(response)
    }),
  )
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/javascript; charset=utf-8' })
  expect(headers['cache-control']).toContain('immutable')
  expect((await world.raw('GET', '/_mfano/app/../../package.json')).status).toBe(404)
  expect((await world.raw('GET', '/_mfano/app/..%2Findex.html')).status).toBe(404)
})

it('gives a program at the same address the list of what there is', async () => {
  const world = await bench.world()
  const answer = await world.raw('GET', '/_mfano/')
  expect(answer.body.operations).toContain('GET /_mfano/clock')
})
