/**
 * Reads settings from flags and the environment. A flag wins over its variable, which wins over the default. Unknown
 * names and bad values are errors that say what was expected.
 */
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { isSetting, type Settings, type SettingTexts, settingsOf } from '../../../hosts/node/settings.ts'
import { type TypedArguments, UsageError } from '../command.ts'
import { type SettingFlag, settingFlags } from './flags.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export function toSettings(given: TypedArguments, env: Environment, terminal: boolean): Settings {
  const problems = [...given.problems, ...unknownVariables(env)]
  const texts: SettingTexts = { log: terminal && !given.has('json') ? 'pretty' : 'json' }
  for (const flag of settingFlags) {
    const raw = fromFlag(flag, given) ?? fromEnvironment(flag, env)
    if (raw === undefined) continue
    if (isSetting(flag.setting, raw.text)) texts[flag.setting] = raw.text
    else problems.push(badValue(flag, raw))
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return settingsOf(texts)
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
/** Kubernetes sets these in every pod if a service is called mfano, so they are ignored. */
const serviceLink = /^MFANO_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/

function* unknownVariables(env: Environment): Iterable<string> {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('MFANO_') || [...variables, ...commandVariables].includes(name) || serviceLink.test(name))
      continue
    if (name === 'MFANO_PORT' && env[name]?.includes('://')) continue
    // `MFANO_PORT` is how one would guess `PORT`.
    const guessed = settingFlags.find((flag) => name === `MFANO_${flag.name.toUpperCase().replaceAll('-', '_')}`)
    const meant = guessed ? ` Did you mean "${guessed.env}"?` : didYouMean(name, variables)
    yield `Unknown environment variable ${name}.${meant}`
  }
}
