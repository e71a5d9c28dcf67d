import { type AnyControl, type Control, controlOf } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { withPlainTimes } from '../../core/model/calendar.ts'
import { errorOf } from '../../core/model/must.ts'
import {
  ADDRESS,
  type Arguments,
  CLEAN,
  CommandFailed,
  type Flag,
  jsonFlag,
  PROBLEMS,
  UNREACHABLE,
  USAGE,
  USUAL_ADDRESS,
  UsageError,
  urlFlag,
  worldFlag,
} from './command.ts'
import type { Output } from './output.ts'
import { hearZone, shownZone } from './words.ts'

/** Read from the environment only, because other users can see a command line. */
const TOKEN = 'MFANO_ADMIN_TOKEN'
const DEFAULT = 'default'
const PATIENCE_MS = 30_000

/** Real milliseconds to wait for an answer. `for-ever`: the server works until it is done. */
type Patience = number | 'for-ever'

export interface Server {
  readonly origin: string
  readonly world: string
  readonly baseUrl: string
  readonly control: Control & { open: AnyControl }
  within(patience: Patience): Server
  of(world: string): Server
  readonly root: Server
}

export function serverOf(given: Pick<Arguments, 'get'>): Server {
  const named = given.get('url')
  const text = named ?? (process.env[ADDRESS] || USUAL_ADDRESS)
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `${named === undefined ? ADDRESS : '--url'}: expected an address such as http://localhost:8080, got ${JSON.stringify(text)}.`,
    )
  const [, base = '', worldOfUrl = DEFAULT] = /^(.*?)(?:\/w\/([^/]+))?\/*$/.exec(url.href.split(/[?#]/)[0] ?? '') ?? []
  return serverAt(base, given.get('world') ?? worldOfUrl)
}

function serverAt(origin: string, world: string, patience: Patience = PATIENCE_MS): Server {
  const baseUrl = world === DEFAULT ? origin : `${origin}/w/${encodeURIComponent(world)}`
  return {
    origin,
    world,
    baseUrl,
    control: controlAt(baseUrl, patience),
    within: (other) => serverAt(origin, world, other),
    of: (other) => serverAt(origin, other, patience),
    get root() {
      return serverAt(origin, DEFAULT, patience)
    },
  }
}

function controlAt(baseUrl: string, patience: Patience): Server['control'] {
  const adminToken = process.env[TOKEN] || undefined
  const patienceMs = patience === 'for-ever' ? undefined : patience
  const control = controlOf(baseUrl, { adminToken, patienceMs, heard: hearZone })
  const failing =
    (ask: AnyControl): AnyControl =>
    (...given) =>
      ask<never>(...given).catch((error) => {
        throw toCommandFailed(error, baseUrl)
      })
  const [text, open] = [failing(control.text as AnyControl), failing(control.open as AnyControl)]
  return Object.assign(failing(control), { text, open }) as Server['control']
}

function toCommandFailed(error: unknown, baseUrl: string): unknown {
  if (!(error instanceof MfanoError)) return error
  const { code, status, reason, details, hints: operations } = error
  if (status === undefined) return nobody(baseUrl, errorOf(error.cause))
  if (code === 'NOT_MFANO') {
    const why = status < 400 ? 'without JSON' : 'and no reason'
    const options = { code: 'NO_MFANO', exitCode: UNREACHABLE }
    return new CommandFailed(`${baseUrl} is no mfano.`, `It answered ${status} ${why}.`, options)
  }
  const hint = code === 'ADMIN_TOKEN_NEEDED' ? `Set ${TOKEN} to its token.` : details
  const exitCode = /INVALID_EXPRESSION|(?:INVALID|MISSING)_FIELD$/.test(code) ? USAGE : PROBLEMS
  return new CommandFailed(reason, hint, { code, exitCode, operations })
}

function nobody(baseUrl: string, error: Error): CommandFailed {
  const options = { code: 'UNREACHABLE', exitCode: UNREACHABLE }
  const { code, message } = errorOf(error.cause ?? error)
  if (code === 'ECONNREFUSED')
    return new CommandFailed(
      `Nobody answers at ${baseUrl}.`,
      `Start one with "mfano start", or say where it is with --url or ${ADDRESS}.`,
      options,
    )
  if (/^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_)/.test(code ?? ''))
    return new CommandFailed(
      `The certificate of ${baseUrl} is not trusted.`,
      `If it is your mfano, get the certificate of its authority, and trust it: curl -o mfano-ca.pem ${plainOrigin(baseUrl)}/_mfano/ca.pem, then NODE_EXTRA_CA_CERTS=mfano-ca.pem before the command.`,
      { ...options, code: 'UNTRUSTED' },
    )
  if (error.name === 'TimeoutError') return new CommandFailed(`No answer from ${baseUrl} in time.`, '', options)
  return new CommandFailed(`Nobody answers at ${baseUrl}.`, message || code || error.message, options)
}

/** HTTP address of a mfano that serves HTTPS; both use the same port. */
function plainOrigin(baseUrl: string): string {
  return new URL(baseUrl).origin.replace(/^https:/, 'http:')
}

export interface AnswerPrinter<Answer> {
  show(answer: Answer, output: Output, given: Arguments): string | Promise<string>
  verdict?: ((answer: Answer) => number) | undefined
}

export async function printed<Answer>(
  answer: Answer,
  { show, verdict }: AnswerPrinter<Answer>,
  given: Arguments,
  output: Output,
): Promise<number> {
  output.out(
    given.has('json')
      ? `${JSON.stringify(answer, null, 2)}\n`
      : withPlainTimes(await show(answer, output, given), shownZone()),
  )
  return verdict?.(answer) ?? CLEAN
}

export const serverFlags: readonly Flag[] = [urlFlag, worldFlag, jsonFlag]
