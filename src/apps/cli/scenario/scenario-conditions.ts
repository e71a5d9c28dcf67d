/** `mfano scenario conditions`: prints everything that a condition can use, as Markdown. */
import { CLEAN, type CliCommand } from '../command.ts'

export const conditionsCommand: CliCommand = {
  name: 'conditions',
  summary: 'List the fields and functions that conditions can use.',
  flags: [],
  examples: ['mfano scenario conditions'],
  run: async (given, output) => {
    const [{ conditionsPage }, service] = await Promise.all([import('./conditions-page.ts'), given.service()])
    output.out(conditionsPage(service))
    return CLEAN
  },
}
