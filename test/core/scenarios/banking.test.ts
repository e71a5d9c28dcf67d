/** Delays that pass while banks are open, and the public holidays on which they are not. */
import { expect, it } from 'vitest'
import { Holidays } from '../../../src/core/model/calendar.ts'
import { formatInstant, parseInstant } from '../../../src/core/model/time.ts'
import { kenya } from '../../../src/service/countries/kenya.ts'
import { tanzania } from '../../../src/service/countries/tanzania.ts'
import { useBench } from '../../support/harness.ts'
import { decide, load, ordinary, problemsOf, withRules } from './support.ts'

const bench = useBench()
const NAIROBI = 'extends: none\ntimezone: Africa/Nairobi\n'
const rule = (after: string) => `  - { name: the bank, on: bank-payout, then: { after: ${after}, end: SUCCESS } }\n`

/** When a bank payout of a Nairobi time ends, on the wall of Nairobi. */
function endsAt(after: string, made: string, head = NAIROBI): string {
  const nowUs = parseInstant(`${made}+03:00`) as number
  const { plan } = decide(load(withRules(rule(after), head)), 'bank-payout', {}, { nowUs })
  return formatInstant(nowUs + (plan?.afterUs ?? 0) + 3 * 3_600_000_000).slice(0, 16)
}

it('counts banking days: the same time of day on a later one, over weekends and holidays', () => {
  // 2025-01-22 is a Wednesday.
  expect(endsAt('1 banking day', '2025-01-22T10:30:00')).toBe('2025-01-23T10:30')
  expect(endsAt('3 banking days', '2025-01-22T10:30:00')).toBe('2025-01-27T10:30')
  // What comes after hours counts from the next opening.
  expect(endsAt('1 banking day', '2025-01-24T18:00:00')).toBe('2025-01-28T08:00')
  // Madaraka Day of 2025 is a Sunday, so the Monday after it is kept.
  expect(endsAt('1 banking day', '2025-05-30T12:00:00')).toBe('2025-06-03T12:00')
  expect(endsAt('1 banking day', '2025-05-30T12:00:00', `${NAIROBI}holidays: []\n`)).toBe('2025-06-02T12:00')
  expect(endsAt('1 banking day', '2025-01-22T10:30:00', `${NAIROBI}holidays: [TZ, 2025-01-23]\n`)).toBe(
    '2025-01-24T10:30',
  )
})

it('counts banking hours, and opens when the scenario says so', () => {
  expect(endsAt('4 banking hours', '2025-01-22T14:00:00')).toBe('2025-01-23T10:00')
  expect(endsAt('0.5 banking hours', '2025-01-22T05:00:00')).toBe('2025-01-22T08:30')
  expect(endsAt('2 banking hours', '2025-01-22T14:00:00')).toBe('2025-01-23T08:00')
  expect(endsAt('1 banking day', '2025-01-22T14:30:00', `${NAIROBI}bankingHours: "09:00..15:00"\n`)).toBe(
    '2025-01-23T14:30',
  )
})

it('takes the holidays of the country whose money it is', () => {
  const scenario = load(
    withRules('  - { name: the rail, on: send-money, then: { after: 1 banking day, end: SUCCESS } }\n', NAIROBI),
  )
  // Karume Day is kept in Tanzania alone. 2025-04-07 is a Monday.
  const nowUs = parseInstant('2025-04-04T12:00:00+03:00') as number
  const days = (currencyCode: string) =>
    (decide(scenario, 'send-money', { currencyCode }, { nowUs }).plan?.afterUs ?? 0) / 86_400_000_000
  expect([days('KSH'), days('TZS')]).toEqual([3, 4])
})

it('draws among the open hours of a range', () => {
  const scenario = load(withRules(rule('1..3 banking days'), NAIROBI))
  const nowUs = parseInstant('2025-01-24T18:00:00+03:00') as number
  const ends = Array.from({ length: 40 }, (_, i) => {
    const { plan } = decide(scenario, 'bank-payout', {}, { nowUs, nth: i + 1 })
    return formatInstant(nowUs + (plan?.afterUs ?? 0) + 3 * 3_600_000_000)
  }).sort()
  for (const end of ends) expect(end.slice(11, 13) >= '08' && end.slice(11, 13) < '16', end).toBe(true)
  const days = [...new Set(ends.map((end) => end.slice(0, 10)))]
  expect(days).toEqual(['2025-01-28', '2025-01-29'])
})

