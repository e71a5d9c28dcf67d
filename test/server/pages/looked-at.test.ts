import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { controlOf } from '../../../src/client/control.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { alarms } from '../../support/alarms.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { useBrowser } from './browser.ts'
import { askByPhone, JANE, makeSession, statusOf } from './session.ts'

// A prompt waits for somebody who looks at it, where time goes on by itself; here it goes when the test says so.

const time = alarms()
const bench = useBench({ time })
const browser = useBrowser()

const realtime = { clock: { mode: 'realtime', start: '2025-01-24T16:28:00' } }

/** In the default scenario a prompt is approved by itself after two seconds. */
const ask = (world: TestWorld) => askByPhone(bench, world)

async function look(world: TestWorld): Promise<string> {
  return (await fetch(`${world.baseUrl}/_mfano/handset/${JANE}/`)).text()
}

/** What the payment went through, in words, with the instants. */
async function transitions(world: TestWorld, id: string): Promise<{ at: string; text: string; to: string }[]> {
  const { story } = await world.control('GET', `/payments/${id}/explain`)
  return story.filter(({ station }: { station: string }) => station === 'transition')
}

/** Lets ring what is due about now, until the payment has ended. */
async function ended(world: TestWorld, id: string): Promise<void> {
  const status = async () => {
    time.pass(1)
    return (await world.control('GET', `/payments/${id}`)).status
  }
  await expect.poll(status).toBe('SUCCESS')
}

it('waits while the page of the phone is open, and ends as planned when it no longer is', async () => {
  const world = await bench.world(realtime)
  const id = await ask(world)
  expect(await look(world)).toContain('It waits for you while this page is open')
  for (let i = 0; i < 3; i++) {
    time.pass(40_000)
    expect(await look(world)).toContain('data-testid="prompt"')
  }
  const [prompt] = (await world.control('GET', `/handset/${JANE}`)).prompts
  expect(prompt).toMatchObject({ id, held: true, expiresAt: '2025-01-24T16:31:00.000000Z', otherwise: 'SUCCESS' })
  time.pass(60_000)
  await ended(world, id)
  expect((await transitions(world, id)).map(({ text }) => text)).toEqual([
    'It began as PENDING',
    'It stays PENDING: somebody has the phone with the prompt open, so it waits longer',
    'PENDING to SUCCESS: settle, as planned',
  ])
})

it('waits for ten minutes at most, whoever looks', async () => {
  const world = await bench.world(realtime)
  const id = await ask(world)
  await look(world)
  for (let i = 0; i < 19; i++) {
    time.pass(30_000)
    await look(world)
  }
  const [prompt] = (await world.control('GET', `/handset/${JANE}`)).prompts
  expect(prompt).toMatchObject({ id, expiresAt: expect.stringMatching(/^2025-01-24T16:38:00/) })
  time.pass(30_000)
  await ended(world, id)
})

it('waits in simulated time for as long as a person takes', async () => {
  const world = await bench.world({ clock: { mode: 'scaled', rate: 60, start: '2025-01-24T16:28:00' } })
  const id = await ask(world)
  await look(world)
  const [prompt] = (await world.control('GET', `/handset/${JANE}`)).prompts
  expect(prompt).toMatchObject({ id, expiresAt: '2025-01-24T17:28:00.000000Z' })
})

it('is repeated from a recording, because who looks comes in by the one door', async () => {
  const world = await bench.world({ ...realtime, record: true })
  const id = await ask(world)
  await look(world)
  time.pass(40_000)
  await look(world)
  time.pass(60_000)
  await ended(world, id)
  const capsule = await controlOf(world.baseUrl).open('GET', '/capsule')
  const file = join(folder(), 'looked-at.capsule')
  writeFileSync(file, new Uint8Array(await capsule.arrayBuffer()))
  expect(JSON.parse((await answer(['replay', file, '--json'])).out)).toMatchObject({ identical: true, differences: [] })
})

it('changes nothing where time stands, nor for a phone that was put away', async () => {
  const still = await bench.world()
  const untouched = await ask(still)
  expect(await look(still)).not.toContain('It waits for you')
  expect(await transitions(still, untouched)).toHaveLength(1)

  const world = await bench.world(realtime)
  const away = await ask(world)
  await world.control('POST', `/handset/${JANE}/${away}`, { answer: 'ignore' })
  await look(world)
  const [prompt] = (await world.control('GET', `/handset/${JANE}`)).prompts
  expect(prompt).toMatchObject({ ignored: true, held: false, expiresAt: expect.stringMatching(/^2025-01-24T16:29:00/) })
})

it('waits a little for a hand that moves on the checkout page, long enough to open the phone', async () => {
  const world = await bench.world(realtime)
  const session = await makeSession(bench, world, { customerPhone: `+${JANE}`, paymentMethods: ['MPESA_STK'] })
  const page = await (await browser()).newPage()
  await page.goto(session.checkoutUrl)
  await page.getByTestId('pay-MPESA_STK').click()
  await page
    .getByTestId('countdown')
    .filter({ hasText: /^0:0[0-3]$/ })
    .waitFor()
  await page.mouse.move(20, 20)
  await page.mouse.move(60, 60)
  await page.locator('[data-testid=countdown][data-left="20"]').waitFor()
  time.pass(15_000)
  expect(await statusOf(world, session)).toBe('REQUIRES_CUSTOMER_ACTION')
  const phone = await (await browser()).newPage()
  await phone.goto(`${world.baseUrl}/_mfano/handset/${JANE}/`)
  await phone.getByTestId('held').waitFor()
  await phone.getByTestId('cancel').click()
  await page.locator('[data-status=FAILED]').waitFor()
})
