/**
 * Settings from flags and environment: a flag wins over its variable, which wins over the default. Nothing is guessed:
 * an unknown name or a bad value is an error that says what was expected.
 */
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { isSetting, type Settings, type SettingTexts, settingsOf } from '../../../hosts/node/settings.ts'
import { type TypedArguments, UsageError } from '../command.ts'
import { type SettingFlag, settingFlags } from './flags.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings that flags and environment come to. Everything that is wrong with them is in one `UsageError`. */
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

/** A value, and the flag or variable that it came from. */
interface Raw {
  text: string
  from: string
}

function fromFlag({ name }: SettingFlag, given: TypedArguments): Raw | undefined {
  return given.has(name) ? { text: given.all(name).join('\n'), from: `--${name}` } : undefined
}

/** An empty variable counts as none, as compose files write it; only a guard is never dropped in silence. */
function fromEnvironment({ env: name, secret }: SettingFlag, env: Environment): Raw | undefined {
  const text = env[name]
  return text === undefined || (text === '' && !secret) ? undefined : { text, from: name }
}

function badValue({ expected, known = [], secret }: SettingFlag, { text, from }: Raw): string {
  const got = secret ? `${text.length} characters, not shown here` : JSON.stringify(text)
  return `${from}: expected ${expected}, got ${got}.${didYouMean(text, known)}`
}

/** What the commands that ask a server read; a server that is started in the same shell need not mind. */
const commandVariables = [
  'MFANO_URL',
  'MFANO_COVERAGE',
  'MFANO_CAPSULES',
  'MFANO_MUTATION',
  'MFANO_COMPLETION_WAIT',
  'MFANO_CLOCK',
  'MFANO_CLOCK_LEASE',
  'MFANO_CLOCK_PATIENCE',
]
const variables = settingFlags.map(({ env }) => env)
/** Kubernetes gives every pod these for a service that is called mfano. */
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
