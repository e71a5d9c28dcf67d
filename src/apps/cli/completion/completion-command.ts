/** The command `mfano completion`. */
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { CLEAN, type Command, jsonFlag, UsageError } from '../command.ts'
import { scripts, shells } from './scripts.ts'

/** `mfano completion`: what a shell reads to complete our commands. */
export const completionCommand: Command = {
  name: 'completion',
  words: 'SHELL',
  count: [1, 1],
  names: [shells],
  summary: 'Prints what bash, zsh or fish needs to complete commands, flags, worlds, scenarios and payments.',
  flags: [jsonFlag],
  examples: [
    'source <(mfano completion bash)',
    'mfano completion zsh > ~/.zfunc/_mfano',
    'mfano completion fish > ~/.config/fish/completions/mfano.fish',
  ],
  run: (given, { out }) => {
    const [named = ''] = given.words
    const shell = shells.find((one) => one === named)
    if (shell === undefined)
      throw new UsageError(
        `SHELL: expected ${shells.join(', ')}, got ${JSON.stringify(named)}.${didYouMean(named, shells)}`,
      )
    const script = scripts[shell]
    out(given.has('json') ? `${JSON.stringify({ shell, script }, null, 2)}\n` : script)
    return CLEAN
  },
}
