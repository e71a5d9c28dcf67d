/** What we are told, once, twice, wrongly or while our own house is on fire. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe } from 'node:test'
import { testMizigo } from './mizigo.ts'

describe('callbacks', { concurrency: true }, () => {
  testMizigo('a failing callback: our own 500s are answered by another try', {}, async (mizigo) => {
    const { delivery, reference } = await mizigo.order()
    // Somebody backs up the database, and nothing can be written down.
    const other = new DatabaseSync(mizigo.settings.database)
    other.exec('BEGIN IMMEDIATE')
    await mizigo.world.clock.advance('16s')
    const failing = await mizigo.world.waitFor('callback', { payment: { referenceId: reference }, lastStatus: 500 })
    assert.equal(failing.state, 'pending')
    assert.equal(failing.attempts, 2)
    other.exec('ROLLBACK')
    other.close()

    await mizigo.settle()

    await mizigo.world.waitFor('callback', { payment: { referenceId: reference }, state: 'delivered', attempts: 3 })
    assert.equal((await mizigo.payment(reference)).state, 'paid')
    assert.equal(await mizigo.dispatched(delivery), true)
  })

  testMizigo('a duplicate callback changes nothing', { scenario: 'callback-twice-at-once' }, async (mizigo) => {
    const { delivery } = await mizigo.order()
    await mizigo.settle()
    const { dispatchedAt } = await mizigo.ask<{ dispatchedAt: number }>('GET', `/deliveries/${delivery}`)
    const { callbacks } = await mizigo.world.callback.list()
    await mizigo.pass('1h')
    await mizigo.world.callback.redeliver({ id: callbacks[0]?.id ?? 0 })
    await mizigo.catchUp()
    assert.equal(
      (await mizigo.ask<{ dispatchedAt: number }>('GET', `/deliveries/${delivery}`)).dispatchedAt,
      dispatchedAt,
    )
    assert.deepEqual(await mizigo.tasks(), [])
  })

  testMizigo(
    'an unknown status and unknown fields: the record decides',
    { scenario: 'callback-unknown-status' },
    async (mizigo) => {
      const { delivery, reference } = await mizigo.order()
      await mizigo.settle()
      assert.equal((await mizigo.payment(reference)).state, 'failed')
      assert.equal(await mizigo.dispatched(delivery), false)
    },
  )

  testMizigo('a callback that comes before the answer', { scenario: 'callback-before-answer' }, async (mizigo) => {
    const { delivery } = await mizigo.order()
    await mizigo.settle()
    assert.equal(await mizigo.dispatched(delivery), true)
  })

  const signing = {
    name: 'signing',
    description: 'Callbacks are signed.',
    assumptions: { 'callback-signature': 'standard-webhooks' },
  }
  testMizigo('a right signature is believed', { scenario: signing, signed: true }, async (mizigo) => {
    const { delivery } = await mizigo.order()
    await mizigo.pass('10s')
    assert.equal(await mizigo.dispatched(delivery), true)
  })

  for (const flaw of ['old-secret', 'none', 'altered-body', 'stale-timestamp', 'missing-header'])
    testMizigo(
      `a wrong signature is turned away: ${flaw}`,
      { scenario: 'callback-forged', parameters: { flaw }, signed: true },
      async (mizigo) => {
        const { delivery, reference } = await mizigo.order()
        await mizigo.pass('10s')
        await mizigo.world.waitFor('callback', { payment: { referenceId: reference }, lastStatus: 401 })
        assert.equal((await mizigo.payment(reference)).state, 'pending')

        await mizigo.app.reconcile()

        assert.equal((await mizigo.payment(reference)).state, 'failed')
        assert.equal(await mizigo.dispatched(delivery), false)
      },
    )

  testMizigo('a callback about nothing of ours, and what is no order', {}, async (mizigo) => {
    assert.equal((await mizigo.tryTo('POST', '/callbacks/D9999-1', { status: 'SUCCESS' })).status, 404)
    const { status, answer } = await mizigo.tryTo('POST', '/deliveries', {
      customerPhone: '254722111222',
      price: '350',
    })
    assert.equal(status, 400)
    assert.match(answer.error, /price: expected shillings with at most two decimals, got "350"/)
  })
})
