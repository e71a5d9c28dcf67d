/** `mfano explain`: explains a payment from its request to its end. */
import type { ControlAnswer } from '../../client/control.ts'
import { explanationText } from '../../inspect/explain-payment.ts'
import { inCommands } from './hints-as-commands.ts'
import { serverCommand } from './server.ts'

type Explained = ControlAnswer<'GET', '/payments/:id/explain'>

export const explainCommand = serverCommand<Explained>({
  name: 'explain',
  words: 'ID',
  summary: 'Explain why a payment ended as it did.',
  about: 'It prints each step with its simulated time, why the payment stopped, and what to do next.',
  examples: ['mfano explain salary-1', 'mfano explain salary-1 --world shop', 'mfano explain salary-1 --json'],
  ask: async ({ control }, given) => {
    const [id = ''] = given.words
    const explained = await control('GET', '/payments/:id/explain', { path: { id } })
    const { next, hints } = explained.stopped
    if (given.has('json')) return explained
    const told = await Promise.all(next.map((line) => inCommands(line, hints, given)))
    return { ...explained, stopped: { ...explained.stopped, next: told } }
  },
  show: (explained) => explanationText(explained),
})
