import { describe, expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { dump } from '../../support/inside.ts'
import { EventReader } from '../../support/stream.ts'
import { useBrowser } from './browser.ts'
import { byCard, fillCard, makeSession, openSession, statusOf, submit } from './session.ts'

const bench = useBench()
const browser = useBrowser()

describe('the card form', () => {
  it('marks what is wrong, and gives back everything but the code', async () => {
    const world = await bench.world()
    const session = await makeSession(bench, world)
    const wrong = { ...byCard, number: '4242 4242 4242 4241', expiry: '12/24', name: 'Asha <b>' }
    const answer = await submit(session, wrong)
    const page = await answer.text()
    expect(answer.status).toBe(422)
    expect(page).toContain('This is no card number')
    expect(page).toContain('This card has expired.')
    expect(page).toContain('value="Asha &lt;b&gt;"')
    expect(page).toContain('value="12/24"')
    expect(page).toContain('value="4242 4242 4242 4241"')
    expect(page).not.toContain('value="123"')
    expect(await statusOf(world, session)).toBe('PENDING')
  })

  it('is filled in by keyboard alone', async () => {
    const { world, page } = await openSession(bench, browser, { changes: { paymentMethods: ['CARD'] } })
    await page.keyboard.press('Tab')
    await page.keyboard.type('4242424242424242')
    await page.keyboard.press('Tab')
    await page.keyboard.type('830')
    await page.keyboard.press('Tab')
    await page.keyboard.type('123')
    await page.keyboard.press('Enter')
    await page.locator('[data-status=PROCESSING]').waitFor()
    await page
      .getByTestId('paid-with')
      .filter({ hasText: /^Visa ending in 4242$/ })
      .waitFor()
    await world.advance('5s')
    await page.waitForURL(/\/success/)
  })
})

describe('a card for tests', () => {
  for (const [number, words] of [
    ['4000 0000 0000 0002', 'The bank declined the card.'],
    ['4000 0000 0000 9995', 'too little money'],
    ['4000 0000 0000 0069', 'the card has expired'],
  ] as const) {
    it(`${number}: ${words}`, async () => {
      const world = await bench.world()
      const session = await makeSession(bench, world)
      await submit(session, { ...byCard, number })
      await world.advance('5s')
      const page = await (await fetch(session.checkoutUrl)).text()
      expect(page).toContain(words)
      expect(page).toContain('Nothing was taken')
      expect(await world.available()).toBe(1_000_000)
      expect(bench.receiver.at('/callback')).toMatchObject([{ status: 'FAILED' }])
    })
  }
})

describe('3-D Secure', () => {
  const challenged = { ...byCard, number: '4000 0000 0000 3220' }

  it('is approved or refused on the page, without a script too', async () => {
    const world = await bench.world()
    for (const [answer, end] of [
      ['approve', 'SUCCEEDED'],
      ['refuse', 'FAILED'],
    ]) {
      const session = await makeSession(bench, world)
      const page = await (await browser({ javaScriptEnabled: false })).newPage()
      await page.goto(session.checkoutUrl)
      await fillCard(page, challenged.number)
      await page.getByTestId('pay-CARD').click()
      await page.locator('[data-status=REQUIRES_CUSTOMER_ACTION]').waitFor()
      await page.getByTestId(`challenge-${answer}`).click()
      await page.locator('[data-status=REQUIRES_CUSTOMER_ACTION]').waitFor({ state: 'detached' })
      await world.advance('5s')
      expect(await statusOf(world, session)).toBe(end)
    }
    expect(await world.available()).toBe(1_001_500)
  })

  it('left alone, runs out with the session', async () => {
    const world = await bench.world()
    const session = await makeSession(bench, world)
    await world.advance('10m')
    world.logout()
    await submit(session, challenged)
    await world.advance('19m')
    world.logout()
    expect(await statusOf(world, session)).toBe('REQUIRES_CUSTOMER_ACTION')
    await world.advance('2m')
    expect(await statusOf(world, session)).toBe('EXPIRED')
    expect((await submit(session, { action: 'challenge', answer: 'approve' })).status).toBe(409)
  })

  it('cannot be answered where nobody asked', async () => {
    const world = await bench.world()
    const session = await makeSession(bench, world, { customerPhone: '+254711000100' })
    await submit(session, { action: 'pay', method: 'MPESA_STK' })
    expect((await submit(session, { action: 'challenge', answer: 'approve' })).status).toBe(409)
    expect(await statusOf(world, session)).toBe('REQUIRES_CUSTOMER_ACTION')
  })
})

describe('without a browser', () => {
  const path = (session: { id: string }, what: string) => `/_mfano/checkout/${session.id}/${what}`

  it('pays, is challenged, cancels and expires', async () => {
    const world = await bench.world()
    const make = () => makeSession(bench, world, { customerPhone: '+254711000100' })
    const card = { number: '4000000000003220', expiry: '08/30', cvc: '123' }
    for (const [body, end] of [
      [{ method: 'CARD' }, 'SUCCEEDED'],
      [{ method: 'MPESA_STK' }, 'SUCCEEDED'],
      [{ method: 'CARD', card, challenge: 'approve' }, 'SUCCEEDED'],
      [{ method: 'CARD', card, challenge: 'refuse' }, 'FAILED'],
      [{ method: 'CARD', card, challenge: 'abandon' }, 'REQUIRES_CUSTOMER_ACTION'],
    ] as const) {
      const session = await make()
      const paid = await world.raw('POST', path(session, 'pay'), { body })
      expect(paid.status, paid.text).toBe(200)
      expect(paid.body).toMatchObject({ uuid: session.id, checkoutUrl: session.checkoutUrl })
      await world.advance('10s')
      expect(await statusOf(world, session), JSON.stringify(body)).toBe(end)
      expect((await world.raw('POST', path(session, 'pay'), { body })).status).toBe(409)
    }
    const left = await make()
    const token = left.checkoutUrl.split('/').pop() as string
    expect((await world.raw('POST', path({ id: token }, 'cancel'))).body).toMatchObject({ status: 'PENDING' })
    expect(
      (await world.raw('POST', `/_mfano/payments/${left.id}/resolve`, { body: { status: 'EXPIRED' } })).body,
    ).toMatchObject({ status: 'EXPIRED' })
    expect((await world.raw('POST', path(left, 'cancel'))).status).toBe(409)
  })

  it('says which field is wrong, and pays nothing', async () => {
    const world = await bench.world()
    const session = await makeSession(bench, world, { paymentMethods: ['CARD'] })
    for (const [body, words] of [
      [{ method: 'CARD', card: { number: '4242', expiry: '01/20', cvc: '' } }, 'card.expiry: This card has expired.'],
      [{ method: 'CARD', challenge: 'approve' }, 'only a card with the outcome challenge'],
      [{ method: 'MPESA_STK' }, 'phoneNumber: Enter'],
      [{ method: 'MPESA_STK', phoneNumber: '0711000100' }, 'expected CARD, got \\"MPESA_STK\\"'],
      [{ method: 'CASH' }, 'method'],
    ] as const) {
      const answer = await world.raw('POST', path(session, 'pay'), { body })
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)])
    }
    expect(await statusOf(world, session)).toBe('PENDING')
  })
})

it('keeps nothing of a card but its brand and last four digits', async () => {
  const world = await bench.world()
  const session = await makeSession(bench, world)
  const secret = { ...byCard, number: '4111 1111 1111 1111', cvc: '987' }
  await submit(session, { ...secret, expiry: '12/20' })
  await submit(session, secret)
  const other = await makeSession(bench, world)
  await world.control('POST', `/checkout/${other.id}/pay`, {
    method: 'CARD',
    card: { number: '4111111111111111', expiry: '08/30', cvc: '987' },
  })
  await world.advance('1m')
  const events = await EventReader.open(`${world.baseUrl}/_mfano/events?recent=1000`)
  const told = JSON.stringify(await events.take(world.inside.feed.newest))
  events.close()
  const explained = await world.control('GET', `/payments/${session.id}/explain`)
  expect(JSON.stringify(explained)).toContain('with a Visa that ends in 1111')
  const kept = JSON.stringify([dump(world.inside), explained, told, bench.receiver.received])
  expect(told).toContain(session.id)
  expect(kept).toContain('Visa')
  expect(kept).not.toMatch(/4111 ?1111 ?1111|\b987\b/)
})
