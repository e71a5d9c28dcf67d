/** Programs that take part in a world's clock: time goes to what they have due, and waits for them, and not for ever. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { Clock } from '../../../src/core/engine/clock.ts'
import { Leases } from '../../../src/core/world/leases.ts'
import { Participants } from '../../../src/core/world/participants.ts'
import { alarms } from '../../support/alarms.ts'
import { useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'
import { TestParticipant } from '../../support/participant.ts'
import { EventReader } from '../../support/stream.ts'

const bench = useBench()

const at = (time: string) => `2025-01-24T16:${time}Z`
/** A timer for each of these instants. */
const timers =
  (...due: string[]) =>
  ({ now }: { now: string }) =>
    due.find((one) => one > now) ?? null

async function join(...given: Parameters<typeof TestParticipant.join>): Promise<TestParticipant> {
  const participant = await TestParticipant.join(...given)
  onTestFinished(() => participant.kill())
  return participant
}

describe('advance', () => {
  it('stops at the timers of a participant, between those of the world', async () => {
    const world = await bench.world()
    const cron = await join(world, 'cron', timers(at('28:00.500000'), at('28:05.000000'), at('29:30.000000')))
    await bench.pay(world)
    const { now, callbacks } = await world.advance('1m')
    expect(now).toBe(at('29:00.000000'))
    expect(callbacks.delivered).toBe(1)
    // The beginning, its own timers, the callback two seconds after the payment, and the target.
    expect([...new Set(cron.instants)]).toEqual([
      at('28:00.000000'),
      at('28:00.500000'),
      at('28:02.000000'),
      at('28:05.000000'),
      at('29:00.000000'),
    ])
    expect(await world.control('GET', '/clock/participants')).toMatchObject({
      participants: [{ name: 'cron', state: 'resting', nextDue: at('29:30.000000'), now: at('29:00.000000') }],
    })
  })

  it('lets what a participant does at an instant happen before time goes on', async () => {
    const world = await bench.world()
    const statuses: string[] = []
    let uuid = ''
    await join(world, 'payroll', async ({ now }) => {
      if (now === at('28:10.000000') && uuid === '') uuid = await bench.pay(world)
      if (now < at('28:10.000000')) return at('28:10.000000')
      if (uuid !== '') statuses.push(`${now} ${(await world.control('GET', `/payments/${uuid}`)).status}`)
      return now < at('28:20.000000') ? at('28:20.000000') : null
    })
    await world.advance('1m')
    expect(statuses[0]).toBe(`${at('28:10.000000')} PENDING`)
    expect(statuses).toContain(`${at('28:20.000000')} SUCCESS`)
    const { timeline } = await world.control('GET', `/payments/${uuid}`)
    expect(JSON.stringify(timeline)).toContain('16:28:12')
  })

  it('goes on where a participant that moved by itself was told something at once', async () => {
    const scenario = {
      name: 'early',
      description: 'The callback comes before the answer.',
      rules: [{ name: 'early', on: 'send-money', then: { after: '0s', end: 'SUCCESS', callback: { early: true } } }],
    }
    const world = await bench.world({ scenario })
    let uuid = ''
    const payroll = await join(world, 'payroll', async ({ now }, { id }) => {
      if (uuid === '' && now > at('28:00.000000')) {
        await world.control('POST', `/clock/participants/${id}/reached`, { now: at('28:10.000000') })
        uuid = await bench.pay(world)
      }
      return now < at('28:05.000000') ? at('28:05.000000') : at('30:00.000000')
    })
    expect(await world.advance('1m')).toMatchObject({ now: at('29:00.000000'), callbacks: { delivered: 1 } })
    expect(payroll.instants).toContain(at('28:10.000000'))
  })

  it('waits for a slow one, and names nobody', async () => {
    const world = await bench.world()
    const slow = await join(world, 'slow', async ({ now }) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return timers(at('28:01.000000'))({ now })
    })
    expect(await world.advance('2s')).not.toHaveProperty('absent')
    expect(slow.instants.at(-1)).toBe(at('28:02.000000'))
  })

  it('goes on without one that does not rest within its lease, and says so', async () => {
    const world = await bench.world()
    await join(world, 'hangs', ({ now }) => (now < at('28:05.000000') ? at('28:05.000000') : undefined), '2s')
    const other = await join(world, 'works', timers(at('28:10.000000')))
    expect(await world.advance('1m')).toMatchObject({
      now: at('29:00.000000'),
      absent: [{ name: 'hangs', why: 'it did not come to rest within its lease', since: at('28:05.000000') }],
    })
    expect(other.instants).toContain(at('28:10.000000'))
    // It is named as long as it lasts, and not waited for once more.
    expect(await world.advance('1m')).toMatchObject({ absent: [{ name: 'hangs', since: at('28:05.000000') }] })
  })

  it('does not wait for one that left while another was waited for', async () => {
    const world = await bench.world()
    let other: TestParticipant | undefined
    await join(world, 'first', async ({ now }) => {
      if (now < at('28:05.000000')) return at('28:05.000000')
      if (other) await world.control('DELETE', `/clock/participants/${other.id}`)
      other = undefined
      return null
    })
    other = await join(world, 'leaves', timers(at('28:05.000000')))
    expect(await world.advance('1m')).toMatchObject({ now: at('29:00.000000') })
  })

  it('goes on without one whose connection ends while it is at work, and says so', async () => {
    const world = await bench.world()
    await join(world, 'dies', ({ now }, self) => {
      if (now < at('28:05.000000')) return at('28:05.000000')
      self.kill()
      return undefined
    })
    expect(await world.advance('1m')).toMatchObject({
      now: at('29:00.000000'),
      absent: [{ name: 'dies', why: 'its connection ended while it was at work', since: at('28:05.000000') }],
    })
    expect(await world.control('GET', '/clock/participants')).toEqual({ participants: [] })
  })

  it.each([
    ['one that has always something due', ['one'], ({ now }: { now: string }) => now, false],
    ['two that wake each other for ever', ['one', 'other'], () => null, true],
  ])('does not wait for %s', async (_, names, work, active) => {
    const world = await bench.world()
    for (const name of names) await join(world, name, work, '10m', active)
    const absent = names.map((name) => ({ name, why: expect.stringContaining('more to do at one instant') }))
    expect(await world.advance('1m')).toMatchObject({ now: at('29:00.000000'), absent })
    // It stays absent until it rests, and costs the next run nothing.
    expect(await world.advance('1m')).toMatchObject({ now: at('30:00.000000'), absent })
  })

  it('ends when its caller leaves', async (context) => {
    needsProcess('callers', context)
    const world = await bench.world()
    let n = 0
    const poller = await join(world, 'poller', ({ now }) => `${now.slice(0, -7)}${String(++n).padStart(6, '0')}Z`)
    const caller = new AbortController()
    const run = fetch(`${world.baseUrl}/_mfano/clock/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"by":"1d"}',
      signal: caller.signal,
    })
    await expect.poll(() => poller.instants.length).toBeGreaterThan(5)
    caller.abort()
    await expect(run).rejects.toThrow()
    expect(await world.control('POST', '/clock/advance', { by: '1d', steps: 1 })).toMatchObject({
      ended: 'limit of steps',
    })
  })

  it('is ended by its real time while a participant works', async () => {
    const world = await bench.world()
    await join(world, 'hangs', ({ now }) => (now < at('28:05.000000') ? at('28:05.000000') : undefined))
    const answer = await world.control('POST', '/clock/advance', { by: '1m', timeout: '2s' })
    expect(answer).toMatchObject({ now: at('28:05.000000'), ended: 'the timeout passed' })
  })

  it('counts timers as due events', async () => {
    const world = await bench.world()
    let n = 0
    await join(world, 'poller', ({ now }) =>
      now > at('28:00.000000') ? new Date(Date.parse(now) + ++n).toISOString() : at('28:01.000000'),
    )
    expect(await world.control('POST', '/clock/advance', { by: '1d', steps: 5 })).toMatchObject({
      ended: 'limit of steps',
    })
  })
})

describe('settle', () => {
  it('goes on while a participant has something due', async () => {
    const world = await bench.world()
    const retry = await join(world, 'retry', timers(at('30:00.000000'), at('40:00.000000')))
    await bench.pay(world)
    expect(await world.control('POST', '/clock/settle', {})).toMatchObject({
      now: at('40:00.000000'),
      ended: 'nothing is due',
    })
    expect(retry.instants).toContain(at('30:00.000000'))
  })
})

describe('a participant', () => {
  it('is told how time goes in a world whose time goes by itself', async () => {
    const world = await bench.world({ clock: { mode: 'scaled', rate: 60 } })
    const app = await join(world, 'app', () => null)
    expect(app.granted[0]).toMatchObject({ rate: 60 })
    await world.advance('1h')
    expect(app.granted.map(({ rate }) => rate)).toContain(0)
    await expect.poll(() => app.granted.at(-1)?.rate).toBe(60)
    await world.control('PATCH', '/clock', { mode: 'frozen' })
    await expect.poll(() => app.granted.at(-1)?.rate).toBe(0)
    await world.control('PATCH', '/clock', { mode: 'realtime' })
    await expect.poll(() => app.granted.at(-1)?.rate).toBe(1)
    const instants = app.granted.map(({ now }) => now)
    expect(instants).toEqual(instants.toSorted())
  })

  it('is not part of a fork or a snapshot, and ends with a reset', async () => {
    const world = await bench.world()
    const app = await join(world, 'app', () => null)
    const fork = await bench.world({ from: world.id })
    expect(await fork.control('GET', '/clock/participants')).toEqual({ participants: [] })
    await world.control('POST', '/snapshots', { name: 'before' })
    await world.control('POST', '/reset')
    await app.over
    expect(await world.control('GET', '/clock/participants')).toEqual({ participants: [] })
    await world.control('POST', '/snapshots/before/restore')
    expect(await world.control('GET', '/clock/participants')).toEqual({ participants: [] })
  })

  it('says whether it is idle when it is looked at', async () => {
    const world = await bench.world()
    const app = await join(world, 'app', () => null)
    expect(await world.control('POST', '/clock/participants/look', {})).toEqual({
      participants: [{ id: app.id, name: 'app', idle: true, requests: 0 }],
    })
  })

  it('leaves, and is not waited for', async () => {
    const world = await bench.world()
    const app = await join(world, 'app', () => undefined)
    await world.control('DELETE', `/clock/participants/${app.id}`)
    expect(await world.advance('1m')).not.toHaveProperty('absent')
    const { status, body } = await world.raw('POST', `/_mfano/clock/participants/${app.id}/rest`, {
      body: { grant: 1, next: null },
    })
    expect([status, body.error.details]).toEqual([404, expect.stringContaining('or the world was reset')])
  })

  it('is gone when it does not read its grants within ten seconds', () => {
    const time = alarms()
    const clock = new Clock({ mode: 'frozen', rate: 1, worldUs: 0, wallUs: 0 }, time.host.wallUs)
    const participants = new Participants({ clock, host: time.host, leases: new Leases(() => {}), epoch: 'e' })
    participants.join('never comes', 60_000)
    time.pass(9_000)
    expect(participants.count).toBe(1)
    time.pass(1_000)
    expect(participants.count).toBe(0)
  })

  it('is read by its newest reader, and the one before is told so', async () => {
    const world = await bench.world()
    const app = await join(world, 'app', () => null)
    const base = `${world.baseUrl}/_mfano/clock/participants/${app.id}`
    const newest = await EventReader.open(`${base}/grants`)
    onTestFinished(() => newest.close())
    await app.over
    expect(app.end).toEqual({ why: 'replaced' })
    expect(await newest.next()).toMatchObject({ event: 'grant', data: { now: at('28:00.000000') } })
  })
})
