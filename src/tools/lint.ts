import { scenarioLibrary } from '../platform/scenarios.ts'
import type { GivenParameters } from '../scenarios/parameters.ts'
import { ScenarioError } from '../scenarios/problems.ts'
import { CLEAN, type Command, PROBLEMS } from './command.ts'
import { type Checked, formats, printChecked } from './lint-formats.ts'
import { readParameters, setFlag } from './question.ts'

/** `mfano scenario lint`: all that is wrong with files, in one go. */
export const lintCommand: Command = {
  name: 'lint',
  words: 'FILE…',
  count: [1, Number.POSITIVE_INFINITY],
  summary: 'Checks scenario files: words, types, names, ends, and rules that can never decide.',
  flags: [
    {
      name: 'format',
      value: formats.join('|'),
      help: 'For people, for programs, or as annotations of a GitHub workflow.',
      choices: formats,
      byDefault: 'text',
    },
    setFlag,
  ],
  examples: [
    'mfano scenario lint scenarios/*.yaml',
    'mfano scenario lint --format github test/scenarios/month-end.yaml',
    'mfano scenario lint --format json month-end.yaml',
  ],
  run: (given, output) => {
    const library = scenarioLibrary()
    const parameters = readParameters(given)
    const checked = given.words.map((file) => check(library, file, parameters))
    const format = given.get('format') as (typeof formats)[number]
    output.out(printChecked(checked, format, output.colours))
    return checked.every(({ problems, warnings }) => problems.length + warnings.length === 0) ? CLEAN : PROBLEMS
  },
}

function check(library: ReturnType<typeof scenarioLibrary>, file: string, parameters: GivenParameters): Checked {
  try {
    const { name, rules, warnings } = library.find(file, parameters)
    return { file, name, rules: rules.length, problems: [], warnings: warnings() }
  } catch (error) {
    if (error instanceof ScenarioError) return { file, problems: error.problems, warnings: [] }
    throw error
  }
}
