/** The command `mfano version`. */
import { packageVersion } from '../../hosts/node/package.ts'
import { CLEAN, type CliCommand, jsonFlag } from './command.ts'

/** `mfano version`: ours, and that of the Node that runs us. */
export const versionCommand: CliCommand = {
  name: 'version',
  summary: 'Prints the version of mfano, and of the Node.js that runs it.',
  flags: [jsonFlag],
  examples: ['mfano version', 'mfano version --json'],
  run: (given, { out }) => {
    const mfano = packageVersion()
    const { node } = process.versions
    out(given.has('json') ? `${JSON.stringify({ mfano, node }, null, 2)}\n` : `mfano ${mfano}, Node.js ${node}\n`)
    return CLEAN
  },
}
