import { expect, test } from 'vitest'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { MOST_AT_ONCE } from '../../src/model/callback-policy.ts'
import { LANE } from '../../src/store/agenda-table.ts'
import type { DueDelivery } from '../../src/store/due-columns.ts'
import { Store } from '../../src/store/store.ts'
import { DeliveryQueue } from '../../src/world/delivery-queue.ts'
import fc, { draws } from '../support/fast-check.ts'

/** So many callbacks to each receiver, all due at 1, in this order; one row more has no callback. */
function agendaOf(receivers: readonly { name: string; callbacks: number }[]) {
  const store = new Store(openSqlite(':memory:'))
  let id = 0
  for (const { name, callbacks } of receivers)
    for (let i = 0; i < callbacks; i++) {
      store.callbacks.insert({
        id: ++id,
        uid: `msg_${id}`,
        paymentSeq: null,
        topic: 'send-money',
        url: `http://${name}.example/${i}`,
        body: '{}',
        state: 'pending',
        attempts: 0,
        createdAtUs: 1,
        settledAtUs: null,
        fault: null,
        trace: null,
        // Some stand in the row of their callback, others are rows of the agenda.
        due: id % 2 === 0 ? { dueAtUs: 1, seq: store.counters.next('agenda'), subject: id, event: 'deliver' } : null,
      })
      if (id % 2 === 1) store.agenda.add(LANE.deliveries, 1, id, 'deliver')
    }
  store.agenda.add(LANE.deliveries, 1, ++id, 'deliver')
  return { agenda: store.agenda, rows: id }
}

/** Takes all that there is to take. */
function takeAll(queue: DeliveryQueue): DueDelivery[] {
  const taken: DueDelivery[] = []
  for (;;) {
    const { rows, more } = queue.take(1)
    taken.push(...rows)
    if (!more) return taken
  }
}

const host = ({ url }: DueDelivery) => URL.parse(url)?.host

test('one receiver has half of the places, and one that comes behind thousands of its callbacks is called at once', () => {
  const { agenda } = agendaOf([
    { name: 'hangs', callbacks: 3_000 },
    { name: 'answers', callbacks: 5 },
  ])
  const taken = takeAll(new DeliveryQueue(agenda, () => MOST_AT_ONCE))
  expect(taken.filter((row) => host(row) === 'hangs.example')).toHaveLength(64)
  expect(taken.filter((row) => host(row) === 'answers.example')).toHaveLength(5)
})

test('whatever ends when, each row is given once, in its order for each receiver, and nobody starves', () => {
  const receivers = fc.array(
    fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), callbacks: fc.integer({ min: 0, max: 200 }) }),
    { maxLength: 6 },
  )
  fc.assert(
    fc.property(receivers, fc.infiniteStream(fc.nat()), (asked, random) => {
      const { agenda, rows } = agendaOf(asked)
      const queue = new DeliveryQueue(agenda, () => MOST_AT_ONCE)
      const given: DueDelivery[] = []
      const underWay: DueDelivery[] = []
      do {
        const taken = takeAll(queue)
        given.push(...taken)
        underWay.push(...taken)
        expect(queue.underWay).toBe(underWay.length)
        expect(underWay.length).toBeLessThanOrEqual(128)
        const place = (random.next().value as number) % underWay.length
        const [ended] = underWay.splice(place, 1) as [DueDelivery]
        agenda.remove(LANE.deliveries, ended)
        queue.done(ended)
      } while (underWay.length > 0)
      expect(given).toHaveLength(rows)
      expect(new Set(given.map(({ seq }) => seq)).size).toBe(rows)
      for (const name of ['a.example', 'b.example', 'c.example', 'd.example']) {
        const seqs = given.filter((row) => host(row) === name).map(({ seq }) => seq)
        expect(seqs).toEqual(seqs.toSorted((one, other) => one - other))
      }
      expect(takeAll(queue)).toEqual([])
    }),
    { numRuns: draws(30) },
  )
})
