/** When an app is said never to come to rest: a busy machine is no reason. */
import { expect, it } from 'vitest'
import { NeverQuiet, Restless } from '../../../src/judge/app/restless.ts'

const PATIENCE_MS = 20_000

/** An app and a time that stand where they are put. */
function watched() {
  const at = { nowMs: 0, processorMs: 0 as number | undefined }
  const app = {
    get processorMs() {
      return at.processorMs
    },
  }
  return { at, restless: new Restless(app, PATIENCE_MS, () => at.nowMs) }
}

it('gives an app that gets no processor all the time that it needs', () => {
  const { at, restless } = watched()
  Object.assign(at, { nowMs: 10 * PATIENCE_MS, processorMs: PATIENCE_MS / 2 })
  expect(() => restless.look({ asleep: false, open: 1, begun: 1 })).not.toThrow()
})

it('has enough of one that works on end', () => {
  const { at, restless } = watched()
  at.nowMs = PATIENCE_MS / 2
  restless.look({ asleep: false, open: 0, begun: 0 })
  Object.assign(at, { nowMs: 2 * PATIENCE_MS, processorMs: PATIENCE_MS + 10 })
  expect(() => restless.look({ asleep: false, open: 0, begun: 0 })).toThrow(
    new NeverQuiet('The app did not come to rest within 20 s: it is at work all the time.'),
  )
})

it('has enough of one that sleeps beside a request that it never lets end', () => {
  const { at, restless } = watched()
  for (let looks = 0; looks < 600; looks++) {
    at.nowMs = looks
    restless.look({ asleep: true, open: 1, begun: 1 })
  }
  at.nowMs = PATIENCE_MS + 1
  expect(() => restless.look({ asleep: true, open: 1, begun: 1 })).toThrow(/1 request still under way/)
})

it('goes by the time where the system does not tell more', () => {
  const { at, restless } = watched()
  at.processorMs = undefined
  at.nowMs = PATIENCE_MS
  expect(() => restless.look({ asleep: undefined, open: 0, begun: 0 })).not.toThrow()
  at.nowMs++
  expect(() => restless.look({ asleep: undefined, open: 0, begun: 0 })).toThrow(NeverQuiet)
})

it('goes on with one that asks for something else each time, however slow the machine is', () => {
  const { at, restless } = watched()
  for (let begun = 1; begun < 600; begun++) {
    at.nowMs = begun * 100
    restless.look({ asleep: true, open: 1, begun })
  }
  expect(at.nowMs).toBeGreaterThan(2 * PATIENCE_MS)
})

it('has enough of one that asks again and again, unless the time of the world goes on', () => {
  const { restless } = watched()
  for (let begun = 0; begun < 10_000; begun += 1_000) restless.look({ asleep: true, open: 1, begun, atUs: begun })
  expect(() => restless.look({ asleep: true, open: 1, begun: 13_000, atUs: 9_000 })).toThrow(
    'The app asked the service 4000 times without ever coming to rest.',
  )
})

it('gives an app the same patience again each time that the time of the world goes on', () => {
  const { at, restless } = watched()
  for (let i = 1; i < 40; i++) {
    Object.assign(at, { nowMs: i * PATIENCE_MS, processorMs: i * PATIENCE_MS })
    restless.look({ asleep: i % 2 === 0, open: 1, begun: 0, atUs: i })
  }
  expect(at.processorMs).toBeGreaterThan(30 * PATIENCE_MS)
})
