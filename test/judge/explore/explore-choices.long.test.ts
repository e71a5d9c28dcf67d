/** What an explorer can choose, and what it makes of many choices: without running any app. */
import { expect, it } from 'vitest'
import { parseInZone, zonedText } from '../../../src/core/model/calendar.ts'
import { callbackFaults } from '../../../src/core/model/callback-fault.ts'
import { fieldsOfFault, responseFaultNames } from '../../../src/core/model/faults.ts'
import { scenarioLibrary } from '../../../src/hosts/node/scenarios.ts'
import { behavioursOf, traceOf } from '../../../src/judge/explore/behaviours.ts'
import { type Choice, choice, choiceRecords, recordOf, withoutClashes } from '../../../src/judge/explore/choice.ts'
import { justBefore } from '../../../src/judge/explore/choices/day-choices.ts'
import { scenarioOf } from '../../../src/judge/explore/scenario-of.ts'
import { choicesMade, optionsOf, othersOf } from '../../../src/judge/explore/schedules.ts'
import { sequenceOf, storyOf } from '../../../src/judge/explore/tell.ts'
import { stepLines } from '../../../src/judge/subject/report.ts'
import { riskNames } from '../../../src/judge/subject/risks.ts'
import { kenya } from '../../../src/service/countries/countries.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { quarter, quarters } from '../../support/fast-check.ts'

const library = scenarioLibrary()
const asked = paymentsService.operations.flatMap(({ opens }) => opens ?? [])
const people = { acts: [{ name: 'pay', request: { method: 'POST', path: '/pay' } }] }

it.each([...new Set(asked)])('can be run as a scenario, each option and every two, for %s', (kind) => {
  const options = optionsOf({ kind, nth: 1 }, people)
  expect(options.length).toBeGreaterThan(4)
  const pairs = options.flatMap((one) => options.filter(({ do: what }) => what !== one.do).map((other) => [one, other]))
  for (const choices of [...options.map((one) => [one]), ...quarters.flatMap((turn) => quarter(pairs, turn))]) {
    const text = JSON.stringify(scenarioOf(choices, [kind]))
    expect(() => library.parse(text, 'explored.yaml'), text).not.toThrow()
  }
})

const processes = [{ name: 'web' }, { name: 'worker' }]

it('changes the scenario or the run by everything that it offers, and tells it in words', () => {
  const request = { method: 'POST', path: '/pay', body: { number: 'INV-{n}', amount: 700 } }
  const process = (name: string) => ({ name, command: `node ${name}.mjs`, env: {}, ready: request })
  const merchant = {
    acts: [{ name: 'pay', request }],
    tick: request,
    processes: [process('web'), process('worker')] as const,
  }
  const payments = [...new Set(asked)].map((kind) => ({ kind, nth: 1 }))
  const requests = paymentsService.operations.map(({ id, opens }) => ({ operation: id, nth: 1, opens }))
  const offered = [
    ...payments.flatMap((one) => optionsOf(one, merchant)),
    ...othersOf({ requests, told: payments }, merchant),
  ]
  const names = new Set(offered.map((one) => one.do))
  expect([...names].sort()).toEqual(Object.keys(choiceRecords).sort())
  const usual = JSON.stringify(scenarioOf([], []))
  for (const one of offered) {
    const { fields, sort, risk, name, story, race, offersForPayment, offersForDay, ...effects } = recordOf(one)
    const { plan, fault, settings, ...byHand } = effects
    const isScripted = JSON.stringify(scenarioOf([one], [])) !== usual
    expect({ one, isDone: isScripted || Object.keys(byHand).length > 0 }).toEqual({ one, isDone: true })
    expect(storyOf([one])[0]).not.toMatch(/undefined|\.$/)
    expect(choice.parse(JSON.parse(JSON.stringify(one)))).toEqual(one)
  }
})

it('can be run as a scenario, each choice that is about no payment', () => {
  const merchant = { acts: [{ name: 'pay', request: { method: 'POST', path: '/pay' } }], tick: undefined, processes }
  const requests = paymentsService.operations.map(({ id, opens }) => ({ operation: id, nth: 1, opens }))
  for (const one of othersOf({ requests, told: [] }, merchant)) {
    const text = JSON.stringify(scenarioOf([one], []))
    expect(() => library.parse(text, 'explored.yaml'), text).not.toThrow()
  }
})

it('tries every fault of answers and of callbacks, and what they come to is one of the risks', () => {
  const request = { method: 'POST', path: '/pay' }
  const payments = [...new Set(asked)].map((kind) => ({ kind, nth: 1 }))
  const requests = paymentsService.operations.map(({ id, opens }) => ({ operation: id, nth: 1, opens }))
  const day = { acts: [{ name: 'pay', request }], tick: request, processes }
  const offered = [...payments.flatMap((one) => optionsOf(one, day)), ...othersOf({ requests, told: payments }, day)]
  const written = offered.map((one) => JSON.stringify(scenarioOf([one], []))).join('\n')
  // An app sees nothing of these by themselves, or the same as of another.
  const untried = ['latency', 'rateLimit', 'code', 'message']
  const fields = [...Object.keys(callbackFaults), ...responseFaultNames.flatMap(fieldsOfFault)]
  expect(fields.filter((field) => !written.includes(`"${field}":`)).sort()).toEqual(untried.sort())
  expect([...new Set(offered.map((one) => recordOf(one).risk(one)))].sort()).toEqual([...riskNames].sort())
})

