/** The methods of the kits for test suites that are no operations, with their examples, from their doc comments. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { code } from './entry.ts'

const folder = join(import.meta.dirname, '../../../src/apps/testing')

/** Classes in the order of the page, each with how a test reaches it. */
const classes = [
  ['mfano.ts', 'Mfano', 'mfano'],
  ['test-world.ts', 'TestWorld', 'world'],
  ['world-clock.ts', 'WorldClock', 'world.clock'],
  ['world-inbox.ts', 'WorldInbox', "world.inbox('name')"],
] as const

/** A doc comment of a public method, and the line of its name. */
const METHOD =
  /^ {2}(?:\/\*\*(?<doc>(?:(?!\*\/)[\s\S])*?)\*\/\n {2})?(?:async )?(?<name>[a-z]\w*)(?:<[^(]*>)?\((?<given>[^{}]*?(?:\{[^{}]*\}[^{}]*?)*)\)(?:: (?<answer>[^{]+(?:\{[^{}]*\}[^{]*)?))? \{$/gm

export function kitMethods(): string {
  return classes
    .map(([file, name, reached]) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const from = text.indexOf(`export class ${name}`)
      const methods = Array.from(text.slice(from).matchAll(METHOD), ({ groups = {} }) => groups)
      const public_ = methods.filter((one) => one['name'] !== 'constructor')
      return [`## ${reached}`, ...public_.map((one) => entryOf(reached, one))].join('\n\n')
    })
    .join('\n\n')
}

function entryOf(reached: string, { name = '', given = '', doc = '' }: Record<string, string | undefined>): string {
  const lines = doc.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
  const at = lines.findIndex((line) => line.startsWith('@example'))
  const told = (at < 0 ? lines : lines.slice(0, at)).join('\n')
  const [about = '', ...parameters] = told.split(/\n@param /)
  const example =
    at < 0
      ? ''
      : lines
          .slice(at + 1)
          .join('\n')
          .trim()
  return [
    `### ${reached.replace(/\('name'\)/, '')}.${name}`,
    code(`${reached}.${name}(${given.replaceAll(/\s+/g, ' ').trim()})`),
    about.replaceAll(/\s+/g, ' ').trim(),
    parameters
      .map(
        (one) =>
          `- ${one
            .replace(/^(\w+) /, '`$1`: ')
            .replaceAll(/\s+/g, ' ')
            .trim()}`,
      )
      .join('\n'),
    example.replace('```ts', '```ts'),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
