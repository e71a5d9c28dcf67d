/** `mfano scenario preview`: shows what would happen and when, without running anything. */
import { CLEAN, type CliCommand, formatFlags, formatOf } from '../command.ts'
import { previewFormats, printPreview } from './preview-formats.ts'
import { readExplainRequest, requestFlags, stillWorldFlags } from './request-flags.ts'

export const previewCommand: CliCommand = {
  name: 'preview',
  words: 'FILE',
  names: ['scenarios'],
  summary: 'Preview what a request would lead to.',
  about: 'It prints each step with its simulated time. Nothing is executed.',
  flags: [
    ...requestFlags,
    ...stillWorldFlags,
    ...formatFlags(previewFormats, 'Output for people, as a Mermaid diagram, or for programs.'),
  ],
  examples: [
    `mfano scenario preview late-reversal --on bank-payout --request '{"amount":20000}'`,
    `mfano scenario preview month-end.yaml --on send-money --nth 3 --wallet 500 --at 2025-01-31T17:00:00`,
    `mfano scenario preview default --on till --request '{"businessNumber":"000408","amount":100}' --format mermaid`,
  ],
  run: async (given, output) => {
    const asked = await readExplainRequest(given)
    const [{ preview }, { stillWorlds }] = await Promise.all([
      import('../../../server/preview.ts'),
      import('./still-world.ts'),
    ])
    const sequence = await preview(stillWorlds(given), asked)
    output.out(printPreview(sequence, formatOf(given), output.paint))
    return CLEAN
  },
}