it('begins a step just before midnight or the end of a month, in the zone of the scenario', () => {
  const nairobi = kenya.zone
  const told = (end: 'day' | 'month', text: string) =>
    zonedText(justBefore(end, parseInZone(text, nairobi) ?? 0, nairobi), nairobi)
  expect(told('day', '2025-01-24T16:28:00')).toMatch(/^2025-01-24T23:59:58/)
  expect(told('month', '2025-01-24T16:28:00')).toMatch(/^2025-01-31T23:59:58/)
  expect(told('day', '2025-01-24T23:59:59')).toMatch(/^2025-01-25T23:59:58/)
})

it('makes one choice for one slot', () => {
  const first: Choice = { do: 'end', kind: 'stk', nth: 1, as: 'failed' }
  const clash: Choice = { do: 'end', kind: 'stk', nth: 1, as: 'never' }
  const other: Choice = { do: 'end', kind: 'stk', nth: 2, as: 'never' }
  expect(withoutClashes([first, clash, other])).toEqual([first, other])
})

it('tells a schedule in words, and a run as a sequence', () => {
  expect(storyOf([])).toEqual(['on an ordinary day, nothing having gone wrong'])
  expect(storyOf([{ do: 'answer', kind: 'till', nth: 1, as: '503' }])).toEqual([
    'the first till payment: the payment is made, and answered 503 all the same',
  ])
  const sequence = sequenceOf([
    { what: 'act', name: 'pay', n: 1 },
    { what: 'request', operation: 'createTillPayment', nth: 1 },
    { what: 'payment', kind: 'till', nth: 1, status: 'PENDING' },
    { what: 'answer', operation: 'createTillPayment', nth: 1, status: 200, fate: 'lost' },
    { what: 'crash', at: 'executed createTillPayment 1' },
    { what: 'restart' },
    { what: 'time', now: '2025-01-24T16:29:00Z' },
    { what: 'tick' },
    { what: 'time', now: '2025-01-24T16:40:00Z' },
  ])
  const lines = stepLines(sequence)
  expect(lines[0]).toBe('People → App   pay 1')
  expect(lines).toContain('Service ✗ App  the answer is lost (createTillPayment 1)')
  expect(lines).toContain('Service        till 1 is PENDING')
  expect(lines.join('\n')).not.toMatch(/its own work/)
})

it('takes runs for one that differ in the order of independent events', () => {
  const time = { what: 'time', now: '2025-01-24T16:29:00' } as const
  const first = { what: 'payment', kind: 'till', nth: 1, status: 'SUCCESS' } as const
  const second = { what: 'payment', kind: 'till', nth: 2, status: 'SUCCESS' } as const
  expect(traceOf({ happened: [time, first, second] })).toBe(traceOf({ happened: [time, second, first] }))
  expect(traceOf({ happened: [first, time, second] })).not.toBe(traceOf({ happened: [time, first, second] }))
})

it('knows which choices came to something', () => {
  const made: Choice[] = [
    { do: 'end', kind: 'till', nth: 1, as: 'failed' },
    { do: 'refuse', operation: 'createTillPayment', nth: 1, as: '503' },
    { do: 'crash', at: 'seen', on: 'createTillPayment', nth: 1 },
  ]
  const never: Choice[] = [
    { do: 'end', kind: 'till', nth: 9, as: 'failed' },
    { do: 'refuse', operation: 'createTillPayment', nth: 9, as: '503' },
    { do: 'crash', at: 'seen', on: 'createTillPayment', nth: 9 },
  ]
  const ran = {
    choices: [...never, ...made],
    payments: [{ kind: 'till', nth: 1 }],
    requests: [{ operation: 'createTillPayment', nth: 1, opens: 'till' }],
    happened: [{ what: 'crash' as const, at: 'seen createTillPayment 1' }],
  }
  expect(choicesMade(ran)).toEqual(made)
})

it('covers what an app asks in which state of a payment, and of what was told about it', () => {
  const callback = { what: 'callback', kind: 'till', nth: 1, status: 'SUCCESS', taken: '200' } as const
  const read = { what: 'answer', operation: 'getTillPayment', nth: 1, of: 'till 1', status: 200 } as const
  const paid = { what: 'payment', kind: 'till', nth: 1, status: 'SUCCESS' } as const
  const untold = behavioursOf({ happened: [paid, read] })
  const told = behavioursOf({ happened: [paid, callback, read] })
  expect(told).toEqual(
    expect.arrayContaining([expect.stringMatching(/till.*SUCCESS.*SUCCESS 200.*getTillPayment 200/)]),
  )
  expect(told).not.toEqual(expect.arrayContaining(untold))
})
