/** The service as of a month: a default that moves keeps its older alternative for scenarios that name an older month. */
import { describe, expect, it } from 'vitest'
import { loadedLibraries } from '../../../src/core/loaded-libraries.ts'
import { defaultAt, nearestMonth, serviceMonths } from '../../../src/core/model/service-month.ts'
import type { Scenario } from '../../../src/core/scenario.ts'
import { loadScenario } from '../../../src/core/scenarios/load.ts'
import { assumptions } from '../../../src/service/assumed/assumptions.ts'
import { paymentsService } from '../../../src/service/service.ts'
import fc from '../../support/fast-check.ts'
import { useBench } from '../../support/harness.ts'
import { problemsOf, reader } from './support.ts'

/** As if two defaults had moved, one of them twice. */
const later = {
  ...paymentsService,
  assumptions: {
    ...assumptions,
    'error-body': { ...assumptions['error-body'], before: [{ until: '2027-02', is: 'flat' as const }] },
    'list-order': {
      ...assumptions['list-order'],
      before: [
        { until: '2027-02', is: 'newest-first' as const },
        { until: '2027-09', is: 'oldest-first' as const },
      ],
    },
  },
}

const text = (service: string, more = '') =>
  `name: dated\ndescription: As of a month.\n${service === '' ? '' : `service: ${service}\n`}${more}`

function loadLater(source: string, files: Record<string, string> = {}): Scenario {
  return loadScenario(source, { file: 'dated.yaml', read: reader(files), service: later, libraries: loadedLibraries })
}

const chosenIn = ({ assumptions: inForce, chosenBy }: Scenario) => [
  inForce['error-body'],
  inForce['list-order'],
  chosenBy['error-body'],
]

describe('a scenario', () => {
  it.each([
    ['2026-11', ['flat', 'newest-first', 'default']],
    ['2027-02', ['nested', 'oldest-first', 'default']],
    ['2027-09', ['nested', 'oldest-first', 'default']],
    ['', ['nested', 'oldest-first', 'default']],
  ])('of %j keeps the defaults of then', (month, expected) => {
    const scenario = loadLater(text(month))
    expect([scenario.serviceMonth, chosenIn(scenario)]).toEqual([month || '2027-09', expected])
  })

  it('goes by what it chooses itself before any month', () => {
    const chosen = 'assumptions: { error-body: field-list }\n'
    expect(chosenIn(loadLater(text('2026-11', chosen)))).toEqual(['field-list', 'newest-first', 'scenario'])
    expect(loadLater(text('2026-11', 'assumptions: drawn\n')).chosenBy['list-order']).toBe('drawn')
  })

  it('takes the month of the file that is nearest, and shows it as a whole', () => {
    const files = { 'base.yaml': text('2026-11') }
    const own = loadLater(text('2027-02', 'extends: ./base.yaml\n'), files)
    expect([own.serviceMonth, own.assumptions['error-body']]).toEqual(['2027-02', 'nested'])
    const inherited = loadLater(text('', 'extends: ./base.yaml\n'), files)
    expect([inherited.serviceMonth, inherited.assumptions['error-body']]).toEqual(['2026-11', 'flat'])
    expect(inherited.effective()).toContain('service: 2026-11')
    expect(chosenIn(loadLater(inherited.effective()))).toEqual(chosenIn(inherited))
  })

  it('is told the nearest month that is known', () => {
    expect(problemsOf(text('2025-01'))).toEqual([
      '3:10 service: "2025-01" is no month in which the service is known to have changed. Known: 2026-11. Did you mean "2026-11"?',
    ])
    expect(() => loadLater(text('2027-07'))).toThrow(/Known: 2026-11, 2027-02, 2027-09\. Did you mean "2027-09"\?/)
    expect(() => loadLater(text('2027-05'))).toThrow(/Did you mean "2027-02"\?/)
    expect(problemsOf(text('last month'))).toHaveLength(1)
    expect(problemsOf(text('2026'))).toEqual([expect.stringContaining('the month of the simulated service')])
  })
})

it('has of any month the default of the last move before it', () => {
  const month = fc
    .integer({ min: 2020 * 12, max: 2040 * 12 })
    .map((n) => `${Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`)
  const moves = fc
    .uniqueArray(month, { maxLength: 5 })
    .map((months) => months.sort().map((until, i) => ({ until, is: `a${i}` })))
  fc.assert(
    fc.property(moves, month, (before, asked) => {
      const one = { alternatives: ['now', 'a0', 'a1', 'a2', 'a3', 'a4'] as const, before }
      const passed = before.filter(({ until }) => until <= asked).length
      expect(defaultAt(one, asked)).toBe(before[passed]?.is ?? 'now')
      expect(defaultAt(one)).toBe('now')
      const known = serviceMonths({ since: '2019-12', assumptions: { one } })
      expect(known).toEqual([...new Set(known)].sort())
      expect(known).toContain(nearestMonth(asked, known))
    }),
  )
})

it('declares moves in order, to alternatives that there are', () => {
  for (const { alternatives, before = [] } of Object.values<
    | (typeof later.assumptions)['error-body']
    | { alternatives: readonly string[]; before?: { until: string; is: string }[] }
  >(later.assumptions)) {
    expect(before.map(({ until }) => until)).toEqual(before.map(({ until }) => until).sort())
    for (const { until, is } of before)
      expect([until, alternatives]).toEqual([
        expect.stringMatching(/^20\d\d-(?:0\d|1[0-2])$/),
        expect.arrayContaining([is]),
      ])
  }
})

describe('a world', () => {
  const bench = useBench({ service: later })

  it('answers as of the month of its scenario', async () => {
    const said = async (service: string) => {
      const world = await bench.world({
        scenario: { name: 'dated', description: 'As of a month.', ...(service !== '' && { service }) },
      })
      const { text: body } = await world.raw('GET', '/api/sandbox/v1/send-money/all')
      const { service: shown, assumptions: all } = await world.control('GET', '/fidelity')
      const { default: byDefault, before } = all.find(({ id }: { id: string }) => id === 'error-body')
      return {
        form: /^\{"error":/.test(body) ? 'nested' : /^\{"errorCode"/.test(body) ? 'flat' : body,
        shown,
        byDefault,
        before,
      }
    }
    const months = ['2026-11', '2027-02', '2027-09']
    const before = [{ until: '2027-02', is: 'flat' }]
    expect(await said('2026-11')).toEqual({
      form: 'flat',
      shown: { month: '2026-11', months },
      byDefault: 'flat',
      before,
    })
    expect(await said('')).toEqual({ form: 'nested', shown: { month: '2027-09', months }, byDefault: 'nested', before })
  })
})
