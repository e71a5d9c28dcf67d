import { scenarioLibrary } from '../platform/scenarios.ts'
import { CLEAN, type Command } from './command.ts'
import { readParameters, setFlag } from './question.ts'

/** `mfano scenario show`: what a file comes to with all that it extends and includes. */
export const showCommand: Command = {
  name: 'show',
  words: 'FILE',
  count: [1, 1],
  summary: 'Prints the effective scenario: a file with all that it extends, merged, parameters filled in.',
  flags: [setFlag],
  examples: ['mfano scenario show bank-name-mismatch', 'mfano scenario show month-end.yaml --set limit=5000'],
  run: (given, output) => {
    const [nameOrPath = ''] = given.words
    output.out(scenarioLibrary().find(nameOrPath, readParameters(given)).effective())
    return CLEAN
  },
}
