import { shippedScenarios } from '../../platform/shipped.ts'
import { CLEAN, type Command, formatFlags, formatOf } from '../command.ts'

const formats = ['text', 'json'] as const

/** `mfano scenario list`: what is shipped, each with its sentence. */
export const listCommand: Command = {
  name: 'list',
  words: '',
  count: [0, 0],
  summary: 'Lists the scenarios that are shipped, each with its sentence.',
  flags: formatFlags(formats),
  examples: ['mfano scenario list', 'mfano scenario list --json'],
  run: async (given, output) => {
    const { scenarioLibrary } = await import('../../platform/scenarios.ts')
    const library = scenarioLibrary()
    const listed = shippedScenarios().map((name) => ({ name, description: oneLine(library.shipped(name).description) }))
    if (formatOf(given) === 'json') output.out(`${JSON.stringify(listed, null, 2)}\n`)
    else {
      const width = Math.max(...listed.map(({ name }) => name.length))
      const line = (name: string, text: string) => `${output.paint('bold', name.padEnd(width))}  ${text}\n`
      output.out(listed.map(({ name, description }) => line(name, description)).join(''))
    }
    return CLEAN
  },
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
