/** `mfano scenario show`: prints a scenario merged with everything it extends and includes. */
import { CLEAN, type CliCommand, jsonFlag } from '../command.ts'
import { readParameters, setFlag } from '../typed-values.ts'

export const showCommand: CliCommand = {
  name: 'show',
  words: 'FILE',
  names: ['scenarios'],
  summary: 'Print a scenario merged with all that it extends.',
  flags: [setFlag, jsonFlag],
  examples: ['mfano scenario show bank-name-mismatch', 'mfano scenario show month-end.yaml --set limit=5000'],
  run: async (given, output) => {
    const [{ parse }, { scenarioLibrary }] = await Promise.all([
      import('yaml'),
      import('../../../hosts/node/scenarios.ts'),
    ])
    const [nameOrPath = ''] = given.words
    const text = scenarioLibrary().find(nameOrPath, readParameters(given)).effective()
    output.out(given.has('json') ? `${JSON.stringify(parse(text), null, 2)}\n` : text)
    return CLEAN
  },
}
