/** Drawn schedules of two participants and a world, against a model of what must happen when. */
import { expect, it } from 'vitest'
import type { Grant, RemoteLine } from '../../../src/core/model/remote.ts'
import type { World } from '../../../src/core/world.ts'
import fc, { draws } from '../../support/fast-check.ts'
import { START, useBench } from '../../support/harness.ts'

const bench = useBench()

const SECOND_US = 1_000_000
/** `after` of a payment by its amount in shillings: as many seconds. */
const rules = Array.from({ length: 20 }, (_, i) => ({
  name: `after ${i + 1} s`,
  on: 'send-money',
  when: `request.amount == ${100 + i + 1}`,
  then: { after: `${i + 1}s`, end: 'SUCCESS' },
}))

/** A timer that fires so many seconds after it was set, and then sets others. */
interface Timer {
  afterS: number
  then: Timer[]
}
interface Schedule {
  payments: number[]
  participants: [Timer[], Timer[]]
  moves: number[]
}

const seconds = fc.integer({ min: 1, max: 20 })
const timer: fc.Arbitrary<Timer> = fc.record({
  afterS: seconds,
  then: fc.array(fc.record({ afterS: seconds, then: fc.constant<Timer[]>([]) }), { maxLength: 2 }),
})
const timers = fc.array(timer, { maxLength: 3 })
const schedule: fc.Arbitrary<Schedule> = fc.record({
  payments: fc.array(seconds, { maxLength: 3 }),
  participants: fc.tuple(timers, timers),
  moves: fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 3 }),
})

/** What must happen: at each instant the world's first, then the first participant's, then the other's. */
function model({ payments, participants, moves }: Schedule): string[] {
  const all: { atS: number; who: number }[] = payments.map((atS) => ({ atS, who: 0 }))
  const add = (who: number, fromS: number, list: readonly Timer[]) => {
    for (const { afterS, then } of list) {
      all.push({ atS: fromS + afterS, who })
      add(who, fromS + afterS, then)
    }
  }
  for (const [i, list] of participants.entries()) add(i + 1, 0, list)
  const endS = moves.reduce((sum, by) => sum + by, 0)
  return all
    .filter(({ atS }) => atS <= endS)
    .sort((a, b) => a.atS - b.atS || a.who - b.who)
    .map(({ atS, who }) => `${who} at ${atS}`)
}

/** A program with timers in the world's time, in this process. */
function grantLine(participants: World['participants'], id: string, granted: (grant: Grant) => void): RemoteLine {
  return {
    wake: () => {
      for (const { grant } of participants.take(id)) if (grant) granted(grant)
    },
    end: () => {},
  }
}

function takePart(world: World, who: number, fromUs: number, list: readonly Timer[], happened: string[]): () => void {
  const due: { atUs: number; then: readonly Timer[] }[] = []
  const set = (nowUs: number, more: readonly Timer[]) => {
    for (const { afterS, then } of more) due.push({ atUs: nowUs + afterS * SECOND_US, then })
    due.sort((a, b) => a.atUs - b.atUs)
  }
  set(fromUs, list)
  let lastUs = fromUs
  const { id } = world.participants.join(`participant ${who}`, 60_000)
  const grant = ({ number, nowUs }: Grant) => {
    expect(nowUs, 'time goes back').toBeGreaterThanOrEqual(lastUs)
    expect(due[0]?.atUs ?? nowUs, 'an event is jumped over').toBeGreaterThanOrEqual(nowUs)
    lastUs = nowUs
    let active = false
    while (due[0] && due[0].atUs <= nowUs) {
      const { then } = due.shift() as (typeof due)[number]
      happened.push(`${who} at ${(nowUs - fromUs) / SECOND_US}`)
      set(nowUs, then)
      active = true
    }
    // Later, as by a socket.
    setImmediate(() =>
      world.participants.report(id, { grant: number, nextDueUs: due[0]?.atUs, requests: 0, active, timers: 0 }),
    )
  }
  world.participants.connect(id, grantLine(world.participants, id, grant))
  return () => world.participants.leave(id)
}

