/** `mfano scenario list`: lists the shipped scenarios. */
import { shippedScenarios } from '../../../hosts/node/package.ts'
import { CLEAN, type CliCommand, jsonFlag } from '../command.ts'

export const listCommand: CliCommand = {
  name: 'list',
  summary: 'List the shipped scenarios.',
  flags: [jsonFlag],
  examples: ['mfano scenario list', 'mfano scenario list --json'],
  run: async (given, output) => {
    const { scenarioLibrary } = await import('../../../hosts/node/scenarios.ts')
    const library = scenarioLibrary()
    const scenarios = shippedScenarios().map((name) => library.shipped(name))
    const listed = scenarios.map(({ name, description, zone }) => ({
      name,
      description: oneLine(description),
      timezone: zone.name,
    }))
    if (given.has('json')) output.out(`${JSON.stringify(listed, null, 2)}\n`)
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
