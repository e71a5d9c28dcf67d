import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DomainEvent } from '../../../src/core/model/domain-event.ts'
import { KeptEvents } from '../../../src/core/world/kept-events.ts'

// The newest domain events of a world are kept taken apart; whoever reads one gets it as it was.

const record: typeof fc.record = (fields: object) => fc.record(fields, { noNullPrototype: true }) as never
const instant = fc.integer({ min: 0, max: 4_000_000_000_000_000 })
const number = fc.integer({ min: 0, max: 2 ** 40 })
const word = fc.constantFrom('PENDING', 'SUCCESS', 'send-money', 'GET', '/api/sandbox/v1/send-money', '')
const wordOrNull = fc.option(word)
const identifier = fc.oneof(fc.uuid(), fc.string({ unit: 'binary', maxLength: 60 }))
const attempt = record({
  number,
  status: fc.option(fc.integer({ min: 200, max: 599 })),
  error: fc.option(fc.constantFrom('not received', 'answered 503')),
  diagnosis: fc.option(fc.constant({ what: 'refused' })),
  tookMs: number,
})
const domainEvent = fc.oneof(
  record({
    type: fc.constant('payment'),
    atUs: instant,
    seq: number,
    kind: word,
    uuid: identifier,
    from: wordOrNull,
    to: word,
    by: word,
    updatedAtUs: instant,
  }),
  record({
    type: fc.constant('callback'),
    atUs: instant,
    id: number,
    uid: identifier,
    url: fc.webUrl(),
    state: word,
    attempts: number,
    settledAtUs: fc.option(instant),
    nextAtUs: fc.option(instant),
    attempt: fc.option(attempt),
  }),
  record({
    type: fc.constant('request'),
    atUs: instant,
    seq: number,
    requestId: identifier,
    operation: wordOrNull,
    method: word,
    path: fc.webPath(),
    status: number,
    rule: wordOrNull,
  }),
  record({ type: fc.constant('inbox'), atUs: instant, id: number, name: word }),
) as unknown as fc.Arbitrary<DomainEvent>

test('each event is read as it was, until another takes its place', () => {
  fc.assert(
    fc.property(fc.array(domainEvent, { maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (events, places) => {
      const kept = new KeptEvents(places)
      events.forEach((event, i) => {
        kept.set(i + 1, event)
      })
      const oldest = Math.max(0, events.length - places)
      for (let i = oldest; i < events.length; i++) expect(kept.get(i + 1)).toStrictEqual(events[i])
    }),
  )
})

test('words are as right when each is another', () => {
  const kept = new KeptEvents(2_000)
  const request = (n: number): DomainEvent => ({
    type: 'request',
    atUs: n,
    seq: n,
    requestId: `req_${n}`,
    operation: null,
    method: 'GET',
    path: `/path/${n}`,
    status: 404,
    rule: null,
  })
  for (let n = 1; n <= 3_000; n++) kept.set(n, request(n))
  for (let n = 1_001; n <= 3_000; n++) expect(kept.get(n)).toStrictEqual(request(n))
})
