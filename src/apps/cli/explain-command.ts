/** The command `mfano explain`. */
import { explanationText } from '../../inspect/explain-payment.ts'
import { asCommands } from './as-command.ts'
import { serverCommand } from './server.ts'

type Explained = Parameters<typeof explanationText>[0]

/** `mfano explain`: a payment from its request to why it stopped. */
export const explainCommand = serverCommand<Explained>({
  name: 'explain',
  words: 'ID',
  names: ['payments'],
  summary: 'Explains a payment: its chain line by line with simulated times, why it stopped, and what to do.',
  examples: ['mfano explain 3f2c8a52-…', 'mfano explain salary-1 --world shop', 'mfano explain salary-1 --json'],
  ask: ({ control }, { words: [id = ''] }) => control('GET', '/payments/:id/explain', { path: { id } }),
  show: (explained) => asCommands(explanationText(explained)),
})
