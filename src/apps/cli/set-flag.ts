/** The flag that gives a scenario its parameters. */
import type { GivenParameters } from '../../core/model/given-parameters.ts'
import { nameAndValue, parameterPattern } from '../../core/model/name-value.ts'
import { type Arguments, type Flag, UsageError } from './command.ts'

/** Values for the scenario's parameters. */
export const setFlag: Flag = {
  name: 'set',
  value: 'name=value',
  help: 'A value for a parameter of the scenario; may be repeated.',
  expected: 'the name of a parameter, = and its value, such as limit=5000',
  many: true,
}

export function readParameters(given: Arguments): GivenParameters {
  for (const text of given.all('set'))
    if (!parameterPattern.test(text))
      throw new UsageError(`--set: expected ${setFlag.expected}, got ${JSON.stringify(text)}.`)
  return Object.fromEntries(given.all('set').map(nameAndValue))
}
