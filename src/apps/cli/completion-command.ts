import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../hosts/node/package.ts'
import { CLEAN, jsonFlag, type TopCommand } from './command.ts'
import { oneOf } from './typed-values.ts'

// A script of `bin/` asks mfano what could come next. The line `:files` says that files of the folder fit too. A shell must put
// in every candidate quoted: a file may be named `a$(id);b c`.

const shells = ['bash', 'zsh', 'fish'] as const

export const completionCommand: TopCommand = {
  words: 'SHELL',
  names: [shells],
  flags: [jsonFlag],
  examples: [
    'source <(mfano completion bash)',
    'mfano completion zsh > ~/.zfunc/_mfano',
    'mfano completion fish > ~/.config/fish/completions/mfano.fish',
  ],
  run: (given, { out }) => {
    const shell = oneOf('SHELL', given.words[0], shells)
    const script = readFileSync(join(packageRoot(), `bin/completion.${shell}`), 'utf8')
    out(given.has('json') ? `${JSON.stringify({ shell, script }, null, 2)}\n` : script)
    return CLEAN
  },
}
