/** What the judges of an app, or of somebody's own suite, share on the command line. */
import { cpus } from 'node:os'
import { type Merchant, MerchantFileError, readMerchantFile } from '../../judge/merchant-file.ts'
import { type Arguments, CommandFailed, type Flag, USAGE } from './command.ts'
import { wholeValue } from './typed-values.ts'

/** Most of the time a world waits for its app, so there are more of them than processors. */
export const WORLDS_PER_CPU = 4
/** A suite keeps a processor busy, where an app mostly waits. */
const SUITES_PER_CPU = 2

const variablePattern = /^([A-Za-z_]\w*)=([\s\S]*)$/

export const envFlag: Flag = {
  name: 'env',
  value: 'name=value',
  help: 'For a suite: a variable, such as MY_URL={baseUrl}, {apiKey}, {apiSecret} or {companyId}; may be repeated. It finds PAYMENTS_URL, PAYMENTS_KEY, PAYMENTS_SECRET and PAYMENTS_COMPANY too.',
  expected: 'a name, = and a value, such as MY_URL={baseUrl}',
  holds: (text) => variablePattern.test(text),
  many: true,
}
export const jobsFlag: Flag = {
  name: 'jobs',
  value: 'n',
  help: `Worlds at a time; 1 where a suite listens on a port of its own. Default: ${SUITES_PER_CPU} for each processor, or ${WORLDS_PER_CPU} for an app.`,
  ...wholeValue(1),
}
export const patienceFlags: readonly Flag[] = [
  {
    name: 'ready-within',
    value: 'seconds',
    help: 'How long an app may take until it is ready.',
    byDefault: '60',
    ...wholeValue(1),
  },
  {
    name: 'rest-within',
    value: 'seconds',
    help: 'How long an app may work until it rests.',
    byDefault: '120',
    ...wholeValue(1),
  },
]
/** Of those that run suites again and again. */
export const suiteFlags: readonly Flag[] = [
  envFlag,
  jobsFlag,
  {
    name: 'within',
    value: 'seconds',
    help: 'How long one run of a suite may take.',
    byDefault: '600',
    ...wholeValue(1),
  },
  ...patienceFlags,
]

export function jobsOf(given: Arguments, { isDriven }: { isDriven: boolean }): number {
  return given.number('jobs') ?? (isDriven ? WORLDS_PER_CPU : SUITES_PER_CPU) * cpus().length
}

export function patienceOf(given: Arguments): { readyWithinMs: number; restWithinMs: number } {
  const [readyWithinS = 0, restWithinS = 0] = [given.number('ready-within'), given.number('rest-within')]
  return { readyWithinMs: readyWithinS * 1000, restWithinMs: restWithinS * 1000 }
}

/** Somebody's own suite, as it stands behind `--`. */
export function suiteOf(given: Arguments): { command: string[]; env: Record<string, string> } {
  const variables = given.all('env').map((text) => variablePattern.exec(text)?.slice(1) as [string, string])
  return { command: given.words, env: Object.fromEntries(variables) }
}

/** The merchant file, where one is named instead of a suite. */
export function merchantOf({ words }: Arguments): Merchant | undefined {
  const [file = ''] = words
  return words.length === 1 && /\.(?:ya?ml|json)$/.test(file) ? readMerchant(file) : undefined
}

export function readMerchant(file: string): Merchant {
  try {
    return readMerchantFile(file)
  } catch (error) {
    if (!(error instanceof MerchantFileError)) throw error
    throw new CommandFailed(error.message, '', { code: 'MERCHANT_FILE', exitCode: USAGE })
  }
}
