import { describe, expect, test } from 'vitest'
import { MOST_AT_ONCE } from '../../../src/core/model/callback.ts'
import { type DueDelivery, LANE } from '../../../src/core/model/due.ts'
import { Store } from '../../../src/core/store/store.ts'
import { DeliveryQueue } from '../../../src/core/world/delivery-queue.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { dueCallback } from '../../support/due-callback.ts'
import fc, { draws } from '../../support/fast-check.ts'

interface Receiver {
  name: string
  callbacks: number
}

/** An agenda to which callbacks are added, all due at 1, in this order. */
function agendaOf(address: (id: number) => string) {
  const store = new Store(openSqlite(':memory:'))
  let id = 0
  const add = (receivers: readonly Receiver[]) => {
    for (const { name, callbacks } of receivers)
      for (let i = 0; i < callbacks; i++) {
        const url = `http://${name}.example${address(++id)}`
        store.callbacks.insert(dueCallback(id, { url }))
        store.agenda.add(LANE.deliveries, 1, id, 'deliver')
      }
  }
  return { agenda: store.agenda, add }
}

const agendas = {
  'one address each': () => agendaOf(() => '/hooks'),
  'many addresses': () => agendaOf((id) => `/${id}`),
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

describe.each(Object.entries(agendas))('with %s', (_, made) => {
  test('whatever comes and ends when, each row is given once, in its order for each receiver, and nobody starves', () => {
    const receivers = fc.array(
      fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), callbacks: fc.integer({ min: 0, max: 200 }) }),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(fc.array(receivers, { maxLength: 4 }), fc.infiniteStream(fc.nat()), (waves, random) => {
        const { agenda, add } = made()
        const queue = new DeliveryQueue(agenda, () => MOST_AT_ONCE)
        const given: DueDelivery[] = []
        const underWay: DueDelivery[] = []
        const number = () => random.next().value as number
        const take = () => {
          const taken = takeAll(queue)
          given.push(...taken)
          underWay.push(...taken)
          expect(queue.underWay).toBe(underWay.length)
          expect(underWay.length).toBeLessThanOrEqual(128)
        }
        for (let next = 0; next < waves.length || underWay.length > 0; take()) {
          if (next < waves.length && (underWay.length === 0 || number() % 20 === 0)) add(waves[next++] as Receiver[])
          else {
            const [ended] = underWay.splice(number() % underWay.length, 1) as [DueDelivery]
            agenda.remove(LANE.deliveries, ended)
            queue.done(ended)
          }
        }
        const rows = waves.flat().reduce((sum, { callbacks }) => sum + callbacks, 0)
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
})

test('a copy whose callback is not stored is given, too', () => {
  const { agenda } = agendas['one address each']()
  agenda.add(LANE.deliveries, 1, 7, 'repeat')
  expect(takeAll(new DeliveryQueue(agenda, () => MOST_AT_ONCE))).toMatchObject([{ subject: 7, url: '' }])
})
