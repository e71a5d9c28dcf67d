/** Businesses as data, and the pasts that are made of them. */
import { describe, expect, it } from 'vitest'
import { Chance } from '../../src/core/model/chance.ts'
import type { Opened } from '../../src/service/parts.ts'
import { businesses } from '../../src/service/profiles/businesses.ts'
import { pastOf } from '../../src/service/profiles/past.ts'

const DAY_US = 86_400_000_000
const untilUs = Date.UTC(2025, 11, 31, 21) * 1000

/** What a business asked for in the half year before 2026. */
function openedBy(name: string, payments = 3_000): Opened[] {
  const business = businesses.find((one) => one.name === name) as (typeof businesses)[number]
  const steps = pastOf(business, { fromUs: untilUs - 183 * DAY_US, untilUs, payments, chance: new Chance(5) })
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value.acts.filter((act) => 'kind' in act)
}

/** In Nairobi. */
const dayOf = ({ atUs }: Opened) => new Date((atUs + 3 * 3_600_000_000) / 1000).toISOString().slice(0, 10)
const referenceOf = ({ request }: Opened) => String(request['referenceId'] ?? request['externalReference'])

describe.each(businesses)('$name', ({ name, habits }) => {
  it('pays by its habits as often as their shares say', () => {
    const all = openedBy(name)
    const shares = habits.reduce((sum, { share }) => sum + share, 0)
    for (const { reference, share } of habits) {
      const own = all.filter((act) => referenceOf(act).startsWith(`${reference}-`))
      expect(own.length / all.length).toBeCloseTo(share / shares, 2)
      expect(new Set(own.map(referenceOf)).size).toBe(own.length)
    }
  })

  it('is in the order of time', () => {
    const instants = openedBy(name).map(({ atUs }) => atUs)
    expect(instants).toEqual(instants.toSorted((one, other) => one - other))
  })
})

it('pays the same salary to the same people on the last bank day up to the 28th', () => {
  const salaries = openedBy('payroll').filter((act) => referenceOf(act).startsWith('SAL-'))
  const runs = Map.groupBy(salaries, dayOf)
  expect([...runs.keys()]).toEqual(['2025-07-28', '2025-08-28', '2025-09-26', '2025-10-28', '2025-11-28', '2025-12-24'])
  const paid = [...runs.values()].map((run) =>
    run.map(({ request }) => `${request['phoneNumber'] ?? request['creditAccountNumber']} ${request['amount']}`).sort(),
  )
  // The last place may be dealt to one run and not to another.
  for (const run of paid) expect(run.filter((one) => !paid[0]?.includes(one)).length).toBeLessThan(2)
})
