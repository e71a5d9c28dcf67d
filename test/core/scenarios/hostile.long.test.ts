/** Whatever text comes, the loader answers with a scenario or with problems that have a place, and soon. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import fc, { draws, sample } from '../../support/fast-check.ts'
import { lint, lintSoon, megabyte, soon } from './lint-soon.ts'
import { shippedNames, shippedText } from './support.ts'

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
      ...[
        'name:',
        'rules:',
        '- ',
        '{',
        '}',
        '[',
        ']',
        ',',
        ': ',
        '? ',
        '&a ',
        '*a',
        '!t ',
        '|',
        '>-',
        '"',
        "'",
        '#',
        '\n',
        '\n  ',
        '\n    ',
        '\t',
        '---',
        '...',
        '%YAML',
      ],
      ...[
        'extends: none',
        'on: till',
        'then: ',
        'when: ',
        'after: 1s',
        'end: FAILED',
        'refuse',
        'request.amount',
        'has(',
        ')',
        ' == 1',
        ' && ',
        '.matches("',
        '__proto__',
        'constructor',
        '<<: ',
        '~',
        'null',
        '1e999',
        '.inf',
        '0x',
      ],
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

  // The other parts of YAML are in megabytes.night.test.ts.
  it.each(sample(['[', '- ', '"', '&a ', 'a: b: ', '- >\n', '}\n', '@x\n']))('a megabyte of %j', (part) => {
    lintSoon(`name: x\nrules:\n${megabyte(part)}`)
    lintSoon(`name: "${megabyte(part)}`)
  })

  it.each(sample(['\\q', '\\x', '\\u00', '\\q\n', '\\']))('a megabyte of %j in quotes', (part) => {
    lintSoon(`name: "${megabyte(part)}"`)
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
