import { explanationText } from '../../inspect/explain-payment.ts'
import { operationCommand } from './declared-commands.ts'
import { inCommands } from './hints-as-commands.ts'

export const explainCommand = operationCommand('payment.explain', {
  about: 'It prints each step with its simulated time, why the payment stopped, and what to do next.',
  show: async (explained, _, given) => {
    const { next, hints } = explained.stopped
    const told = await Promise.all(next.map((line) => inCommands(line, hints, given)))
    return explanationText({ ...explained, stopped: { ...explained.stopped, next: told } })
  },
})
