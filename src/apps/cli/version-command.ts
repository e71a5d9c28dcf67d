import { packageVersion } from '../../hosts/node/package.ts'
import { CLEAN, type CliCommand, jsonFlag } from './command.ts'

export const versionCommand: CliCommand = {
  name: 'version',
  summary: 'Print the versions of mfano and Node.js.',
  flags: [jsonFlag],
  examples: ['mfano version', 'mfano version --json'],
  run: (given, { out }) => {
    const mfano = packageVersion()
    const { node } = process.versions
    out(given.has('json') ? `${JSON.stringify({ mfano, node }, null, 2)}\n` : `mfano ${mfano}, Node.js ${node}\n`)
    return CLEAN
  },
}