it('has everything happen when it is due, in one order, and never lets time go back', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async (drawn) => {
      const world = await bench.world({ scenario: { name: 'seconds', description: 'By amount.', rules } })
      const { inside } = world
      const fromUs = Date.parse(`${START}Z`) * 1000
      const happened: string[] = []
      const stop = inside.feed.listen({
        kind: 'wait',
        happened: (event) => {
          if (event.type === 'payment' && event.to === 'SUCCESS')
            happened.push(`0 at ${(inside.core.clock.now() - fromUs) / SECOND_US}`)
        },
        ended: () => {},
      })
      for (const afterS of drawn.payments)
        await bench.pay(world, { amount: 100 + afterS, callbackUrl: `${world.baseUrl}/_mfano/inbox/all` })
      const leave = drawn.participants.map((list, i) => takePart(inside, i + 1, fromUs, list, happened))
      for (const by of drawn.moves) await inside.runClock({ to: (nowUs) => nowUs + by * SECOND_US })
      expect(happened).toEqual(model(drawn))
      stop()
      for (const one of leave) one()
      await world.control('DELETE', '', undefined).catch(() => {})
    }),
    { numRuns: draws(500) },
  )
})

/** What a participant does at a timer: it moves by itself first, and then pays. */
interface Deed {
  afterS: number
  movesS: number
  /** Whether the callback comes before the answer; undefined where nothing is paid. */
  pays: 'early' | 'late' | undefined
}
const deed: fc.Arbitrary<Deed> = fc.record({
  afterS: seconds,
  movesS: fc.integer({ min: 0, max: 15 }),
  pays: fc.constantFrom('early' as const, 'late' as const, undefined),
})

it('comes to its end whatever a participant that moves by itself does on the way, and sends each callback once', async () => {
  const early = {
    name: 'early',
    on: 'send-money',
    when: 'request.amount == 1',
    then: { after: '0s', end: 'SUCCESS', callback: { early: true } },
  }
  const late = { name: 'late', on: 'send-money', then: { after: '3s', end: 'SUCCESS' } }
  const scenario = { name: 'both', description: 'By amount.', rules: [early, late] }
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 6 }), seconds, async (deeds, byS) => {
      const world = await bench.world({ scenario })
      const { participants, core } = world.inside
      const endUs = core.clock.now() + byS * SECOND_US
      const paid: { atUs: number; pays: string }[] = []
      const { id } = participants.join('payroll', 60_000)
      let dueUs = core.clock.now()
      const due = deeds.map((one) => {
        dueUs += one.afterS * SECOND_US
        return { ...one, dueUs }
      })
      const work = async ({ number, nowUs, beforeUs }: Grant) => {
        let active = false
        for (let next = due[0]; next && next.dueUs <= nowUs; next = due[0]) {
          due.shift()
          active = true
          participants.reached(id, Math.min(nowUs + next.movesS * SECOND_US, beforeUs - 1))
          if (!next.pays) continue
          paid.push({ atUs: core.clock.now(), pays: next.pays })
          await bench.pay(world, {
            amount: next.pays === 'early' ? 1 : 100,
            callbackUrl: `${world.baseUrl}/_mfano/inbox/all`,
          })
        }
        participants.report(id, { grant: number, nextDueUs: due[0]?.dueUs, requests: 0, active, timers: 0 })
      }
      // Later, as by a socket.
      participants.connect(
        id,
        grantLine(participants, id, (one) => void setImmediate(work, one)),
      )
      const { nowUs, ended, callbacks } = await world.inside.runClock({ to: () => endUs })
      expect([nowUs, ended]).toEqual([endUs, 'target_reached'])
      const told = paid.filter(({ atUs, pays }) => pays === 'early' || atUs + 3 * SECOND_US <= endUs)
      expect(callbacks).toEqual({ delivered: told.length, failed: 0 })
      participants.leave(id)
      await world.control('DELETE', '', undefined).catch(() => {})
    }),
    { numRuns: draws(200) },
  )
})
