import { packageVersion } from '../../hosts/node/package.ts'
import { CLEAN, jsonFlag, type TopCommand } from './command.ts'

export const versionCommand: TopCommand = {
  flags: [jsonFlag],
  examples: ['mfano version', 'mfano version --json'],
  run: (given, { out }) => {
    const mfano = packageVersion()
    const { node } = process.versions
    out(given.has('json') ? `${JSON.stringify({ mfano, node }, null, 2)}\n` : `mfano ${mfano}, Node.js ${node}\n`)
    return CLEAN
  },
}
