import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Moment, Moments } from '../../../src/core/model/moments.ts'

// What happened to a payment is added to as text, and read when somebody asks.

const stored = ({ atUs, event, status, by, detail }: Moment) =>
  detail === undefined ? [atUs, event, status, by] : [atUs, event, status, by, detail]
const moment: fc.Arbitrary<Moment> = fc.record(
  {
    atUs: fc.nat(),
    event: fc.string(),
    status: fc.constantFrom('PENDING', 'SUCCESS', ']]'),
    by: fc.constantFrom('plan', 'operator'),
    detail: fc.string(),
  },
  { requiredKeys: ['atUs', 'event', 'status', 'by'] },
)

test('whatever is added is read behind what was there, however that was written', () => {
  fc.assert(
    fc.property(fc.array(moment), fc.array(moment), fc.constantFrom(0, 2), (before, added, indent) => {
      const moments = Moments.stored(JSON.stringify(before.map(stored), null, indent))
      for (const one of added) {
        moments.add(one)
        expect(moments.all.at(-1)).toEqual({ ...one })
      }
      expect(moments.all).toEqual([...before, ...added].map((one) => ({ ...one })))
      expect(JSON.parse(moments.text)).toEqual([...before, ...added].map(stored))
      expect(JSON.parse(JSON.stringify(moments))).toEqual(JSON.parse(JSON.stringify([...before, ...added])))
    }),
  )
})
