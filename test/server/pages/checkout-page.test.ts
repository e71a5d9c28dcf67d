import { expect, it } from 'vitest'
import { assuming } from '../../support/contract.ts'
import { useBench } from '../../support/harness.ts'
import { byCard, makeSession, statusOf, submit } from './session.ts'

const bench = useBench()

it('is a page that loads nothing, runs its own script and cannot be framed', async () => {
  const world = await bench.world()
  const page = await fetch((await makeSession(bench, world)).checkoutUrl)
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; script-src 'sha256-[\w+/=]{44}'; connect-src 'self'; form-action 'self' http: https:; frame-ancestors 'none'; base-uri 'none'$/,
    ),
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=UTF-8',
  })
  expect(await page.text()).not.toMatch(/src=|href="(?!\.\.|https?:)|onclick|\bstyle="/)
})

it('offers the methods of the session and takes no other', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world, { paymentMethods: ['MPESA_STK'] })
  const page = await (await fetch(session.checkoutUrl)).text()
  expect(page).toContain('data-testid="pay-MPESA_STK"')
  expect(page).not.toContain('data-testid="pay-CARD"')

  const forms: Record<string, string>[] = [
    { action: 'pay', method: 'CARD' },
    { action: 'pay', method: 'SUCCEED' },
    { action: 'pay' },
    { action: 'expire' },
    {},
  ]
  for (const form of forms) {
    const answer = await submit(session, form)
    expect(answer.status, JSON.stringify(form)).toBe(400)
    expect(await answer.text()).toContain('not a way to pay')
  }
  expect(await statusOf(world, session)).toBe('PENDING')
})

it('takes no payment from a page of another site', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  const strangers: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://evil.example' },
    { origin: 'null' },
  ]
  for (const headers of strangers) {
    expect((await submit(session, byCard, headers)).status).toBe(403)
    expect((await submit(session, { action: 'cancel' }, headers)).status).toBe(403)
  }
  expect(await statusOf(world, session)).toBe('PENDING')
  const own = await submit(session, byCard, { origin: new URL(world.baseUrl).origin })
  expect([own.status, own.headers.get('location')]).toEqual([303, session.checkoutUrl.split('/').pop()])
})

it('cancels no payment that is under way', async () => {
  for (const cancelling of ['stays-pending', 'fails']) {
    const world = await bench.world(assuming({ 'checkout-cancel': cancelling }))
    const session = await makeSession(bench, world)
    await submit(session, byCard)
    const answer = await submit(session, { action: 'cancel' })
    expect(answer.status).toBe(409)
    expect(await answer.text()).toContain('already under way')
    expect(await statusOf(world, session)).toBe('PROCESSING')
  }
})

it('cannot pay what is over', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  await world.advance('31m')
  world.logout()
  const late = await submit(session, byCard)
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('can no longer be paid')

  const paid = await makeSession(bench, world)
  await submit(paid, byCard)
  await world.advance('1m')
  const again = await submit(paid, byCard)
  expect(again.status).toBe(409)
  expect(await again.text()).toContain('already paid')
})

it('knows only the sessions of its own world', async () => {
  const [world, other] = [await bench.world(), await bench.world({ seed: 99 })]
  const session = await makeSession(bench, world)
  for (const address of [
    session.checkoutUrl.replace(world.baseUrl, other.baseUrl),
    `${session.checkoutUrl.slice(0, -1)}_`,
    `${world.baseUrl}/session/chk_`,
    `${world.baseUrl}/session/..%2f..%2fapi`,
  ]) {
    const answer = await fetch(address)
    expect([address, answer.status]).toEqual([address, 404])
    expect(await answer.text()).toContain('No such checkout session')
    expect((await fetch(address, { method: 'POST' })).status).toBe(404)
  }
})

it('leads on an address with letters beyond ASCII', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world, { cancelUrl: 'https://merchant.example/ghairi/ñandú?x=ä' })
  const answer = await submit(session, { action: 'cancel' })
  expect(answer.headers.get('location')).toBe('https://merchant.example/ghairi/%C3%B1and%C3%BA?x=%C3%A4')
})

// Who pays decides how it ends: the phone that is asked on the page, and nobody whom the request of the merchant named.

const MPESA = 'MPESA_STK'
const poor = '254712000402'
/** Listed by the default scenario, with 20 shillings. */
const peter = '254711000101'

it.each([
  ['a phone without money, typed on the page', {}, { method: MPESA, phoneNumber: '0712000402' }, 'FAILED'],
  ['a phone that holds less, typed on the page', {}, { method: MPESA, phoneNumber: peter }, 'FAILED'],
  ['a phone that holds enough', { amount: 20 }, { method: MPESA, phoneNumber: peter }, 'SUCCEEDED'],
  ['the phone of the request, which has no money', { customerPhone: `+${poor}` }, { method: MPESA }, 'FAILED'],
  [
    'another phone than that of the request',
    { customerPhone: `+${poor}` },
    { method: MPESA, phoneNumber: '0711000100' },
    'SUCCEEDED',
  ],
  ['a card, whatever phone the request names', { customerPhone: `+${poor}` }, { method: 'CARD' }, 'SUCCEEDED'],
])('is paid by %s', async (_name, asked, by, end) => {
  const world = await bench.world()
  const session = await makeSession(bench, world, asked)
  const before = await world.available()
  await world.control('POST', `/checkout/${session.id}/pay`, by)
  await world.advance('10s')
  expect(await statusOf(world, session)).toBe(end)
  if (end === 'SUCCEEDED') return
  expect(await world.available()).toBe(before)
  expect(bench.receiver.at('/callback')).toMatchObject([{ id: session.id, status: 'FAILED' }])
  const { reason } = await world.control('GET', `/payments/${session.id}`)
  expect(reason).toMatchObject({ code: 'insufficient-funds', says: 'There is too little money for it' })
})

it('has no money left where it paid before', async () => {
  const world = await bench.world()
  for (const end of ['SUCCEEDED', 'FAILED']) {
    const session = await makeSession(bench, world, { amount: 15 })
    await world.control('POST', `/checkout/${session.id}/pay`, { method: MPESA, phoneNumber: peter })
    await world.advance('10s')
    expect(await statusOf(world, session)).toBe(end)
  }
})
