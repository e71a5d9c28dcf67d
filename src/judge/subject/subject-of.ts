import type { Control } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { runToEnd } from '../app/app-part.ts'
import { fill, type Merchant, readMerchantFile } from '../app/merchant-file.ts'
import { type JudgeOptions, merchantFileIn, type SubjectOptions } from '../subject.ts'
import { SUITE_RED, type SubjectOutcome } from './outcome.ts'
import { type OwnWorld, withWorldsBelow } from './own-worlds.ts'

export interface Subject extends JudgeOptions {
  name: string
  command: string
  merchant?: Merchant
  suite: Suite
}

export function judgedSubject({ words, env, suiteWithinMs, ...options }: SubjectOptions): Subject {
  const file = merchantFileIn(words)
  const how = { ...options, suite: { command: words, env, withinMs: suiteWithinMs } }
  const name = words.join(' ')
  if (file === undefined) return { name, command: `-- ${name}`, ...how }
  const merchant = readMerchantFile(file)
  return { name: merchant.name, command: file, merchant, ...how }
}

export interface Suite {
  command: readonly string[]
  env: Readonly<Record<string, string>>
  /** Real milliseconds. A suite that takes longer is red, because it may wait for something that never comes. */
  withinMs: number
}

const usual: Readonly<Record<string, string>> = {
  PAYMENTS_BASE_URL: '{baseUrl}',
  PAYMENTS_KEY: '{apiKey}',
  PAYMENTS_API_KEY: '{apiKey}',
  PAYMENTS_SECRET: '{apiSecret}',
  PAYMENTS_API_SECRET: '{apiSecret}',
  PAYMENTS_COMPANY: '{companyId}',
  PAYMENTS_COMPANY_ID: '{companyId}',
}

const TOLD_LENGTH = 4_000

/** A run without requests tested nothing, so it is not a success. */
const ASKED_NOTHING =
  'It asked its world nothing. Does its app read PAYMENTS_BASE_URL, PAYMENTS_KEY and PAYMENTS_SECRET? For other names: --env MY_URL={baseUrl}. With a kit: mfanoTest({ url: process.env.PAYMENTS_BASE_URL })'

const notRun: Readonly<Record<string, string>> = {
  126: 'it is no program',
  127: 'there is no such program',
  undefined: 'the system does not start it',
}

/** Kills everything the suite left running. Throws if it is aborted. */
export async function runSuite(
  { command, withinMs, env: own }: Suite,
  { baseUrl, credentials, env, control }: OwnWorld,
  signal: AbortSignal,
): Promise<SubjectOutcome> {
  const none = { findings: [], warnings: [] }
  const late = AbortSignal.timeout(withinMs)
  const output = { said: '', errors: '' }
  const filled = fill({ ...usual, ...env, ...own }, { baseUrl, ...credentials })
  const typed = command.length === 1 ? must(command[0]) : command
  const signals = AbortSignal.any([signal, late])
  const exitCode = await runToEnd({ command: typed, env: { ...process.env, ...filled } }, output, signals)
  signal.throwIfAborted()
  const isRed = (said: string) => ({ ...none, said, findings: [{ code: SUITE_RED, text: said, requests: [] }] })
  if (late.aborted) return isRed(`It did not end within ${withinMs / 1000} s.`)
  const why = notRun[String(exitCode)]
  if (why !== undefined) return { ...none, unjudged: `${command[0]} could not be run: ${why}.` }
  const said = output.said.slice(-TOLD_LENGTH).trim()
  if (await isUnasked(control)) return { ...none, unjudged: `${ASKED_NOTHING}\n${said}`.trim() }
  return exitCode === 0 ? { ...none, said } : isRed(said)
}

async function isUnasked(control: Control): Promise<boolean> {
  const all = await Promise.all((await withWorldsBelow(control)).map((one) => one('GET', '/requests/open')))
  return all.every(({ begun }) => begun === 0)
}
