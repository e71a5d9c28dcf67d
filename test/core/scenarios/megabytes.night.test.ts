/** What hostile.long.test.ts asks of some parts of YAML, of all the others. */
import { it } from 'vitest'
import { lintSoon, megabyte } from './lint-soon.ts'

it.each([
  '{',
  '? ',
  ': ',
  "'",
  '*a ',
  '!x ',
  '|\n',
  '#\n',
  '\n',
  '\t',
  '---\n',
  '{a: ',
  '[a, ',
  '%X\n',
  '...\n',
  '\u0000',
  '\u001f{',
  ']',
  'a:\n',
  '? a\n',
  '{a: b}\n',
  '"\\q',
  "''x",
  '- {}\n',
  '- [a\n',
  'a: "b" c\n',
  '\r\n',
  '\ufeff',
  '- - - x\n',
])('the loader survives a megabyte of %j', (part) => {
  lintSoon(`name: x\nrules:\n${megabyte(part)}`)
  lintSoon(`name: "${megabyte(part)}`)
})
