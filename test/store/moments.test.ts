import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Moment, Moments } from '../../src/model/moments.ts'

// What happened to a payment is added to as text, and read when somebody asks.

const moment: fc.Arbitrary<Moment> = fc.record({
  atUs: fc.nat(),
  event: fc.string(),
  status: fc.constantFrom('PENDING', 'SUCCESS', '}]'),
  by: fc.constantFrom('plan', 'operator'),
})

test('whatever is added is read behind what was there, however that was written', () => {
  fc.assert(
    fc.property(fc.array(moment), fc.array(moment), fc.constantFrom(0, 2), (before, added, indent) => {
      const moments = Moments.stored(JSON.stringify(before, null, indent))
      for (const one of added) {
        moments.add(one)
        expect(moments.all.at(-1)).toEqual({ ...one })
      }
      expect(moments.all).toEqual([...before, ...added].map((one) => ({ ...one })))
      expect(JSON.parse(moments.text)).toEqual(JSON.parse(JSON.stringify(moments)))
    }),
  )
})
