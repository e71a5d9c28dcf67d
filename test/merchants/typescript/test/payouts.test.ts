/** Riders, fuel, spare parts and rent: money goes out once, whatever happens on the way. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { testMizigo } from './mizigo.ts'

describe('payouts', { concurrency: true }, () => {
  testMizigo('end to end: phone, till, paybill and bank, each in a world of its own', {}, async (mizigo) => {
    await mizigo.payOut()
    await mizigo.payOut({ name: 'fuel', way: 'till', amount: 4500.5, businessNumber: '600123' })
    await mizigo.payOut({ name: 'parts', way: 'paybill', amount: 800, businessNumber: '888880', accountNumber: 'MZ7' })
    const to = { bankCode: '0068', creditAccountNumber: '0187654321', beneficiaryName: 'Umoja Properties' }
    assert.equal((await mizigo.payOut({ name: 'rent', way: 'bank', amount: 25_000, ...to })).state, 'pending')

    await mizigo.settle()

    for (const reference of ['asha-january-1', 'fuel-1', 'parts-1', 'rent-1'])
      assert.equal((await mizigo.payment(reference)).state, 'paid', reference)
    assert.equal(await mizigo.world.available(), 1_000_000 - 1000 - 4500.5 - 800 - 25_000)
    assert.deepEqual(await mizigo.tasks(), [])
  })

  for (const amount of [700, 900])
    testMizigo(`a world for every test: the same reference, and no other payout than ${amount}`, {}, async (mizigo) => {
      await mizigo.payOut({ amount })
      await mizigo.settle()
      const { payments: made } = await mizigo.world.payment.list()
      assert.deepEqual(
        made.map(({ referenceId }) => referenceId),
        ['asha-january-1'],
      )
      assert.equal(await mizigo.world.available(), 1_000_000 - amount)
    })

  testMizigo('frozen time: a slow payout is pending for as long as the test likes', {}, async (mizigo) => {
    const { reference } = await mizigo.payOut({ phoneNumber: '254712000202' })
    await mizigo.pass('4m59s')
    assert.equal((await mizigo.payment(reference)).state, 'pending')
    await mizigo.pass('1s')
    assert.equal((await mizigo.payment(reference)).state, 'paid')
  })

  testMizigo('the same payout asked for twice is one', {}, async (mizigo) => {
    await Promise.all([mizigo.payOut(), mizigo.payOut()])
    await mizigo.settle()
    assert.equal(await mizigo.timesAsked(), 1)
  })

  testMizigo(
    'executed, but answered 503: looked up, and not paid again',
    { scenario: 'executed-but-503', parameters: { every: 1 } },
    async (mizigo) => {
      const payout = await mizigo.payOut()
      assert.equal(payout.state, 'asked')
      assert.match(payout.note ?? '', /answered 503/)

      await mizigo.pass('5s')

      assert.equal((await mizigo.payment(payout.reference)).state, 'paid')
      assert.equal(await mizigo.timesAsked(), 1)
    },
  )

  testMizigo(
    'a time-out with an unknown outcome: looked up, and not paid again',
    { scenario: 'payout-times-out' },
    async (mizigo) => {
      const asked = mizigo.payOut()
      await mizigo.world.waitFor('payment', { referenceId: 'asha-january-1' })
      mizigo.clock.timeOut()
      const payout = await asked
      assert.equal(payout.state, 'asked')
      assert.equal(payout.requestId, null)

      await mizigo.settle()

      assert.equal((await mizigo.payment(payout.reference)).state, 'paid')
      assert.equal(await mizigo.timesAsked(), 1)
    },
  )

  testMizigo(
    'an answer that breaks off: looked up, and those behind are paid in time',
    { scenario: 'answer-breaks-off', parameters: { payout: 1 } },
    async (mizigo) => {
      await mizigo.payOut()
      await mizigo.payOut({ name: 'baraka-january' })
      await mizigo.settle()
      assert.equal((await mizigo.payment('asha-january-1')).state, 'paid')
      assert.equal((await mizigo.payment('baraka-january-1')).state, 'paid')
      assert.equal(await mizigo.timesAsked(), 2)
    },
  )

  const lost = {
    name: 'lost',
    description: 'Every payout is made, and its answer is lost.',
    rules: [{ name: 'lost', on: 'send-money', then: { after: '2s', end: 'SUCCESS', answer: 'lost' } }],
  }
  testMizigo(
    'a power cut before the answer came: looked up, and not paid again',
    { scenario: lost },
    async (mizigo) => {
      const { reference } = await mizigo.payOut()
      await mizigo.restart()
      await mizigo.settle()
      assert.equal((await mizigo.payment(reference)).state, 'paid')
      assert.equal(await mizigo.timesAsked(), 1)
    },
  )

  const outage = {
    name: 'outage',
    description: 'The first payout is refused with 503, and not made.',
    rules: [{ name: 'down', on: 'send-money', nth: 1, then: { refuse: { code: 'SERVICE_UNAVAILABLE' } } }],
  }
  testMizigo(
    'a 503 that was none: asked for again, when it has been in no record for ten minutes',
    { scenario: outage },
    async (mizigo) => {
      const { reference } = await mizigo.payOut()
      await mizigo.pass('9m')
      assert.equal((await mizigo.payment(reference)).state, 'asked')
      assert.equal(await mizigo.timesAsked(), 1)

      await mizigo.pass('1m')
      await mizigo.settle()

      assert.equal((await mizigo.payment(reference)).state, 'paid')
      assert.equal(await mizigo.timesAsked(), 2)
    },
  )

  const revoked = {
    name: 'revoked',
    description: 'All tokens are worthless when the third payout comes.',
    faults: [{ name: 'revoked', on: 'createSendMoney', nth: 3, then: { revokeTokens: true } }],
  }
  testMizigo(
    'a token expired in the middle of a batch: everybody is paid once',
    { scenario: revoked },
    async (mizigo) => {
      const riders = ['asha', 'baraka', 'chiku', 'daudi', 'eshe']
      for (const name of riders)
        await mizigo.ask('POST', '/payouts', { name, way: 'phone', amount: 500, phoneNumber: '254712345678' })
      await mizigo.app.work()
      await mizigo.settle()

      for (const name of riders) assert.equal((await mizigo.payment(`${name}-1`)).state, 'paid', name)
      const { requests: refused } = await mizigo.world.requests.list({ status: 401 })
      assert.deepEqual(
        refused.map(({ operation }) => operation),
        ['createSendMoney'],
      )
      assert.equal((await mizigo.world.requests.list({ operation: 'getToken' })).requests.length, 2)
    },
  )

  testMizigo('a token is renewed before it is too old', {}, async (mizigo) => {
    await mizigo.payOut()
    await mizigo.pass('4m45s')
    await mizigo.payOut({ name: 'baraka-january' })
    await mizigo.settle()
    assert.deepEqual((await mizigo.world.requests.list({ status: 401 })).requests, [])
    assert.equal((await mizigo.world.requests.list({ operation: 'getToken' })).requests.length, 2)
  })

  testMizigo('no token to be had: paid when there is one', { scenario: 'login-down' }, async (mizigo) => {
    const { reference, state } = await mizigo.payOut()
    assert.equal(state, 'due')
    await mizigo.pass('1m')
    await mizigo.pass('1m')
    await mizigo.settle()
    assert.equal((await mizigo.payment(reference)).state, 'paid')
  })

  testMizigo(
    'a name mismatch: a person reads why, corrects it, and it is paid',
    { scenario: 'bank-name-mismatch' },
    async (mizigo) => {
      const to = { bankCode: '0068', creditAccountNumber: '0123456789', beneficiaryName: 'Jane Kamau' }
      await mizigo.payOut({ name: 'rent', way: 'bank', amount: 25_000, ...to })
      await mizigo.settle()
      assert.equal((await mizigo.payment('rent-1')).state, 'failed')
      assert.deepEqual(await mizigo.tasks(), ['rent failed: Beneficiary name does not match'])

      await mizigo.ask('POST', '/payouts/rent/again', { beneficiaryName: 'Jane Wanjiku Mwangi' })
      await mizigo.app.work()
      assert.equal((await mizigo.tryTo('POST', '/payouts/rent/again', {})).status, 409)
      await mizigo.settle()

      assert.equal((await mizigo.payment('rent-2')).state, 'paid')
    },
  )

  testMizigo(
    'insufficient funds: it waits until there is money',
    { scenario: 'insufficient-funds' },
    async (mizigo) => {
      const { reference, state } = await mizigo.payOut()
      assert.equal(state, 'due')
      assert.deepEqual(await mizigo.tasks(), ['Put money into the wallet: asha-january waits for it.'])

      await mizigo.fund(5000)
      await mizigo.pass('15m')
      await mizigo.settle()

      assert.equal((await mizigo.payment(reference)).state, 'paid')
      assert.equal(await mizigo.world.available(), 100 + 5000 - 1000)
    },
  )

  testMizigo('a late reversal: paid, and taken back two days later', {}, async (mizigo) => {
    const { reference } = await mizigo.payOut({ phoneNumber: '254712000409' })
    await mizigo.pass('1h')
    assert.equal((await mizigo.payment(reference)).state, 'paid')

    await mizigo.pass('3d')

    assert.equal((await mizigo.payment(reference)).state, 'returned')
    assert.deepEqual(await mizigo.tasks(), ['asha-january: the money was taken back (asha-january-1).'])
  })

  testMizigo('a callback that is lost: found by reconciliation', { scenario: 'callback-lost' }, async (mizigo) => {
    const { reference } = await mizigo.payOut()
    await mizigo.settle()
    assert.equal((await mizigo.payment(reference)).state, 'pending')
    await mizigo.app.reconcile()
    assert.equal((await mizigo.payment(reference)).state, 'paid')
  })
})
