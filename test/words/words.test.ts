import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folder } from '../support/folder.ts'
import { measured, sentencesOf } from './rules.ts'
import { uiTexts } from './ui-texts.ts'

// The rules of plain words; `node test/words/check.ts` holds the pages to them.

const why = (markdown: string) => measured(markdown).problems.map((one) => one.why)

it.each([
  ['# Title\n\nList payments. Freeze the clock with `mfano clock set frozen`.'],
  ['What is a world? A world is a sandbox.'],
  ['```text\nWho reads this; it is output.\n```'],
  ['| a | b |\n| --- | --- |\n| one | `mfano clock advance 5m` and what it prints |'],
])('takes %j', (markdown) => {
  expect(why(markdown)).toEqual([])
})

it.each([
  [`${'word '.repeat(26)}.`, /at most 25 words, not 26/],
  [`- ${'word '.repeat(26)}.`, /at most 25 words/],
  [`| a |\n| --- |\n| ${'word '.repeat(13)} |`, /table cell has at most 12 words, not 13/],
  ['Who adds a reset has one app.', /begin with the subject, not with "Who"/],
  ['Freeze the clock; advance it.', /a semicolon is two sentences/],
  [`${'Short words here. '.repeat(40)}`, /a paragraph has at most four lines/],
])('refuses %j', (markdown, expected) => {
  expect(why(markdown).join('\n')).toMatch(expected)
})

it('tells the line of a problem', () => {
  expect(measured('# Title\n\nFine.\n\n- Fine.\n- Not; fine.\n').problems).toMatchObject([{ line: 6 }])
})

it('counts code as one word, and splits at the ends of sentences', () => {
  expect(measured('Run `mfano clock advance 5m` now.').longestSentence).toBe(3)
  expect(sentencesOf('Write 1.5 or KES 2.00. It is fine.')).toEqual(['Write 1.5 or KES 2.00.', 'It is fine.'])
})

it('reads what programs show: elements of pages, and properties that hold words', () => {
  const page = [
    `const flag = { name: "as it is", help: \`The most \${unit} of real time.\` }`,
    'export const Page = () => (',
    '  <Text className="two words" title="Copy the id">',
    '    Send <b>a payment</b> to {name},',
    '    and wait.',
    '  </Text>',
    ')',
  ]
  expect(uiTexts(join(folder({ 'page.tsx': page.join('\n') }), 'page.tsx'))).toEqual([
    { line: 1, text: 'The most x of real time.' },
    { line: 3, text: 'Copy the id' },
    { line: 3, text: 'Send a payment to x, and wait.' },
  ])
})
