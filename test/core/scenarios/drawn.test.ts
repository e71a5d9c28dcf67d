import { describe, expect, it } from 'vitest'
import { type Mfano, startMfano, type TestWorld } from '../../../src/apps/testing/index.ts'
import type { WorldOptions } from '../../../src/apps/testing/world-options.ts'
import { defaultsOf, drawnAlternatives } from '../../../src/core/model/assumption.ts'
import { assumptions } from '../../../src/service/assumptions/assumptions.ts'
import { problemsOf } from './support.ts'

/** What is in force in a world, and what decided it, by assumption. */
async function inForce({ baseUrl }: TestWorld): Promise<Record<string, [value: string, chosenBy: string]>> {
  const answer = await fetch(`${baseUrl}/_mfano/fidelity`)
  const shown = (await answer.json()) as { assumptions: { id: string; inForce: string; chosenBy: string }[] }
  return Object.fromEntries(shown.assumptions.map((one) => [one.id, [one.inForce, one.chosenBy]]))
}

const drawnBy = (seed: number) =>
  Object.fromEntries(Object.entries(drawnAlternatives(assumptions, seed)).map(([id, value]) => [id, [value, 'drawn']]))

const scenario = (chosen: unknown, seed = 3) => ({ name: 'chosen', description: 'Chosen.', seed, assumptions: chosen })

describe('drawn assumptions', () => {
  it.each<[string, WorldOptions]>([
    ['a world that is made so', { assumptions: 'drawn', seed: 7 }],
    ['a scenario', { scenario: scenario({ others: 'drawn' }, 7) }],
    ['a scenario whose world has a seed of its own', { scenario: scenario({ others: 'drawn' }), seed: 7 }],
    [
      'a scenario that extends one',
      { scenario: { ...scenario({}, 7), assumptions: { others: 'drawn' }, extends: 'late-reversal' } },
    ],
  ])('come from the seed, in %s', async (_how, options) => {
    await using server = await startMfano()
    const world = await server.world(options)
    expect(await inForce(world)).toEqual(drawnBy(7))
    // The beginning is read from the world's database again, and its scenario from its text.
    await world.reset()
    expect(await inForce(world)).toEqual(drawnBy(7))
    expect(await inForce(await world.fork())).toEqual(drawnBy(7))
  })

  it('leave those that a scenario chooses, and one that is switched later', async () => {
    await using server: Mfano = await startMfano()
    const world = await server.world({ scenario: scenario({ 'error-body': 'flat' }), assumptions: 'drawn' })
    const before = await inForce(world)
    expect(before).toEqual({ ...drawnBy(3), 'error-body': ['flat', 'scenario'] })
    await fetch(`${world.baseUrl}/_mfano/assumptions/list-order`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"value":"newest-first"}',
    })
    expect(await inForce(world)).toEqual({ ...before, 'list-order': ['newest-first', 'scenario'] })
  })

  it('are none by default', async () => {
    await using server = await startMfano()
    const usual = Object.entries(defaultsOf(assumptions)).map(([id, value]) => [id, [value, 'default']])
    expect(await inForce(await server.world())).toEqual(Object.fromEntries(usual))
  })

  it('do not decide whether a scenario can be used', () => {
    const fault = `callbacks: { faults: [{ name: unsigned, on: till, then: { signature: none } }] }`
    const text = (chosen: string, seed: number) =>
      `name: x\ndescription: x.\nseed: ${seed}\n${fault}\nassumptions: { ${chosen} }\n`
    for (const seed of [1, 2, 3, 4]) {
      expect(problemsOf(text('others: drawn', seed))).toEqual([
        expect.stringMatching(/whether callbacks are signed is drawn here/),
      ])
      expect(problemsOf(text('others: drawn, callback-signature: standard-webhooks', seed))).toEqual([])
    }
  })

  it.each([
    ['assumptions: drawn', /Found the text "drawn"/],
    ['assumptions: { others: default }', /"default" is not known here\. Possible: drawn\./],
    ['assumptions: { eror-body: flat, lst-order: newest-first }', /Did you mean "error-body"\?/],
  ])('%s is told how to write it', (line, said) => {
    expect(problemsOf(`name: x\ndescription: x.\n${line}\n`)[0]).toMatch(said)
  })
})
