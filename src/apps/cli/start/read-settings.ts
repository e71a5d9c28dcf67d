/**
 * Reads settings from flags and the environment. A flag wins over its variable, which wins over the default. Unknown
 * flags and bad values are errors that say what was expected. Unknown variables are warnings: Kubernetes, Docker and CI
 * systems set `MFANO_…` of their own where a service or an image is called mfano.
 */
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { isSetting, type Settings, type SettingTexts, settingsOf } from '../../../hosts/node/settings.ts'
import { type TypedArguments, UsageError } from '../command.ts'
import { type SettingFlag, settingFlags } from './flags.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface SettingsRead {
  settings: Settings
  warnings: string[]
}

export function toSettings(given: TypedArguments, env: Environment): SettingsRead {
  const problems = [...given.problems]
  const texts: SettingTexts = { log: given.has('json') ? 'json' : 'pretty' }
  for (const flag of settingFlags) {
    const raw = fromFlag(flag, given) ?? fromEnvironment(flag, env)
    if (raw === undefined) continue
    if (isSetting(flag.setting, raw.text)) texts[flag.setting] = raw.text
    else problems.push(badValue(flag, raw))
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  const settings = settingsOf(texts)
  return { settings, warnings: [...unknownVariables(env), ...openToOthers(settings)] }
}

interface Raw {
  text: string
  from: string
}

function fromFlag({ name }: SettingFlag, given: TypedArguments): Raw | undefined {
  return given.has(name) ? { text: given.all(name).join('\n'), from: `--${name}` } : undefined
}

/**
 * An empty variable counts as unset, because compose files write it so. An empty secret is an error, because a guard
 * must not vanish silently.
 */
function fromEnvironment({ env: name, secret }: SettingFlag, env: Environment): Raw | undefined {
  const text = env[name]
  return text === undefined || (text === '' && !secret) ? undefined : { text, from: name }
}

function badValue({ expected, known = [], secret }: SettingFlag, { text, from }: Raw): string {
  const got = secret ? `${text.length} characters, not shown here` : JSON.stringify(text)
  return `${from}: expected ${expected}, got ${got}.${didYouMean(text, known)}`
}

/** Variables of other commands, which may be set in the same shell and are therefore no error here. */
const commandVariables = [
  'MFANO_URL',
  'MFANO_COVERAGE',
  'MFANO_CAPSULES',
  'MFANO_MUTATION',
  'MFANO_CLOCK',
  'MFANO_CLOCK_LEASE',
  'MFANO_CLOCK_PATIENCE',
]
const variables = settingFlags.map(({ env }) => env)
/** Kubernetes sets these in every pod if a service's name begins with mfano, so they are ignored. */
const serviceLink =
  /^MFANO_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?)$/

function* unknownVariables(env: Environment): Iterable<string> {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('MFANO_') || [...variables, ...commandVariables].includes(name)) continue
    if (serviceLink.test(name) && (name !== 'MFANO_PORT' || env[name]?.includes('://'))) continue
    // `MFANO_PORT` is how one would guess `PORT`.
    const guessed = settingFlags.find((flag) => name === `MFANO_${flag.name.toUpperCase().replaceAll('-', '_')}`)
    const meant = guessed ? ` Did you mean "${guessed.env}"?` : didYouMean(name, variables)
    yield `Unknown environment variable ${name}.${meant}`
  }
}

function openToOthers({ host, port, adminToken }: Settings): string[] {
  if (adminToken !== undefined || /^(?:127\.|::1$|localhost$)/.test(host)) return []
  return [
    `Everybody who reaches ${host}, port ${port}, can read and control this mfano. Guard it with MFANO_ADMIN_TOKEN, or publish the port to 127.0.0.1 only.`,
  ]
}