it('shows a delay in the words of the file', () => {
  const { rules } = load(withRules(rule('1..3 banking days'), NAIROBI))
  expect(rules[0]?.then).toBe('after 1..3 banking days SUCCESS')
})

it('moves a Sunday only where the law does, and knows the moon year by year', () => {
  const kept = (country: typeof kenya | typeof tanzania, year: number) => [
    ...new Holidays(country.holidays).ofYear(year),
  ]
  expect(kept(kenya, 2025)).toEqual([
    ['2025-01-01', 'New Year'],
    ['2025-03-31', 'Eid al-Fitr'],
    ['2025-04-18', 'Good Friday'],
    ['2025-04-21', 'Easter Monday'],
    ['2025-05-01', 'Labour Day'],
    ['2025-06-01', 'Madaraka Day'],
    ['2025-06-02', 'Madaraka Day (observed)'],
    ['2025-06-06', 'Eid al-Adha'],
    ['2025-10-10', 'Mazingira Day'],
    ['2025-10-20', 'Mashujaa Day'],
    ['2025-12-12', 'Jamhuri Day'],
    ['2025-12-25', 'Christmas Day'],
    ['2025-12-26', 'Boxing Day'],
  ])
  // Christmas of 2022 was a Sunday, and the day after it a holiday of its own.
  expect(new Holidays(kenya.holidays).has('2022-12-27')).toBe(true)
  expect(new Holidays(tanzania.holidays).has('2022-12-27')).toBe(false)
})

it.each([
  ['after: 3..1 banking days', '"3..1 banking days" ends before it begins. Write the smaller number first.'],
  ['after: 2000 banking days', '"2000 banking days" is longer than 1000 banking days.'],
])('says what is wrong with { %s }', (after, message) => {
  const text = `  - { name: the bank, on: bank-payout, then: { ${after}, end: SUCCESS } }\n`
  expect(problemsOf(withRules(text)).join('\n')).toContain(message)
})

it('says what is wrong with holidays and hours', () => {
  const told = problemsOf(withRules(rule('1 banking day'), 'extends: none\nholidays: [2025-02-30]\n'))
  expect(told.join('\n')).toContain('holidays[0]: "2025-02-30" is not a date. Write it like 2025-12-25.')
  const shut = problemsOf(withRules(rule('1 banking day'), 'extends: none\nbankingHours: "16:00..08:00"\n'))
  expect(shut.join('\n')).toContain('"16:00..08:00" is never open. Write the time of opening first: 08:00..16:00.')
})

it('leaves a checkout to simulated time', () => {
  const text = '  - { name: a bank, on: checkout, then: { after: 1 banking day, end: SUCCEEDED } }\n'
  expect(problemsOf(withRules(text)).join('\n')).toContain('waits for a customer and not for a bank')
})

it('ends a payout when the bank has been open for so long, and takes it back by the same calendar', async () => {
  const world = await bench.world({
    clock: { mode: 'frozen', start: '2025-05-30T14:00:00Z' },
    scenario:
      'name: slow-bank\ndescription: A bank.\ntimezone: Africa/Nairobi\n' +
      'rails: { cutOff: [{ on: bank-payout, at: "15:00" }] }\n' +
      'rules:\n  - name: the bank\n    on: bank-payout\n' +
      '    then: { after: 2 banking hours, end: SUCCESS, revise: { after: 1 banking day, end: FAILED } }\n',
  })
  const { body } = await world.post('/api/sandbox/v1/bank/payout/new', {
    ...ordinary['bank-payout'],
    callbackUrl: bench.receiver.url(),
  })
  const uuid = body.data.requestId
  await world.control('POST', '/clock/settle', { within: '14d' })
  const { timeline } = await world.control('GET', `/payments/${uuid}`)
  // Monday is Madaraka Day: Tuesday, eight o'clock in Nairobi, and two hours; and ten o'clock of the next day.
  expect(timeline.happened.map(({ at, status }: { at: string; status: string }) => [at.slice(0, 16), status])).toEqual([
    ['2025-05-30T14:00', 'PENDING'],
    ['2025-06-03T07:00', 'SUCCESS'],
    ['2025-06-04T07:00', 'FAILED'],
  ])
})
