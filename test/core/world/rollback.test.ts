/** What one commit holds together: clock, scenario and caches are taken back with their command, and turns are gathered. */

import { expect, it } from 'vitest'
import { perform } from '../../../src/core/perform.ts'
import { useBench } from '../../support/harness.ts'
import { fatedScenario, openWorld } from '../../support/inside.ts'

const bench = useBench()

it('leaves clock, scenario and caches as they were when a command behind it in the same work fails', async () => {
  const { inside } = await bench.world()
  const { core } = inside
  const [nowUs, scenario, sent] = [core.clock.now(), core.scenario, inside.feed.newest]
  const failing = inside.commit.submit(() => {
    perform(core, { command: 'set-clock', mode: 'realtime', nowUs: nowUs + 3_600_000_000 })
    perform(core, { command: 'set-scenario', scenario: { ...scenario, name: 'another' } })
    perform(core, { command: 'set-collection-callback', organisationId: 1, url: 'http://127.0.0.1:9/paid' })
    expect(core.store.organisations.byId(1).collectionCallbackUrl).toBe('http://127.0.0.1:9/paid')
    expect([core.clock.mode, core.scenario.name]).toEqual(['realtime', 'another'])
    throw new Error('taken back')
  })
  await expect(failing).rejects.toThrow('taken back')
  expect([core.clock.mode, core.clock.now(), core.scenario]).toEqual(['frozen', nowUs, scenario])
  expect(core.store.organisations.byId(1).collectionCallbackUrl).toBeNull()
  expect(core.store.meta.get<{ mode: string }>('clock')?.mode).toBe('frozen')
  expect(inside.feed.newest).toBe(sent)
})

it('commits what comes in turns behind each other together, and one that is alone at once', () => {
  const turns: (() => void)[] = []
  const { commit } = openWorld(fatedScenario(), { host: { defer: (work) => void turns.push(work) } })
  const done: string[] = []
  const submit = (name: string) => void commit.submit(() => done.push(name))
  submit('first')
  submit('with it')
  turns.shift()?.()
  submit('a turn later')
  turns.shift()?.()
  expect(done).toEqual([])
  turns.shift()?.()
  expect(done).toEqual(['first', 'with it', 'a turn later'])
  submit('alone')
  turns.shift()?.()
  expect(done.at(-1)).toBe('alone')
})
