/** Callbacks that are written with the end of the work in which they came to be. */
import { expect, it } from 'vitest'
import type { Callback } from '../../../src/core/model/callback.ts'
import type { Payment } from '../../../src/core/model/payment.ts'
import { perform } from '../../../src/core/perform.ts'
import { dueCallback } from '../../support/due-callback.ts'
import { fatedScenario, openWorld, payout } from '../../support/inside.ts'

it('are read as they are by then, and each is taken back with its part of the work alone', async () => {
  const { core, commit } = openWorld(fatedScenario())
  const { callbacks, counters, payments } = core.store
  await commit.submit(() => {
    counters.set('payment', 6)
    perform(core, payout())
  })
  const tell = (id: number) => {
    const payment = payments.bySeq(7) as Payment
    callbacks.insert(dueCallback(id, { previousId: payment.lastCallbackId }))
    payments.save({ ...payment, lastCallbackId: id })
  }
  const tried = (id: number, attempts: number) =>
    callbacks.save({ ...(callbacks.byId(id) as Callback), attempts, due: null })
  const rows = () => callbacks.page({ limit: 10 }).map(({ id, attempts }) => [id, attempts])
  const part = (work: () => void, taken: 'kept' | 'taken back' = 'kept') => {
    const outcome = commit.attempt(() => {
      work()
      if (taken === 'taken back') throw new Error(taken)
    })
    expect(outcome).toEqual(taken === 'kept' ? { ok: true, value: undefined } : { ok: false, error: new Error(taken) })
  }
  await commit.submitParts(() => {
    callbacks.writingLater(() => {
      part(() => tell(1))
      part(() => tell(2))
      part(() => tell(3), 'taken back')
      part(() => tried(1, 5), 'taken back')
      expect(callbacks.byId(1)).toEqual(dueCallback(1))
      part(() => tried(2, 1))
      expect(callbacks.newlyDue(1)).toEqual([dueCallback(1)])
      expect(callbacks.newlyDue(0)).toEqual([])
      // Whoever reads those of a payment has them written, and what he then takes back are not theirs.
      part(() => {
        tell(4)
        expect(callbacks.ofPayment(7).map(({ id }) => id)).toEqual([1, 2, 4])
      }, 'taken back')
      expect(callbacks.newlyDue(1)).toEqual([dueCallback(1)])
      part(() => expect(callbacks.ofPayment(7).map(({ id }) => id)).toEqual([1, 2]))
      part(() => tried(1, 1))
      part(() => callbacks.insert(dueCallback(5)))
    })
    expect(rows()).toEqual([
      [1, 1],
      [2, 1],
      [5, 0],
    ])
  })
  // A commit that fails leaves nothing, and what comes behind it is written as ever.
  const failing = commit.submit(() =>
    callbacks.writingLater(() => {
      callbacks.insert(dueCallback(6))
      throw new Error('taken back')
    }),
  )
  await expect(failing).rejects.toThrow('taken back')
  await commit.submit(() => callbacks.insert(dueCallback(7)))
  expect(rows().map(([id]) => id)).toEqual([1, 2, 5, 7])
})
