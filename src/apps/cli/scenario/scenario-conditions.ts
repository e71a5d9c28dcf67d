/** The command `mfano scenario conditions`. */
import { CLEAN, type CliCommand } from '../command.ts'

/** `mfano scenario conditions`: all that a condition can ask, as a page of Markdown. */
export const conditionsCommand: CliCommand = {
  name: 'conditions',
  summary: 'Prints all that a condition can ask: requests, time, history, functions.',
  flags: [],
  examples: ['mfano scenario conditions'],
  run: async (given, output) => {
    const [{ conditionsPage }, service] = await Promise.all([import('./conditions-page.ts'), given.service()])
    output.out(conditionsPage(service))
    return CLEAN
  },
}
