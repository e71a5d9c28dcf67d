/** Settings of `mfano calibrate` from its flags and the environment. */
import { parseDuration } from '../../../core/model/time.ts'
import { wallNowMs } from '../../../hosts/node/wall.ts'
import { type CalibrateOptions, whyNotAsked } from '../../../judge/calibrate.ts'
import { type ProbeAccount, type Tier, tiers } from '../../../service/probes.ts'
import { type Arguments, CommandFailed, type Flag, USAGE, UsageError } from '../command.ts'

const DEFAULTS = {
  amount: '10',
  requests: '150',
  most: '7',
  pace: '1s',
  wait: '45m',
  port: '8081',
  host: '127.0.0.1',
} as const
const KEY = ['PAYMENTS_KEY', 'PAYMENTS_SECRET', 'PAYMENTS_COMPANY'] as const

export const askingFlags: readonly Flag[] = [
  {
    name: 'base-url',
    value: 'url',
    help: 'Base URL of the service. Repeat it to confirm a sandbox.',
    expected: 'an address such as https://api.provider.example',
    many: true,
  },
  { name: 'plan', help: 'Print the requests without sending them.' },
  {
    name: 'allow',
    value: 'tiers',
    help: `Also ask questions that cost: ${tiers.slice(1).join(', ')}.`,
    many: true,
  },
  { name: 'most', value: 'n', help: 'The most payments to make.', byDefault: DEFAULTS.most },
  { name: 'amount', value: 'major', help: 'The amount of each payment.', byDefault: DEFAULTS.amount },
  { name: 'to', value: 'phone', help: 'Your own phone, which receives payments. Repeatable.', many: true },
  {
    name: 'bank-account',
    value: 'code/number',
    help: 'A bank account that receives payments, such as 0068/0123456789.',
  },
  {
    name: 'receiver',
    value: 'url',
    help: 'Public address that leads to --receiver-port, such as a tunnel.',
  },
  { name: 'receiver-port', value: 'port', help: 'Local port for callbacks.', byDefault: DEFAULTS.port },
  { name: 'receiver-host', value: 'address', help: 'Local address for callbacks.', byDefault: DEFAULTS.host },
  { name: 'requests', value: 'n', help: 'The most requests to send.', byDefault: DEFAULTS.requests },
  { name: 'pace', value: 'duration', help: 'Least time from one request to the next.', byDefault: DEFAULTS.pace },
  { name: 'wait', value: 'duration', help: 'The longest wait that a question may need.', byDefault: DEFAULTS.wait },
  { name: 'assumption', value: 'id', help: 'Only this assumption. Repeatable.', many: true },
]

export interface Asking {
  baseUrl: string
  account: ProbeAccount
  keys: CalibrateOptions['keys']
  allow: ReadonlySet<Tier>
  payments: number
  requests: number
  paceMs: number
  longestWaitMs: number
  receiverPort: number
  receiverHost: string
}

export function readAsking(given: Arguments, env: NodeJS.ProcessEnv): Asking {
  const allow = tiersOf(given)
  return {
    baseUrl: addressOf(given),
    account: accountOf(given, env),
    keys: subAccountOf(env),
    allow,
    payments: wholeNumber(given, 'most'),
    requests: wholeNumber(given, 'requests'),
    paceMs: durationMs(given, 'pace'),
    longestWaitMs: durationMs(given, 'wait'),
    receiverPort: wholeNumber(given, 'receiver-port'),
    receiverHost: given.get('receiver-host') ?? DEFAULTS.host,
  }
}

function addressOf(given: Arguments): string {
  const [first, second] = given.all('base-url')
  if (first === undefined) throw new UsageError('--base-url: expected the address of the service to ask, got none.')
  const why = whyNotAsked(first, second === first)
  if (why !== undefined)
    throw new CommandFailed(`${first} is not asked:`, `${why}. If it is the sandbox, give --base-url twice.`, {
      exitCode: USAGE,
    })
  return first.replace(/\/+$/, '')
}

export function accountOf(given: Arguments, env: NodeJS.ProcessEnv): ProbeAccount {
  const isPlan = given.has('plan')
  const lacking = KEY.filter((name) => !env[name])
  if (lacking.length > 0 && !isPlan)
    throw new CommandFailed(
      `${lacking.join(', ')}: not in the environment.`,
      'Keys are read from there alone, so that no command line and no file keeps them.',
      { exitCode: USAGE },
    )
  const [apiKey = '', apiSecret = '', companyId = '{companyId}'] = KEY.map((name) => env[name])
  const amount = Number(given.get('amount'))
  if (!(amount > 0 && Number.isInteger(amount)))
    throw new UsageError(`--amount: expected a whole number from 1, got ${JSON.stringify(given.get('amount'))}.`)
  return {
    companyId,
    apiKey,
    apiSecret,
    receiver: given.get('receiver')?.replace(/\/+$/, ''),
    to: given.all('to').map((phone) => phone.replace(/^\+/, '')),
    bankAccount: given.get('bank-account'),
    amount,
    run: wallNowMs().toString(36),
  }
}

function subAccountOf(env: NodeJS.ProcessEnv): CalibrateOptions['keys'] {
  const { PAYMENTS_SUB_KEY: apiKey, PAYMENTS_SUB_SECRET: apiSecret } = env
  return apiKey && apiSecret ? { 'sub-account': { apiKey, apiSecret } } : {}
}

export function tiersOf(given: Arguments): ReadonlySet<Tier> {
  const named = given
    .all('allow')
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
  const allowed = tiers.filter((tier) => named.includes(tier))
  const unknown = named.find((name) => !tiers.some((tier) => tier === name))
  if (unknown !== undefined)
    throw new UsageError(`--allow: expected some of ${tiers.join(', ')}, got ${JSON.stringify(unknown)}.`)
  return new Set<Tier>(['free', ...allowed])
}

function wholeNumber(given: Arguments, flag: string): number {
  const text = given.get(flag) ?? ''
  if (/^\d{1,5}$/.test(text)) return Number(text)
  throw new UsageError(`--${flag}: expected a whole number, got ${JSON.stringify(text)}.`)
}

function durationMs(given: Arguments, flag: string): number {
  const text = given.get(flag) ?? ''
  const us = parseDuration(text)
  if (us === undefined) throw new UsageError(`--${flag}: expected a duration such as 30s, got ${JSON.stringify(text)}.`)
  return us / 1000
}
