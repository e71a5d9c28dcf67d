/** Worlds with a past: made by the real commands, in books that balance (the harness holds every world to that). */
import { describe, expect, it } from 'vitest'
import { controlOf } from '../../../src/client/control.ts'
import { Chance } from '../../../src/core/model/chance.ts'
import { must } from '../../../src/core/model/must.ts'
import { unknownFields } from '../../../src/http/validate.ts'
import { populate as makePast } from '../../../src/server/control/populate.ts'
import type { Profile } from '../../../src/service/parts.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { answer } from '../../apps/cli/support.ts'
import { alarms } from '../../support/alarms.ts'
import { TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()
const time = alarms()
const slow = useBench({ time })
const UNTIL = '2025-12-31T21:00:00'
const DAY_US = 86_400_000_000

// biome-ignore lint/suspicious/noExplicitAny: what the control plane answers is looked at field by field
const populate = (body: object): Promise<any> =>
  (controlOf(bench.simulator.baseUrl) as never as (...given: unknown[]) => Promise<unknown>)('POST', '/populate', {
    body: { until: UNTIL, payments: 240, ...body },
  })
const of = (world: { id: string; baseUrl: string }) =>
  new TestWorld(bench.simulator, { ...world, credentials: { apiKey: '', apiSecret: '', companyId: '' } })

describe.each(['payroll', 'shop', 'savings-group'])('the past of a %s', (profile) => {
  it('has as many payments as were asked for, over its months, most of them well ended', async () => {
    const made = await populate({ profile, months: 3 })
    expect(made).toMatchObject({ id: profile, scenario: 'default', from: '2025-09-30T21:00:00.000000Z' })
    expect(made.payments.total).toBe(240)
    const well = made.payments.byKind.filter(({ status }: { status: string }) => /^SUCCE/.test(status))
    expect(well.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBeGreaterThan(180)
    const { payments } = await of(made).control('GET', '/payments?limit=500')
    const days = new Set(payments.map(({ createdAt }: { createdAt: string }) => createdAt.slice(0, 10)))
    expect(days.size).toBeGreaterThan(12)
    const { wallets } = await of(made).control('GET', '/wallets')
    for (const { available } of wallets) expect(available).toBeGreaterThanOrEqual(0)
  })

  it('is made of requests that the service takes', async () => {
    const made = await populate({ profile, payments: 60 })
    const world = of(made).inside
    const found = (await paymentsService.profiles()).find(({ name }) => name === profile)
    const untilUs = Date.parse(`${UNTIL}Z`) * 1000
    const steps = (found as Profile).past({
      fromUs: untilUs - 200 * DAY_US,
      untilUs,
      payments: 150,
      chance: new Chance(3),
    })
    let step = steps.next()
    while (!step.done) step = steps.next()
    const { acts } = step.value
    expect(acts).toHaveLength(150)
    for (const act of acts) {
      if (!('kind' in act)) continue
      const operation = paymentsService.operations.find(({ opens }) => opens === act.kind)
      const body = { ...act.request, callbackUrl: 'https://merchant.example/told' }
      const read = paymentsService.read(must(operation?.body), body, world.core.scenario.assumptions)
      expect(unknownFields(body, read)).toEqual([])
    }
  })
})

describe('a populated world', () => {
  it('ends when it is said to, in the time zone of its scenario unless it has its own', async () => {
    const scenario = 'name: here\ndescription: In Nairobi.\nextends: default\ntimezone: Africa/Nairobi\n'
    const made = await populate({ world: 'here', payments: 3, months: 1, until: '2026-01-01T00:00:00', scenario })
    expect(made.until).toBe('2025-12-31T21:00:00.000000Z')
    const own = await populate({ world: 'own', payments: 3, months: 1, until: '2026-01-01T00:00:00Z', scenario })
    expect(own.until).toBe('2026-01-01T00:00:00.000000Z')
  })

  it('is the same one whenever its seed and its end are', async () => {
    const told = async (world: string, seed: number) => {
      const made = await populate({ world, profile: 'shop', seed })
      const { payments } = await of(made).control('GET', '/payments?limit=500')
      const { wallets } = await of(made).control('GET', '/wallets')
      return JSON.stringify({ payments, wallets }).replaceAll(`/w/${world}`, '')
    }
    const one = await told('one', 7)
    expect(await told('again', 7)).toBe(one)
    expect(await told('other', 8)).not.toBe(one)
  })

  it('goes on: it pays, forks, and is explained', async () => {
    const made = await populate({ profile: 'payroll', scenario: 'stuck-pending' })
    expect(made).toMatchObject({ scenario: 'stuck-pending', clock: { mode: 'realtime' } })
    const world = of(made)
    const { payments } = await world.control('GET', '/payments?limit=1')
    const explained = await world.control('GET', `/payments/${payments[0].uuid ?? payments[0].id}/explain`)
    expect(JSON.stringify(explained)).toContain('ordinary-months')
    const fork = await bench.world({ from: 'payroll', scenario: 'default' })
    await bench.pay(fork)
    expect((await fork.control('GET', '/statistics')).payments.total).toBe(241)
  })

  it('is refused where it cannot be, and then there is none', async () => {
    await expect(populate({ profile: 'sop' })).rejects.toThrow(/payroll, shop, savings-group.*Did you mean "shop"/)
    await expect(populate({ payments: 0 })).rejects.toThrow(/payments/)
    await expect(populate({ scenario: 'no-such' })).rejects.toThrow(/no-such/)
    await populate({ profile: 'shop', payments: 5 })
    await expect(populate({ profile: 'shop', payments: 5 })).rejects.toThrow(/already/)
    expect(bench.simulator.worlds.ids()).toEqual(['default', 'shop'])
    expect(bench.simulator.worlds.get('shop').core.store.payments.span({}).before - 1).toBeGreaterThan(0)
  })

  it('is small where little was asked for', async () => {
    for (const profile of ['payroll', 'shop', 'savings-group'])
      for (const payments of [1, 2, 9]) {
        const made = await populate({ world: `small-${profile}-${payments}`, profile, payments, months: 1 })
        expect(made.payments.total).toBe(payments)
      }
  })
})

it('has caught up with its clock, however long it took to make', async () => {
  const { worlds } = slow.simulator
  const [payroll] = (await paymentsService.profiles()) as [Profile]
  const profile: Profile = {
    ...payroll,
    past(wanted) {
      time.pass(35_000)
      return payroll.past(wanted)
    },
  }
  const later = worlds.chosenScenario(undefined)
  const past = { world: 'late', profile, fromUs: 0, untilUs: 30 * DAY_US, goesOnUs: undefined, later }
  time.pass(31 * 86_400_000)
  const made = await makePast(worlds, { ...past, payments: 5, seed: 1 }, AbortSignal.timeout(60_000))
  expect(made.core.clock.now()).toBe(time.host.wallUs())
})

describe('mfano populate', () => {
  it('says what it made, and saves it to be forked', async () => {
    const url = ['--url', bench.simulator.baseUrl]
    const typed = ['populate', 'duka', '--profile', 'shop', '--payments', '80', '--months', '2', '--until', UNTIL]
    const { code, out, errors } = await answer([...typed, '--snapshot', 'year-end', ...url])
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(out).toMatch(
      /\nworld +duka\npayments +80\nfrom +31 Oct 2025, 21:00:00 UTC\nuntil +31 Dec 2025, 21:00:00 UTC\n/,
    )
    expect(out).toMatch(/\nstk +SUCCESS +\d+\n/)
    expect(out).toContain('mfano world fork duka/year-end')
    expect((await answer(['world', 'fork', 'duka/year-end', 'mine', ...url])).code).toBe(0)
    const wrong = await answer(['populate', '--payments', 'many', ...url])
    expect(wrong).toMatchObject({ code: 2, out: '' })
    expect(wrong.errors).toMatch(/--payments: expected a number, got "many"/)
  })
})
