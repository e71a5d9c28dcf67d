import { packageVersion } from '../../../hosts/node/package.ts'
import { defaultOf } from '../../../hosts/node/settings.ts'
import { CLEAN, type TopCommand, UsageError } from '../command.ts'
import { argumentsOf } from '../read-arguments.ts'
import { runSandbox } from './process.ts'
import { type Environment, type SettingsRead, settingFlags, toSettings } from './read-settings.ts'

export const startCommand: TopCommand = {
  usage: 'mfano [start] [flags]',
  flags: [
    ...settingFlags.map((flag) => ({
      ...flag,
      // Asked for by the help alone, which costs a start nothing.
      get byDefault() {
        return flag.byDefault ?? defaultOf(flag.setting)
      },
    })),
    { name: 'json', help: 'Print one line of JSON when ready, and log in JSON.' },
    { name: 'version', short: 'v', help: 'Print the version.' },
  ],
  about: 'mfano without a command does the same. A flag wins over its environment variable.',
  exits: { 0: 'it was stopped', 1: 'it could not start', 2: 'a setting is wrong' },
  examples: [
    'mfano --port 9090 --data :memory:',
    'mfano start --port 0 --json',
    'mfano --scenario ./my-scenario.yaml --watch',
    'MFANO_LOG=json MFANO_ADMIN_TOKEN=s3cret mfano',
  ],
  reportsProblems: true,
  run: async (given, output) => {
    if (given.has('version')) {
      output.out(`mfano ${packageVersion()}, Node.js ${process.versions.node}\n`)
      return CLEAN
    }
    return runSandbox(toSettings(given, process.env), given.has('json'))
  },
}

export type Reading =
  | (SettingsRead & { json: boolean; error?: undefined })
  | { error: string; settings?: undefined; warnings?: undefined; json?: undefined }

/**
 * Pure.
 * @param argv the flags
 * @param env the environment
 */
export function readSettings(argv: readonly string[], env: Environment): Reading {
  try {
    const given = argumentsOf(startCommand, argv)
    return { ...toSettings(given, env), json: given.has('json') }
  } catch (error) {
    if (error instanceof UsageError) return { error: error.message }
    throw error
  }
}
