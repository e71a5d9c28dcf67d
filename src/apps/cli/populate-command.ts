import { operationCommand } from './declared-commands.ts'
import { instantValue, readParameters, setFlag } from './typed-values.ts'
import { hint } from './words.ts'

export const populateCommand = operationCommand('world.populate', {
  words: '[WORLD]',
  fields: ['world'],
  about: 'The past is simulated, not copied: each payment, callback and wallet is as if it had happened.',
  flags: [
    {
      name: 'until',
      value: 'time',
      help: 'When the past ends. Default: last midnight, UTC.',
      ...instantValue,
    },
    { name: 'scenario', value: 'name|file', help: 'The scenario for payments after the past.', names: 'scenarios' },
    { ...setFlag, field: 'parameters' },
    { name: 'snapshot', value: 'name', help: 'Also save a snapshot with this name, to fork.', expected: 'a name' },
  ],
  ask: async ({ server, given, send }) => {
    const scenario = given.get('scenario')
    const parameters = readParameters(given)
    const sent =
      scenario === undefined ? undefined : (await import('./send-scenario.ts')).scenarioToSend(scenario, parameters)
    const made = await send({
      until: given.get('until'),
      scenario: sent?.content,
      parameters: sent?.parameters ?? parameters,
    })
    const snapshot = given.get('snapshot')
    if (snapshot !== undefined) await server.of(made.id).control('POST', '/snapshots', { body: { name: snapshot } })
    return made
  },
  show: ({ id }, _, given) =>
    given.has('snapshot') ? `Copy it: ${hint(`world fork ${id}/${given.get('snapshot')}`, given)}\n\n` : '',
})
