/** The library as a whole: every scenario says what to do and which risk it is. What it does is in days.test.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { shippedScenarios } from '../../src/hosts/node/package.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import { riskOfScenario } from '../../src/judge/subject/risks.ts'

const names = shippedScenarios()
const folder = join(import.meta.dirname, '../../scenarios')

it('says of every scenario but the ordinary one what to do about it', () => {
  const silent = names.filter((name) => !/^# What to do: /m.test(readFileSync(join(folder, `${name}.yaml`), 'utf8')))
  expect(silent).toEqual(['default'])
})

it('says of every scenario but the ordinary one which risk it is', () => {
  const without = names.filter(
    (name) => riskOfScenario(readFileSync(join(folder, `${name}.yaml`), 'utf8')) === undefined,
  )
  expect(without).toEqual(['default'])
})

it('has knobs that can be turned from the command line, each with a word about it', () => {
  const library = scenarioLibrary()
  const knobs = names.flatMap((name) => library.shipped(name).parameters.map((knob) => ({ ...knob, scenario: name })))
  expect(knobs.length).toBeGreaterThan(50)
  expect(knobs.filter(({ description }) => !/\w+ \w+/.test(description ?? ''))).toEqual([])
  for (const name of names) {
    const { parameters } = library.shipped(name)
    // As the command line gives them: every value is a text.
    const given = Object.fromEntries(parameters.map(({ name: knob, default: usual }) => [knob, String(usual)]))
    expect(library.shipped(name, given).parameters, name).toEqual(parameters)
  }
})
