/** Whatever text comes, the loader answers with a scenario or with problems that have a place, and soon. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadedLibraries } from '../../../src/core/loaded-libraries.ts'
import { type Problem, ScenarioError } from '../../../src/core/model/problems.ts'
import type { LoadOptions } from '../../../src/core/scenarios/keys/chain.ts'
import { loadScenario } from '../../../src/core/scenarios/load.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { countCalls } from '../../support/count-calls.ts'
import fc, { draws, sample } from '../../support/fast-check.ts'
import { dayOrNight } from '../../support/night.ts'
import { shippedNames, shippedText } from './support.ts'

const BASE = 'name: base\ndescription: A base.\nextends: none\n'
const options: LoadOptions = {
  file: 'hostile.yaml',
  read: () => ({ file: 'base.yaml', text: BASE }),
  service: paymentsService,
  libraries: loadedLibraries,
  known: shippedNames,
}

/**
 * Calls of functions, which are as many on every machine: 9 million in the longest text here, 18 million in a property
 * with all its draws. What takes the square of a text's length would be far beyond.
 */
const MOST_CALLS = 30_000_000

/** Whatever is said of it; what can be used is looked at for what comes to nothing, too. */
function problemsAndWarnings(text: string): readonly Problem[] {
  try {
    return loadScenario(text, options).warnings()
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems
    throw error
  }
}

/** Lints a text; fails when that takes out of all proportion, or says what has no place. */
function lintSoon(text: string): void {
  soon(() => lint(text))
}

/** Works, and fails when that takes more than any text may, or many short ones. */
function soon(work: () => void): void {
  const calls = countCalls(work)
  expect(calls).toBeGreaterThan(0)
  expect(calls).toBeLessThan(MOST_CALLS)
}

/** Lints a text; fails when what is said of it has no place. */
function lint(text: string): void {
  const lines = text.split('\n')
  for (const { line, column, message } of problemsAndWarnings(text)) {
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines.length)
    expect(column).toBeGreaterThanOrEqual(1)
    expect(message.length).toBeLessThan(3000)
  }
}

/** As much of a part as is read. */
const fullOf = (part: string): string => part.repeat(Math.floor(249_000 / part.length))

type Place = readonly (string | number)[]

