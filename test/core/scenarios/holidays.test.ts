/** The public holidays on which rails with hours are closed. */
import { expect, it } from 'vitest'
import { kenya, tanzania } from '../../../src/service/countries/countries.ts'
import { bodies } from '../../support/bodies.ts'
import { useBench } from '../../support/harness.ts'
import { problemsOf, withRules } from './support.ts'

const bench = useBench()

/** The day on which a payout ends that is made at noon of that day in Nairobi, after the rail's hours. */
async function endDay(made: string, currencyCode: 'KSH' | 'TZS', more = ''): Promise<string> {
  const world = await bench.world({
    clock: { mode: 'frozen', start: `${made}T12:00:00+03:00` },
    scenario: `name: closed\ndescription: Closed at noon.\ntimezone: Africa/Nairobi\n${more}rails: { cutOff: [{ on: send-money, at: "12:00" }] }\n`,
  })
  const body = currencyCode === 'KSH' ? bodies.sendMoney(bench.receiver.url()) : shillings
  const { requestId } = (await world.post('/api/sandbox/v1/send-money', body)).body.data
  await world.control('POST', '/clock/settle', { within: '14d' })
  const { timeline } = await world.control('GET', `/payments/${requestId}`)
  return timeline.happened.at(-1).at.slice(0, 10)
}
const shillings = {
  phoneNumber: '255652345678',
  amount: 5000,
  currencyCode: 'TZS',
  firstName: 'Asha',
  lastName: 'Mushi',
  serviceCode: 'TZ-TIGO-B2C',
  narration: 'Wages',
  callbackUrl: 'https://merchant.example/callback',
}

it('are those of the country whose money it is', async () => {
  // Karume Day is kept in Tanzania alone. 2025-04-07 is a Monday.
  expect([await endDay('2025-04-04', 'KSH'), await endDay('2025-04-04', 'TZS')]).toEqual(['2025-04-07', '2025-04-08'])
})

it('are observed, left out, or taken from another country, as the scenario says', async () => {
  // Madaraka Day of 2025 is a Sunday, so the Monday after it is kept.
  expect(await endDay('2025-05-30', 'KSH')).toBe('2025-06-03')
  expect(await endDay('2025-05-30', 'KSH', 'holidays: []\n')).toBe('2025-06-02')
  expect(await endDay('2025-04-04', 'KSH', 'holidays: [TZ, 2025-04-08]\n')).toBe('2025-04-09')
})

it('moves a Sunday only where the law does, and knows the moon year by year', () => {
  const days = Array.from({ length: 365 }, (_, i) => new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10))
  expect(days.filter((day) => kenya.holidays.has(day))).toEqual([
    '2025-01-01', // New Year
    '2025-03-31', // Eid al-Fitr
    '2025-04-18', // Good Friday
    '2025-04-21', // Easter Monday
    '2025-05-01', // Labour Day
    '2025-06-01', // Madaraka Day
    '2025-06-02', // Madaraka Day (observed)
    '2025-06-06', // Eid al-Adha
    '2025-10-10', // Mazingira Day
    '2025-10-20', // Mashujaa Day
    '2025-12-12', // Jamhuri Day
    '2025-12-25', // Christmas Day
    '2025-12-26', // Boxing Day
  ])
  // Christmas of 2022 was a Sunday, and the day after it a holiday of its own.
  expect(kenya.holidays.has('2022-12-27')).toBe(true)
  expect(tanzania.holidays.has('2022-12-27')).toBe(false)
})

it('have to be dates or countries', () => {
  const told = problemsOf(withRules('', 'extends: none\nholidays: [2025-02-30]\n'))
  expect(told.join('\n')).toContain('holidays[0]: "2025-02-30" is not a date. Write it like 2025-12-25.')
})
