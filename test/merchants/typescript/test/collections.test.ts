/** Customers pay, on the phone or on a page, and their parcel leaves once. */
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { testMizigo } from './mizigo.ts'

/** The last part of a page's address. */
const sessionOf = (pageUrl: unknown) => String(pageUrl).split('/').at(-1) ?? ''

describe('collections', { concurrency: true }, () => {
  testMizigo('by phone: the parcel leaves when it is paid', {}, async (mizigo) => {
    const { delivery, reference, state } = await mizigo.order()
    assert.equal(state, 'pending')
    assert.equal(await mizigo.dispatched(delivery), false)

    await mizigo.settle()

    assert.equal((await mizigo.payment(reference)).state, 'paid')
    assert.equal(await mizigo.dispatched(delivery), true)
  })

  testMizigo('by a page: the parcel leaves when it is paid, not when the customer comes back', {}, async (mizigo) => {
    const { delivery, pageUrl } = await mizigo.order({ payBy: 'checkout' })
    await mizigo.world.checkout.pay({ id: sessionOf(pageUrl), method: 'CARD' })
    assert.equal(await mizigo.dispatched(delivery), false)
    await mizigo.pass('1m')
    assert.equal(await mizigo.dispatched(delivery), true)
  })

  testMizigo('a customer who cancels is asked again, one prompt at a time', {}, async (mizigo) => {
    const { delivery } = await mizigo.order({ customerPhone: '254722000499' })
    assert.equal((await mizigo.tryTo('POST', `/deliveries/${delivery}/pay`, { payBy: 'checkout' })).status, 409)
    await mizigo.settle()

    const second = await mizigo.ask('POST', `/deliveries/${delivery}/pay`, { payBy: 'checkout' })
    const paying = { method: 'MPESA_STK', phoneNumber: '254711000100' } as const
    await mizigo.world.checkout.pay({ id: sessionOf(second.pageUrl), ...paying })
    await mizigo.pass('1m')

    assert.equal(await mizigo.dispatched(delivery), true)
    assert.equal((await mizigo.payment(`${delivery}-1`)).state, 'failed')
  })

  testMizigo('a page that nobody pays', { scenario: 'checkout-abandoned' }, async (mizigo) => {
    const { delivery, reference } = await mizigo.order({ payBy: 'checkout' })
    await mizigo.settle()
    assert.equal((await mizigo.payment(reference)).state, 'failed')
    assert.equal(await mizigo.dispatched(delivery), false)
  })

  testMizigo(
    'charged twice: reconciliation finds what nobody asked for',
    { scenario: 'stk-charged-twice' },
    async (mizigo) => {
      const { delivery } = await mizigo.order()
      await mizigo.settle()
      await mizigo.app.reconcile()
      await mizigo.app.reconcile()

      assert.equal(await mizigo.dispatched(delivery), true)
      const [task, ...others] = await mizigo.tasks()
      assert.match(task ?? '', new RegExp(`of 350 shillings \\(${delivery}-1\\)\\. Nobody asked for it\\.`))
      assert.deepEqual(others, [])
      // Until somebody gives it back.
      mizigo.beyondTheBook = 350
    },
  )
})
