/** `mfano scenario lint`: reports all problems of scenario files. */
import type { GivenParameters } from '../../../core/model/given-parameters.ts'
import { ScenarioError } from '../../../core/model/problems.ts'
import type { FileLibrary } from '../../../core/scenario-library.ts'
import { CLEAN, type CliCommand, formatFlags, formatOf, PROBLEMS } from '../command.ts'
import { readParameters, setFlag } from '../typed-values.ts'
import { type LintedFile, lintFormats, printChecked } from './lint-formats.ts'

export const lintCommand: CliCommand = {
  name: 'lint',
  words: 'FILE…',
  names: ['scenarios'],
  summary: 'Check scenario files.',
  about: 'It finds unknown keys, wrong types, repeated rules and settings without effect.',
  exits: { 0: 'no problems', 1: 'problems or warnings' },
  flags: [...formatFlags(lintFormats, 'Output for people, programs or GitHub annotations.'), setFlag],
  examples: [
    'mfano scenario lint month-end.yaml',
    'mfano scenario lint --format github *.yaml',
    'mfano scenario lint --format json month-end.yaml',
  ],
  run: async (given, output) => {
    const { scenarioLibrary } = await import('../../../hosts/node/scenarios.ts')
    const library = scenarioLibrary()
    const parameters = readParameters(given)
    const checked = given.words.map((file) => check(library, file, parameters))
    const commands = given.get('format') === 'github' ? 'commands' : undefined
    output.out(printChecked(checked, formatOf(given), output.paint), commands)
    return checked.every(({ problems, warnings }) => problems.length + warnings.length === 0) ? CLEAN : PROBLEMS
  },
}

function check(library: FileLibrary, file: string, parameters: GivenParameters): LintedFile {
  try {
    const { name, rules, warnings } = library.find(file, parameters)
    return { file, name, rules: rules.length, problems: [], warnings: warnings() }
  } catch (error) {
    if (error instanceof ScenarioError) return { file, problems: error.problems, warnings: [] }
    throw error
  }
}
