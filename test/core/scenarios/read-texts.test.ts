/** What is kept of a text between starts: the scenario is the same one, and whatever is wrong with the keeping changes nothing. */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadedLibraries } from '../../../src/core/loaded-libraries.ts'
import type { Libraries } from '../../../src/core/model/libraries.ts'
import { loadScenario } from '../../../src/core/scenarios/load.ts'
import type { TextCache } from '../../../src/core/source-text.ts'
import { readTexts } from '../../../src/hosts/node/storage/read-texts.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { decide, inShort, reader, shippedText } from './support.ts'

describe('texts that were read before', () => {
  let directory: string
  let texts: TextCache
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'mfano-texts-'))
    texts = readTexts(directory) as TextCache
  })
  afterEach(() => rmSync(directory, { recursive: true }))
  const load = (text: string, file: string, cache?: TextCache) =>
    loadScenario(text, { file, read: reader(), service: paymentsService, libraries: loadedLibraries, texts: cache })
  const said = (scenario: ReturnType<typeof load>) => ({
    effective: scenario.effective(),
    rules: scenario.rules,
    faults: scenario.faults,
    callbackFaults: scenario.callbackFaults,
    rails: scenario.rails,
    warnings: scenario.warnings(),
    parameters: scenario.parameters,
  })

  it.each(['default', 'payout-limits', 'callback-forged', 'weekend-maintenance', 'rate-limited'])(
    '%s is the same scenario, read from what was kept',
    (name) => {
      const text = shippedText(name)
      const anew = said(load(text, `scenarios/${name}.yaml`))
      expect(said(load(text, `scenarios/${name}.yaml`, texts))).toEqual(anew)
      expect(said(load(text, `scenarios/${name}.yaml`, texts))).toEqual(anew)
    },
  )

  it('decide as they did, by conditions that are compiled when they are asked', () => {
    const text = shippedText('default')
    for (let start = 0; start < 2; start++) {
      const scenario = load(text, 'scenarios/default.yaml', texts)
      expect(inShort(decide(scenario, 'send-money', { amount: 404.01 }))).toBe('2s FAILED')
      expect(inShort(decide(scenario, 'send-money', { amount: 404.02 }))).toBe('2s SUCCESS')
    }
  })

  it('need no library a second time', () => {
    const options = { file: 'scenarios/default.yaml', read: reader(), service: paymentsService, texts }
    const none = () => {
      throw new Error('a library was asked for')
    }
    const libraries: Libraries = { yaml: none, cel: none, re2: none }
    expect(() => loadScenario(shippedText('default'), { ...options, libraries })).toThrow('a library was asked for')
    loadScenario(shippedText('default'), { ...options, libraries: loadedLibraries })
    expect(loadScenario(shippedText('default'), { ...options, libraries }).name).toBe('default')
  })

  it('are not read a second time', () => {
    const text = 'name: mine\ndescription: Mine.\n'
    texts.put(text, { value: { name: 'another', description: 'Kept.' }, offsets: {} })
    expect(load(text, 'mine.yaml', texts).name).toBe('another')
  })

  it('are read anew where what was kept cannot be used', () => {
    load(shippedText('default'), 'scenarios/default.yaml', texts)
    const [file] = readdirSync(directory)
    const path = join(directory, file as string)
    const kept = readFileSync(path, 'utf8')
    for (const broken of ['', 'null', kept.slice(0, -1), kept.replace('404.01', '777.07')]) {
      writeFileSync(path, broken)
      const scenario = load(shippedText('default'), 'scenarios/default.yaml', texts)
      expect(inShort(decide(scenario, 'send-money', { amount: 404.01 }))).toBe('2s FAILED')
    }
  })

  it('are read anew where another text with the same sum was kept', () => {
    const text = 'name: mine\ndescription: Mine.\n'
    load(text, 'mine.yaml', texts)
    const [file] = readdirSync(directory)
    texts.put('name: other\n', { value: { name: 'other', description: 'Other.' }, offsets: {} })
    const [other] = readdirSync(directory).filter((name) => name !== file)
    renameSync(join(directory, other as string), join(directory, file as string))
    expect(load(text, 'mine.yaml', texts).name).toBe('mine')
  })

  it('are kept by nobody who cannot write, which nobody notices', () => {
    writeFileSync(join(directory, 'file'), '')
    const nowhere = readTexts(join(directory, 'file', 'below'))
    expect(load(shippedText('default'), 'scenarios/default.yaml', nowhere).name).toBe('default')
  })

  it('are not kept when something is wrong with them, or filled in', () => {
    expect(() => load('extends: none\ndescription: 5\nname: typo', 'typo.yaml', texts)).toThrow(/description/)
    const filled = `name: filled\ndescription: Filled in.\nparameters: { limit: { default: 5 } }\nrules:\n  - { name: one, on: till, when: 'request.amount > \${limit}', then: { after: 1s, end: FAILED } }\n`
    load(filled, 'filled.yaml', texts)
    const kept = readdirSync(directory).map((file) => readFileSync(join(directory, file), 'utf8'))
    expect(kept.filter((text) => text.includes('typo') || text.includes('filled'))).toEqual([])
  })
})
