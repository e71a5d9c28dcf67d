import { describe, expect, it } from 'vitest'
import { makeSession, statusOf, submit } from '../../server/pages/session.ts'
import { bodies } from '../../support/bodies.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()

const JANE = '254711000100'
const PETER = '254711000101'

async function ask(world: TestWorld, phone = JANE, amount = 1500): Promise<string> {
  const asked = { ...bodies.stk(bench.receiver.url()), phoneNumber: phone, amount }
  const made = await world.post('/api/sandbox/v1/stk/new', asked)
  expect(made.status, made.text).toBe(201)
  return made.body.data.requestId
}

const phone = (world: TestWorld, number = JANE) => world.control('GET', `/handset/${number}`)
const answer = (world: TestWorld, prompt: string, body: object, number = JANE) =>
  world.raw('POST', `/_mfano/handset/${number}/${prompt}`, { body })
const record = async (world: TestWorld, id: string) => (await world.control('GET', `/payments/${id}`)).record

describe('a prompt', () => {
  it('is on the phone that it was sent to, however the number is written', async () => {
    const world = await bench.world({ scenario: 'handset' })
    const id = await ask(world)
    expect(await phone(world, '0711000100')).toEqual({
      phone: JANE,
      name: 'JANE WANJIKU MWANGI',
      network: 'MPESA',
      currency: 'KES',
      balance: 50_000,
      prompts: [
        {
          id,
          kind: 'stk',
          merchant: 'Example Merchant Ltd',
          amount: 1500,
          currency: 'KES',
          reference: 'ORDER1',
          description: 'Order 1',
          askedAt: expect.stringMatching(/^2025-01-24T16:28:00/),
          expiresAt: expect.stringMatching(/^2025-01-24T16:29:00/),
          otherwise: 'FAILED',
          ignored: false,
          held: false,
        },
      ],
      messages: [],
    })
    const { phones } = await world.control('GET', '/handset')
    expect(phones).toMatchObject([{ phone: JANE, prompts: 1, messages: 0 }])
  })

  it('is approved: the merchant is told, the balance is less, and the network sends a receipt', async () => {
    const world = await bench.world({ scenario: 'handset' })
    const id = await ask(world)
    const { body } = await answer(world, id, { answer: 'approve', pin: '1234' })
    expect(body).toMatchObject({ balance: 48_500, prompts: [] })
    expect(body.messages).toMatchObject([
      {
        from: 'MPESA',
        payment: id,
        text: expect.stringMatching(
          /^S[0-9A-Z]{9} Confirmed\. Ksh1,500\.00 paid to EXAMPLE MERCHANT LTD\. on 24\/1\/25 at 7:28 PM\. New M-PESA balance is Ksh48,500\.00\.$/,
        ),
      },
    ])
    await world.advance('2m')
    expect(bench.receiver.at('/callback')).toMatchObject([{ requestId: id, status: 'SUCCESS' }])
    expect(await world.available()).toBe(1_001_500)
  })

  for (const [reply, code] of [
    [{ answer: 'cancel' }, 1032],
    [{ answer: 'wrong-pin' }, 2001],
    [{ answer: 'approve', pin: '0000' }, 2001],
  ] as const) {
    it(`fails with ${code} on ${JSON.stringify(reply)}, in a scenario that would have approved it too`, async () => {
      const world = await bench.world()
      const id = await ask(world)
      expect((await answer(world, id, reply)).status).toBe(200)
      expect(await record(world, id)).toMatchObject({ status: 'FAILED', responseCode: code })
      await world.advance('5m')
      expect(bench.receiver.at('/callback')).toMatchObject([{ status: 'FAILED' }])
    })
  }

  it('asks for more than the phone holds: code 1', async () => {
    const world = await bench.world({ scenario: 'handset' })
    const id = await ask(world, PETER, 21)
    const { body } = await answer(world, id, { answer: 'approve' }, PETER)
    expect(await record(world, id)).toMatchObject({ status: 'FAILED', responseCode: 1 })
    expect(body.messages[0].text).toContain('You do not have enough money')
    const affordable = await ask(world, PETER, 20)
    expect((await answer(world, affordable, { answer: 'approve' }, PETER)).body.balance).toBe(0)
  })

  it('is put aside, and times out a minute after it came, whatever was planned', async () => {
    const world = await bench.world()
    const id = await ask(world)
    await world.advance('2s')
    expect((await answer(world, id, { answer: 'ignore' })).body.prompts).toMatchObject([{ ignored: true }])
    await world.advance('57s')
    expect(await record(world, id)).toMatchObject({ status: 'PENDING' })
    await world.advance('2s')
    expect(await record(world, id)).toMatchObject({ status: 'FAILED', responseCode: 1037 })
    const { timeline } = await world.control('GET', `/payments/${id}`)
    expect(timeline.happened.map(({ event, by }: Record<string, string>) => `${event} by ${by}`)).toEqual([
      'open by request',
      'ignore by payer',
      'unanswered by plan',
    ])
  })

  it('is taken up again after it was put aside', async () => {
    const world = await bench.world()
    const id = await ask(world)
    await answer(world, id, { answer: 'ignore' })
    await world.advance('30s')
    await answer(world, id, { answer: 'approve' })
    await world.advance('5m')
    expect(await record(world, id)).toMatchObject({ status: 'SUCCESS' })
    expect(bench.receiver.at('/callback')).toHaveLength(1)
  })

  it('is answered once, on its own phone, with an answer that there is', async () => {
    const world = await bench.world({ scenario: 'handset' })
    const id = await ask(world)
    const wrong = [
      [await answer(world, id, { answer: 'approve' }, PETER), 409, 'asks for nothing on this phone'],
      [await answer(world, 'none', { answer: 'approve' }), 404, `shows ${id}`],
      [await answer(world, id, { answer: 'yes' }), 400, 'answer'],
      [await answer(world, id, { answer: 'approve', pin: '12' }), 400, 'four digits'],
      [await answer(world, id, { answer: 'cancel', pin: '1234' }), 400, 'pin: only'],
      [await answer(world, id, { answer: 'approve' }, 'nobody'), 400, 'must be a phone number'],
    ] as const
    for (const [{ status, text }, expected, words] of wrong) {
      expect([status, text]).toEqual([expected, expect.stringContaining(words)])
    }
    expect(await record(world, id)).toMatchObject({ status: 'PENDING' })
    await answer(world, id, { answer: 'approve' })
    expect((await answer(world, id, { answer: 'cancel' })).status).toBe(409)
    expect(await record(world, id)).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('money', () => {
  it('that is paid out arrives on the phone, and goes when it is taken back', async () => {
    const world = await bench.world({
      scenario: {
        name: 'pin-of-its-own',
        description: 'A listed holder',
        directory: { subscribers: [{ phone: '254722000409', name: 'AMINA', balance: 100, pin: '9876' }] },
      },
    })
    const amina = '254722000409'
    await bench.pay(world, { phoneNumber: amina, amount: 250.5, currencyCode: 'KSH' })
    await world.advance('1m')
    const rich = await phone(world, amina)
    expect(rich).toMatchObject({ name: 'AMINA', balance: 350.5 })
    expect(rich.messages[0].text).toContain('You have received Ksh250.50 from EXAMPLE MERCHANT LTD')
    await world.advance('3d')
    const poor = await phone(world, amina)
    expect(poor.balance).toBe(100)
    expect(poor.messages[0].text).toContain('was reversed')
    world.logout()
    const id = await ask(world, amina, 50)
    await answer(world, id, { answer: 'approve', pin: '9876' }, amina)
    expect((await phone(world, amina)).balance).toBe(50)
  })

  it('is plenty where nobody lists the phone', async () => {
    const world = await bench.world()
    expect(await phone(world, '254799123456')).toMatchObject({ balance: null, prompts: [], messages: [] })
  })
})

describe('a checkout session', () => {
  const pay = { customerPhone: `+${JANE}` }

  it('waits for the phone, and is paid when it says yes', async () => {
    const world = await bench.world({ scenario: 'handset' })
    const session = await makeSession(bench, world, pay)
    expect((await submit(session, { action: 'pay', method: 'MPESA_STK' })).status).toBe(303)
    await world.advance('20s')
    const { prompts } = await phone(world)
    expect(prompts).toMatchObject([{ id: session.id, kind: 'checkout', reference: 'ORDER-12345', otherwise: 'FAILED' }])
    await answer(world, session.id, { answer: 'approve' })
    expect(await statusOf(world, session)).toBe('PROCESSING')
    await world.advance('1m')
    expect(await statusOf(world, session)).toBe('SUCCEEDED')
    expect(await phone(world)).toMatchObject({ balance: 48_500, prompts: [] })
  })

  it('fails when the prompt is cancelled, ignored, or never answered', async () => {
    const world = await bench.world({ scenario: 'handset' })
    const sessions = [
      await makeSession(bench, world, pay),
      await makeSession(bench, world, pay),
      await makeSession(bench, world, pay),
    ] as const
    for (const session of sessions) await submit(session, { action: 'pay', method: 'MPESA_STK' })
    await answer(world, sessions[0].id, { answer: 'cancel' })
    expect(await statusOf(world, sessions[0])).toBe('FAILED')
    await answer(world, sessions[1].id, { answer: 'ignore' })
    await world.advance('59s')
    expect(await statusOf(world, sessions[1])).toBe('REQUIRES_CUSTOMER_ACTION')
    await world.advance('2s')
    for (const session of sessions) expect(await statusOf(world, session)).toBe('FAILED')
    expect(bench.receiver.at('/callback')).toHaveLength(3)
  })
})
