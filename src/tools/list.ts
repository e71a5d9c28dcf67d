import { styleText } from 'node:util'
import { scenarioLibrary, shippedScenarios } from '../platform/scenarios.ts'
import { CLEAN, type Command } from './command.ts'

const formats = ['text', 'json'] as const

/** `mfano scenario list`: what is shipped, each with its sentence. */
export const listCommand: Command = {
  name: 'list',
  words: '',
  count: [0, 0],
  summary: 'Lists the scenarios that are shipped, each with its sentence.',
  flags: [
    {
      name: 'format',
      value: formats.join('|'),
      help: 'For people, or for programs.',
      choices: formats,
      byDefault: 'text',
    },
  ],
  examples: ['mfano scenario list', 'mfano scenario list --format json'],
  run: (given, output) => {
    const library = scenarioLibrary()
    const listed = shippedScenarios().map((name) => ({ name, description: oneLine(library.shipped(name).description) }))
    if (given.get('format') === 'json') output.out(`${JSON.stringify(listed, null, 2)}\n`)
    else {
      const width = Math.max(...listed.map(({ name }) => name.length))
      const bold = (text: string) => (output.colours ? styleText('bold', text, { validateStream: false }) : text)
      output.out(listed.map(({ name, description }) => `${bold(name.padEnd(width))}  ${description}\n`).join(''))
    }
    return CLEAN
  },
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
