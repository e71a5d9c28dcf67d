/** The command `mfano scenario list`. */
import { shippedScenarios } from '../../../hosts/node/package.ts'
import { CLEAN, type CliCommand, formatFlags, formatOf } from '../command.ts'

const formats = ['text', 'json', 'markdown'] as const

/** `mfano scenario list`: what is shipped, each with its sentence. */
export const listCommand: CliCommand = {
  name: 'list',
  summary: 'Lists the scenarios that are shipped, each with its sentence.',
  flags: formatFlags(formats, 'For people, for programs, or as a page with all that each of them says.'),
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
