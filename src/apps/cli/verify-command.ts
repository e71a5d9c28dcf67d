import { operationCommand } from './declared-commands.ts'
import { wholeValue } from './typed-values.ts'

export const verifyCommand = operationCommand('world.verify', {
  flags: [{ name: 'exactly', value: 'number', help: 'The exact number. Default: at least one.', ...wholeValue(0) }],
  ask: ({ given, send }) => {
    const exactly = given.number('exactly')
    return send(exactly === undefined ? {} : { times: { exactly } })
  },
})
