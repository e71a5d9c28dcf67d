/** `mfano scenario list`: lists the shipped scenarios. */
import { shippedScenarios } from '../../../hosts/node/package.ts'
import { CLEAN, type CliCommand, formatFlags, formatOf } from '../command.ts'

const formats = ['text', 'json', 'markdown'] as const

export const listCommand: CliCommand = {
  name: 'list',
  summary: 'List the shipped scenarios.',
  flags: formatFlags(formats, 'Output for people, programs, or as a page with every detail.'),
  examples: ['mfano scenario list', 'mfano scenario list --json', 'mfano scenario list --format markdown'],
  run: async (given, output) => {
    const [{ scenarioLibrary }, service] = await Promise.all([
      import('../../../hosts/node/scenarios.ts'),
      given.service(),
    ])
    const library = scenarioLibrary(service)
    const scenarios = shippedScenarios().map((name) => library.shipped(name))
    const listed = scenarios.map(({ name, description, zone }) => ({
      name,
      description: oneLine(description),
      timezone: zone.name,
    }))
    const format = formatOf<(typeof formats)[number]>(given)
    if (format === 'markdown') {
      const { catalogueOf } = await import('./catalogue.ts')
      output.out(catalogueOf(scenarios, 'default', service))
    } else if (format === 'json') output.out(`${JSON.stringify(listed, null, 2)}\n`)
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
