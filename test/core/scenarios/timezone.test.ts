/** One time zone for everything in a scenario that speaks of a time of day or a date, shown wherever a time is. */
import { expect, it } from 'vitest'
import { formatInstant, parseInstant } from '../../../src/core/model/time.ts'
import { answer } from '../../apps/cli/support.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { load, loadShipped, ordinary, problemsOf, withCondition } from './support.ts'

const bench = useBench()
const NAIROBI = 'name: shift\ndescription: A shift.\ntimezone: Africa/Nairobi\n'

it('reads the start of its clock in the zone of the scenario, unless they have their own', () => {
  const begins = (start: string, zone = 'timezone: Africa/Nairobi\n') => {
    const { clock } = load(`name: a\ndescription: A.\n${zone}clock: { mode: frozen, start: ${start} }\n`)
    return formatInstant(clock.startUs ?? 0).slice(0, 19)
  }
  expect(begins('2025-05-30T16:30:00')).toBe('2025-05-30T13:30:00')
  expect(begins('2025-05-30T16:30:00Z')).toBe('2025-05-30T16:30:00')
  expect(begins('2025-05-30T16:30:00', '')).toBe('2025-05-30T16:30:00')
})

it('comes down from the scenario that is extended, and a nearer one has its own', () => {
  const files = { 'scenarios/base.yaml': `${NAIROBI}clock: { mode: frozen, start: 2025-01-24T16:00:00 }\n` }
  const child = (zone: string) => load(`name: child\ndescription: C.\nextends: ./base.yaml\n${zone}`, files)
  expect(child('').zone.name).toBe('Africa/Nairobi')
  expect(child('timezone: UTC\n').zone.name).toBe('UTC')
  expect(child('timezone: UTC\n').clock.startUs).toBe(parseInstant('2025-01-24T16:00:00'))
  expect(load(child('').effective()).zone.name).toBe('Africa/Nairobi')
})

it('follows the zone of timestamps where it names none', () => {
  expect(load('name: a\ndescription: A.\nassumptions: { timestamp-zone: nairobi }\n').zone.name).toBe('Africa/Nairobi')
  expect(load('name: a\ndescription: A.\n').zone.name).toBe('UTC')
})

it('says which zones there are', () => {
  expect(problemsOf('name: a\ndescription: A.\ntimezone: Africa/Nairobbi\n').join('\n')).toContain('Africa/Nairobi')
})

it.each(['payday-before-holiday', 'weekend-maintenance', 'month-end-rush'])('%s is about Nairobi', (name) => {
  expect(loadShipped(name).zone.name).toBe('Africa/Nairobi')
})

it('begins a world in it, by the control plane and by the command', async () => {
  const nowOf = async (world: TestWorld) => (await world.control('GET', '/clock')).now
  const scenario = `${NAIROBI}extends: default\n`
  const begins = async (start: string) => nowOf(await bench.world({ scenario, clock: { mode: 'frozen', start } }))
  expect(await begins('2025-01-24T16:28:00')).toBe('2025-01-24T13:28:00.000000Z')
  expect(await begins('2025-01-24T16:28:00Z')).toBe('2025-01-24T16:28:00.000000Z')
  const flags = ['--scenario', 'payday-before-holiday', '--clock', 'frozen', '--start', '2025-05-30T14:30:00', '--json']
  const made = await answer(['world', 'create', ...flags, '--url', bench.simulator.baseUrl])
  expect(JSON.parse(made.out).clock.now).toBe('2025-05-30T11:30:00.000000Z')
})

it('asks the hours of a condition in it, and reads an asked time and shows what happens in it', async () => {
  const world = await bench.world({
    clock: { mode: 'frozen', start: '2025-01-24T13:30:00Z' },
    scenario: withCondition('between("16:00", "18:00") && time.weekday == "FRI"').replace(
      'extends: none',
      'extends: default\ntimezone: Africa/Nairobi',
    ),
  })
  expect((await world.control('GET', '/clock')).timezone).toEqual({ name: 'Africa/Nairobi', offsetMinutes: 180 })
  const request = { ...ordinary['send-money'], callbackUrl: bench.receiver.url() }
  const { body } = await world.post('/api/sandbox/v1/send-money', request)
  const explained = await world.control('GET', `/payments/${body.data.requestId}/explain`)
  expect(explained.timezone.name).toBe('Africa/Nairobi')
  expect(explained.payment.rule).toBe('tested')
  expect(explained.stopped.why).toContain('at 2025-01-24T16:30:01+03:00')
  const ask = async (at: string) =>
    (await world.control('POST', '/scenario/explain', { kind: 'send-money', request, at })).rule
  expect(await ask('2025-01-31T17:59:00')).toBe('tested')
  expect(await ask('2025-01-31T18:00:00')).toBe('other')
  expect(await ask('2025-01-31T17:59:00Z')).toBe('other')
  const foreseen = await world.control('POST', '/scenario/explain', {
    kind: 'send-money',
    request,
    at: '2025-01-31T17:59:00',
  })
  expect(foreseen.story[0].at).toMatch(/^2025-01-31T14:59:00\.000/)
  expect(foreseen.timezone.offsetMinutes).toBe(180)
})
