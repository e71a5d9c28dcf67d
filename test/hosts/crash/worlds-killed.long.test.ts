import { readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { durabilities } from '../../../src/hosts/node/settings.ts'
import { START } from '../../support/harness.ts'
import { dataDirectory } from '../../support/restart.ts'
import { gone, type Started, start } from './started.ts'

// The real program, killed while it makes, forks, resets, takes back and removes worlds. Each stands as it was before or
// as it was to be: what was answered, and of the one thing that was not answered either.

const ROUNDS = 12
/** Of a round, at most. */
const DEEDS = 12

/** Payments in a world; undefined: there is no such world. */
type State = number | undefined

/** What is done to a world, and what becomes of it. */
interface Deed {
  ask: readonly [method: string, path: string, body?: object]
  world: string
  then: State
}

const pay = (world: string): Deed['ask'] => [
  'POST',
  `/w/${world}/_mfano/collections/stk`,
  { phoneNumber: '254712345678', amount: 5 },
]

/** Something that can be done to worlds as they are. `base` has a snapshot of three payments. */
function nextDeed(chance: Chance, n: number, worlds: ReadonlyMap<string, State>): Deed {
  const draw = chance.of('deed', n)
  const known = [...worlds].filter(([id, payments]) => id !== 'base' && payments !== undefined)
  const fresh = `w${n}`
  const made: Deed[] = [
    { ask: ['POST', '/_mfano/worlds', { id: fresh }], world: fresh, then: 0 },
    {
      ask: ['POST', '/_mfano/worlds', { id: fresh, clock: { mode: 'frozen', start: START } }],
      world: fresh,
      then: 0,
    },
    { ask: ['POST', '/_mfano/worlds', { id: fresh, from: 'base' }], world: fresh, then: worlds.get('base') },
    { ask: ['POST', '/_mfano/worlds', { id: fresh, from: 'base/three' }], world: fresh, then: 3 },
  ]
  const [id, payments] = known[draw.below(Math.max(1, known.length))] ?? []
  if (id === undefined || payments === undefined) return made[draw.below(made.length)] as Deed
  const changed: Deed[] = [
    { ask: pay(id), world: id, then: payments + 1 },
    { ask: ['POST', `/w/${id}/_mfano/reset`], world: id, then: 0 },
    { ask: ['POST', `/w/${id}/_mfano/snapshots/three/restore?world=base`], world: id, then: 3 },
    { ask: ['DELETE', `/_mfano/worlds/${id}`], world: id, then: undefined },
  ]
  const all = [...made, ...changed]
  return all[draw.below(all.length)] as Deed
}

async function stateOf({ call }: Started, world: string): Promise<State> {
  const { status, body } = await call('GET', `/w/${world}/_mfano/payments`)
  if (status === 404) return undefined
  expect(status, JSON.stringify(body)).toBe(200)
  return body.total
}

/** What is there only while a world is being put in its place. */
function unfinished(directory: string): string[] {
  return readdirSync(directory).filter((name) => /\.(?:before|new)$/.test(name))
}

/** Resolves when a world is being put in its place, or when what was asked for is done. */
async function underWay(directory: string, asked: Promise<unknown>): Promise<void> {
  let done = false
  const end = () => {
    done = true
  }
  void asked.then(end, end)
  while (!done && unfinished(directory).length === 0) await setImmediate()
}

test.each(durabilities)(
  `killed ${ROUNDS} times among its worlds, it has each as it was or as it was to be, with durability %s`,
  { timeout: 120_000 },
  async (durability) => {
    const directory = dataDirectory()
    const chance = new Chance(20260124)
    const restart = () => start(directory, '--durability', durability)
    const worlds = new Map<string, State>()

    const first = await restart()
    await first.call('POST', '/_mfano/worlds', { id: 'base', clock: { mode: 'frozen', start: START } })
    for (let i = 0; i < 3; i++) await first.call(...pay('base'))
    expect((await first.call('POST', '/w/base/_mfano/snapshots', { name: 'three' })).status).toBe(201)
    worlds.set('base', 3)
    await first.program.kill()

    for (let round = 1, n = 0; round <= ROUNDS; round++) {
      const started = await restart()
      const last = chance.of('kill', round).below(DEEDS)
      for (let i = 0; i < last; i++) {
        const { ask, world, then } = nextDeed(chance, ++n, worlds)
        const { status, body } = await started.call(...ask)
        expect(status, `${ask.join(' ')}: ${JSON.stringify(body)}`).toBeLessThan(300)
        worlds.set(world, then)
      }
      const { ask, world, then } = nextDeed(chance, ++n, worlds)
      const asked = started.call(...ask).catch(gone)
      await underWay(directory, asked)
      // Any moment of it will do.
      for (let looks = chance.of('looks', round).below(25); looks > 0; looks--) readdirSync(directory)
      await started.program.kill()
      const answered = (await asked) !== undefined

      const after = await restart()
      const found = await stateOf(after, world)
      expect(answered ? [then] : [worlds.get(world), then], ask.join(' ')).toContain(found)
      worlds.set(world, found)
      for (const [id, payments] of worlds)
        expect(await stateOf(after, id), `${id} after ${ask.join(' ')}`).toBe(payments)
      const { body } = await after.call('GET', '/_mfano/worlds')
      const listed = body.worlds.map(({ id, problem }: { id: string; problem?: unknown }) => ({ id, problem }))
      const expected = [
        'default',
        ...[...worlds]
          .filter(([, state]) => state !== undefined)
          .map(([id]) => id)
          .sort(),
      ]
      expect(listed).toEqual(expected.map((id) => ({ id, problem: undefined })))
      await after.program.kill()
      expect(unfinished(directory)).toEqual([])
    }
  },
)
