import { must } from '../../../core/model/must.ts'
import { parseDuration } from '../../../core/model/time.ts'
import { wallNowMs } from '../../../hosts/node/wall.ts'
import { type CalibrateOptions, Secrets, whyNotAsked } from '../../../judge/calibrate.ts'
import { type ProbeAccount, type Tier, tiers } from '../../../service/probe.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Arguments, CommandFailed, type Flag, USAGE, UsageError } from '../command.ts'
import { durationValue, portValue, wholeValue } from '../typed-values.ts'

const KEY = ['PAYMENTS_KEY', 'PAYMENTS_SECRET', 'PAYMENTS_COMPANY'] as const

const assumptionIds = Object.keys(paymentsService.assumptions)

export const assumptionFlag: Flag = {
  name: 'assumption',
  value: 'id',
  help: 'Only this assumption. Repeatable.',
  expected: 'the id of an assumption, such as error-body',
  names: assumptionIds,
  holds: (text) => assumptionIds.includes(text),
  many: true,
}

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
  { name: 'most', value: 'n', help: 'The most payments to make.', byDefault: '7', ...wholeValue(0, 99_999) },
  { name: 'amount', value: 'major', help: 'The amount of each payment.', byDefault: '10', ...wholeValue(1) },
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
  { name: 'receiver-port', value: 'port', help: 'Local port for callbacks.', byDefault: '8081', ...portValue },
  { name: 'receiver-host', value: 'address', help: 'Local address for callbacks.', byDefault: '127.0.0.1' },
  { name: 'requests', value: 'n', help: 'The most requests to send.', byDefault: '150', ...wholeValue(0, 99_999) },
  {
    name: 'pace',
    value: 'duration',
    help: 'Least time from one request to the next.',
    byDefault: '1s',
    ...durationValue,
  },
  {
    name: 'wait',
    value: 'duration',
    help: 'The longest wait that a question may need.',
    byDefault: '45m',
    ...durationValue,
  },
  assumptionFlag,
]

export function readAsking(given: Arguments, env: NodeJS.ProcessEnv) {
  const [allow, baseUrl, account] = [tiersOf(given), addressOf(given), accountOf(given, env)]
  const keys = subAccountOf(env)
  const secrets = new Secrets()
  for (const { apiKey, apiSecret } of [account, ...Object.values(keys)]) {
    secrets.nameOf(apiKey, 'key')
    secrets.nameOf(apiSecret, 'secret')
  }
  return {
    ...{ baseUrl, account, keys, secrets, allow },
    payments: must(given.number('most')),
    requests: must(given.number('requests')),
    paceMs: durationMs(given, 'pace'),
    longestWaitMs: durationMs(given, 'wait'),
    receiverPort: must(given.number('receiver-port')),
    receiverHost: must(given.get('receiver-host')),
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
  return {
    companyId,
    apiKey,
    apiSecret,
    receiver: given.get('receiver')?.replace(/\/+$/, ''),
    to: given.all('to').map((phone) => phone.replace(/^\+/, '')),
    bankAccount: given.get('bank-account'),
    amount: must(given.number('amount')),
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

function durationMs(given: Arguments, flag: string): number {
  return must(parseDuration(must(given.get(flag)))) / 1000
}
