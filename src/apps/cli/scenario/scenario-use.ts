/** `mfano scenario use`: applies a scenario to new payments of a running world. */
import { counted } from '../../../core/model/counted.ts'
import { printProblem } from '../../../core/model/problems.ts'
import { serverCommand } from '../server.ts'
import { readParameters, setFlag } from '../typed-values.ts'

export const useCommand = serverCommand({
  name: 'use',
  words: 'FILE',
  names: ['scenarios'],
  summary: 'Apply a scenario to new payments of a running world.',
  flags: [setFlag],
  examples: [
    'mfano scenario use slow-rails',
    'mfano scenario use month-end.yaml --set limit=5000 --url http://localhost:8080 --world shop',
  ],
  ask: async ({ control }, given) => {
    const { scenarioToSend } = await import('../send-scenario.ts')
    const [nameOrPath = ''] = given.words
    const { content, parameters, warnings } = scenarioToSend(nameOrPath, readParameters(given))
    const query = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`set.${name}`, String(value)]))
    return { ...(await control('PUT', '/scenario', { query, body: content })), warnings }
  },
  show: ({ name, description, rules, faults, changedAssumptions, warnings }, { paint }) => {
    const own = [...rules, ...faults].filter(({ inherited }) => !inherited)
    const targets = [...new Set(own.flatMap(({ on }) => on))]
    return [
      `${paint('bold', name)} applies to new payments. ${description.trim().replaceAll(/\s+/g, ' ')}`,
      `${counted(rules.length, 'rule')} in all`,
      ...(targets.length > 0 ? [`Its own rules and faults are about: ${targets.join(', ')}`] : []),
      ...changedAssumptions.map(({ id, was, is }) => `Assumption ${id} is now ${is}; it was ${was}`),
      ...warnings.map((warning) => `${paint('yellow', 'warning')}: ${printProblem(warning)}`),
      '',
    ].join('\n')
  },
})
