import { packageVersion } from '../../../hosts/node/package.ts'
import { CLEAN, type TopCommand } from '../command.ts'
import { runSandbox } from './process.ts'
import { starting, toSettings } from './read-settings.ts'

export const startCommand: TopCommand = {
  usage: 'mfano [start] [flags]',
  ...starting,
  about: 'mfano without a command does the same. A flag wins over its environment variable.',
  exits: { 0: 'it was stopped', 1: 'it could not start', 2: 'a setting is wrong' },
  examples: [
    'mfano --port 9090 --data :memory:',
    'mfano start --port 0 --json',
    'mfano --scenario ./my-scenario.yaml --watch',
    'MFANO_LOG=json MFANO_ADMIN_TOKEN=s3cret mfano',
  ],
  run: async (given, output) => {
    if (given.has('version')) {
      output.out(`mfano ${packageVersion()}, Node.js ${process.versions.node}\n`)
      return CLEAN
    }
    return runSandbox(toSettings(given, process.env), given.has('json'))
  },
}