/** Every place in a value, itself aside. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
  return keys.flatMap((key) => [[...at, key], ...placesIn((value as Record<string, unknown>)[key], [...at, key])])
}

function changedAt(whole: unknown, path: Place, put: unknown): unknown {
  const changed = structuredClone(whole)
  const owner = path.slice(0, -1).reduce((inner, key) => (inner as Record<string | number, unknown>)[key], changed)
  Object.assign(owner as object, { [path.at(-1) as string | number]: put })
  return changed
}

describe('the loader survives', () => {
  it('any text', () => {
    soon(() =>
      fc.assert(
        fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => lint(text)),
        { numRuns: draws(500) },
      ),
    )
  }, 60_000)

  it('any JSON', () => {
    soon(() =>
      fc.assert(
        fc.property(fc.json(), (text) => lint(text)),
        { numRuns: draws(300) },
      ),
    )
  }, 60_000)

  it('words and signs of YAML and CEL in any order', () => {
    const word = fc.constantFrom(
      ...'name: rules: { } [ ] , *a | >- " \' # --- ... %YAML refuse request.amount has( ) __proto__'.split(' '),
      ...'constructor ~ null 1e999 .inf 0x .matches("'.split(' '),
      ...['- ', ': ', '? ', '&a ', '!t ', '\n', '\n  ', '\n    ', '\t', '<<: ', ' == 1', ' && '],
      ...['extends: none', 'on: till', 'then: ', 'when: ', 'after: 1s', 'end: FAILED'],
    )
    soon(() =>
      fc.assert(
        fc.property(fc.array(word, { maxLength: 60 }), (words) => lint(words.join(''))),
        { numRuns: draws(2000) },
      ),
    )
  }, 60_000)

  it('a shipped scenario with something cut out or put in', () => {
    const text = shippedText('bank-name-mismatch')
    soon(() =>
      fc.assert(
        fc.property(fc.nat(text.length), fc.nat(40), fc.string({ maxLength: 10 }), (at, length, put) => {
          lint(text.slice(0, at) + put + text.slice(at + length))
        }),
        { numRuns: draws(500) },
      ),
    )
  }, 60_000)

  it.each(sample(['{"toString":1,"valueOf":1,"toJSON":1}', '{"toString":1}', '[{"toString":1}]']))(
    'a shipped scenario with %s, of which no text can be made, in any place',
    (odd) => {
      const asked = new Set<string>()
      for (const name of shippedNames) {
        const whole = parse(shippedText(name))
        for (const path of placesIn(whole)) {
          // A rule is as good as the next one.
          const place = path.map((part) => (typeof part === 'number' ? '*' : part)).join('.')
          if (asked.has(place)) continue
          asked.add(place)
          lint(JSON.stringify(changedAt(whole, path, JSON.parse(odd))))
        }
      }
      expect(asked.size).toBeGreaterThan(100)
    },
    60_000,
  )

  it('any expression', () => {
    const word = fc.constantFrom(
      ...[
        ...'request . amount remarks ( ) [ ] { } 1 1.0 2u "a"'.split(' '),
        "'",
        ' && ',
        '||',
        '!',
        '-',
        '%',
        ' in ',
        ...'? : , has size matches exists map x nth now cel bind similarity payee null true == <'.split(' '),
      ],
    )
    soon(() =>
      fc.assert(
        fc.property(fc.array(word, { maxLength: 25 }), (words) => {
          const rule = {
            name: 'r',
            on: 'send-money',
            when: words.join('') || 'x',
            then: { after: '1s', end: 'FAILED' },
          }
          lint(
            JSON.stringify({
              name: 'x',
              description: 'x',
              extends: 'none',
              rules: [rule, { ...rule, name: 'rest', when: undefined }],
            }),
          )
        }),
        { numRuns: draws(3000) },
      ),
    )
  }, 60_000)

  const parts = ['[', '- ', '"', '&a ', 'a: b: ', '- >\n', '}\n', '@x\n']
  const others = [
    ...['{', '? ', ': ', "'", '*a ', '!x ', '|\n', '#\n', '\n', '\t', '---\n', '{a: ', '[a, ', '%X\n', '...\n', ']'],
    ...['\u0000', '\u001f{', 'a:\n', '? a\n', '{a: b}\n', '"\\q', "''x", '- {}\n', '- [a\n', 'a: "b" c\n', '\r\n'],
    ...['\ufeff', '- - - x\n'],
  ]

  it.each(dayOrNight(sample(parts), [...parts, ...others]))('a full text of %j', (part) => {
    lintSoon(`name: x\nrules:\n${fullOf(part)}`)
    lintSoon(`name: "${fullOf(part)}`)
  })

  it.each(sample(['\\q', '\\x', '\\u00', '\\q\n', '\\']))('a full text of %j in quotes', (part) => {
    lintSoon(`name: "${fullOf(part)}"`)
  })

  it('a hundred thousand unknown words', () => {
    const words = Array.from({ length: 10 }, (_, i) => `word${i}: 1`).join(', ')
    lintSoon(`name: x\nrules:\n${`- {${words}}\n`.repeat(9_999)}`)
    lintSoon(`name: x\nrules:\n${`- {${words}}\n`.repeat(1_999)}`)
  })

  it('conditions that are long to compare', () => {
    // No rule holds wherever an earlier one does, which takes all comparisons to find out.
    const part = (i: number) => Array.from({ length: 60 }, (_, j) => `request.amount > ${1_000 - i - j}.5`).join(' || ')
    const rules = Array.from(
      { length: 300 },
      (_, i) => `- {name: r${i}, on: till, when: '${part(i)}', then: {after: 1s, end: FAILED}}\n`,
    )
    lintSoon(
      `name: x\ndescription: x\nrules:\n${rules.join('')}- {name: rest, on: till, then: {after: 1s, end: FAILED}}\n`,
    )
  }, 60_000)

  it('as many rules as are read', () => {
    const rules = Array.from(
      { length: 1_999 },
      (_, i) => `- {name: r${i}, on: till, when: request.amount == ${i}, then: {after: 1s, end: NO}}\n`,
    )
    lintSoon(`name: x\ndescription: x\nextends: none\nrules:\n${rules.join('')}`)
  }, 60_000)
})
