/** Asking a mfano that runs, here or elsewhere. */
import { type AnyControl, type Control, controlOf } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { type CsvAsked, wholeCsv } from '../../client/whole-csv.ts'
import {
  ADDRESS,
  type Arguments,
  CLEAN,
  type CliCommand,
  CommandFailed,
  csvFlag,
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
import { hearZone, withZoneName } from './shown-zone.ts'

/** The token of a guarded control plane; from the environment, because a command line is seen by everybody. */
const TOKEN = 'MFANO_ADMIN_TOKEN'
/** The world at the plain base URL. */
const DEFAULT = 'default'
const PATIENCE_MS = 30_000

/** How long to wait for an answer, in real milliseconds; `for-ever` where the server works until it is done. */
type Patience = number | 'for-ever'

/** A running mfano, and one of its worlds. */
export interface Server {
  /** Of the server: where worlds are made. */
  readonly origin: string
  readonly world: string
  /** Of the world. */
  readonly baseUrl: string
  /** The control plane of the world; fails with what it said. */
  readonly control: Control
  /** This server, asked with another patience. */
  within(patience: Patience): Server
  /** Another world of the same server; `root` is the one where worlds are made. */
  of(world: string): Server
  readonly root: Server
}

/** The server that the arguments or the environment name. */
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

/** A control plane whose failures are those of a command. */
function controlAt(baseUrl: string, patience: Patience): Control {
  const adminToken = process.env[TOKEN] || undefined
  const control = controlOf(baseUrl, { adminToken, fetch: fetchWithin(patience) })
  const failing =
    (ask: AnyControl): AnyControl =>
    (...given) =>
      ask<never>(...given).catch((error) => {
        throw toCommandFailed(error, baseUrl)
      })
  const [text, open] = [failing(control.text as AnyControl), failing(control.open as AnyControl)]
  return Object.assign(failing(control), { text, open }) as Control
}

/** A world that was made from another one's address, once its zone is heard: its times are shown in that. */
export async function inItsZone<Made extends { id: string }>(server: Server, making: Promise<Made>): Promise<Made> {
  const made = await making
  await server.of(made.id).control('GET', '/clock')
  return made
}

/** Node's own fetch gives up after five minutes without an answer; some work takes longer. */
function fetchWithin(patience: Patience): typeof fetch {
  if (patience !== 'for-ever')
    return async (address, init) => hearZone(await fetch(address, { signal: AbortSignal.timeout(patience), ...init }))
  return (async (address: string, init: object) => {
    const { Agent, fetch: patientFetch } = await import('undici')
    const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
    return hearZone((await patientFetch(address, { ...init, dispatcher })) as unknown as Response)
  }) as unknown as typeof fetch
}

function toCommandFailed(error: unknown, baseUrl: string): unknown {
  if (!(error instanceof MfanoError)) return error
  const { code, status, reason, details, hints: operations } = error
  if (status === undefined) return nobody(baseUrl, error.cause as Error)
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
  const { code, message } = (error.cause ?? error) as { code?: string; message?: string }
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
  if (/bad port/i.test(message ?? ''))
    return new CommandFailed(
      `Nobody is asked at ${baseUrl}.`,
      `Port ${new URL(baseUrl).port} is one of those that fetch and browsers never ask: start mfano at another, or say where it is with --url or ${ADDRESS}.`,
      options,
    )
  if (error.name === 'TimeoutError') return new CommandFailed(`No answer from ${baseUrl} in time.`, '', options)
  return new CommandFailed(`Nobody answers at ${baseUrl}.`, message || code || error.message, options)
}

/** Where a mfano that speaks HTTPS speaks HTTP: at the same port. */
function plainOrigin(baseUrl: string): string {
  return new URL(baseUrl).origin.replace(/^https:/, 'http:')
}

type Csv = CsvAsked & { of?: 'root' }

/** A command that asks a server: the question, and how a person reads the answer. `--json` prints it as it came. */
interface ServerCommand<Answer> extends Omit<CliCommand, 'run' | 'flags'> {
  flags?: readonly Flag[]
  ask(server: Server, given: Arguments, output: Output): Promise<Answer>
  show(answer: Answer, output: Output, given: Arguments): string
  /** The exit code, where an answer may be a bad one. */
  verdict?(answer: Answer): number
  /** It lists something, which `--csv` prints: the list, and what of it. */
  csv?(given: Arguments, server: Server): Csv | Promise<Csv>
}

export function serverCommand<Answer>(about: ServerCommand<Answer>): CliCommand {
  const { flags = [], ask, show, verdict, csv, ...rest } = about
  return {
    ...rest,
    flags: [...flags, urlFlag, worldFlag, jsonFlag, ...(csv ? [csvFlag] : [])],
    run: async (given, output) => {
      if (csv && given.has('csv')) {
        if (given.has('json')) throw new UsageError('--json and --csv contradict each other. Remove one of them.')
        const server = serverOf(given)
        const asked = await csv(given, server)
        output.out(await wholeCsv((asked.of === 'root' ? server.root : server).control, asked))
        return CLEAN
      }
      const answer = await ask(serverOf(given), given, output)
      output.out(
        given.has('json') ? `${JSON.stringify(answer, null, 2)}\n` : withZoneName(show(answer, output, given), output),
      )
      return verdict?.(answer) ?? CLEAN
    },
  }
}
