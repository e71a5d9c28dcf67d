/** Asking a mfano that runs, here or elsewhere. */
import {
  type Arguments,
  CLEAN,
  type Command,
  CommandFailed,
  type Flag,
  jsonFlag,
  PROBLEMS,
  UNREACHABLE,
  USAGE,
  UsageError,
} from './command.ts'
import type { Output } from './output.ts'

/** The token of a guarded control plane; from the environment, because a command line is seen by everybody. */
const TOKEN = 'MFANO_ADMIN_TOKEN'
const ADDRESS = 'MFANO_URL'
const USUAL_ADDRESS = 'http://localhost:8080'
const PATIENCE_MS = 30_000

export const urlFlag: Flag = {
  name: 'url',
  value: 'url',
  help: `The base URL of a running mfano, or of one of its worlds. Default: ${ADDRESS}, or else ${USUAL_ADDRESS}.`,
  expected: 'an address such as http://localhost:8080',
}
export const worldFlag: Flag = {
  name: 'world',
  value: 'id',
  help: 'The world to ask, at that mfano. Default: the one of the URL, or else default.',
  expected: 'the id of a world',
  names: 'worlds',
}

/** A body that is sent as it is, instead of as JSON. */
export interface Raw {
  type: string
  content: string | ReadableStream<Uint8Array>
}

interface AskOptions {
  body?: unknown
  raw?: Raw
  /** How long to wait for an answer, in real milliseconds; `for-ever` where the server works until it is done. */
  patience?: number | 'for-ever'
}

/** A running mfano, and one of its worlds. */
export interface Server {
  /** Of the server: where worlds are made. */
  readonly origin: string
  readonly world: string
  /** Of the world. */
  readonly baseUrl: string
  /** The JSON answer of the world's control plane; fails with what it said. The path begins behind `/_mfano`. */
  ask<T>(method: string, path: string, options?: AskOptions): Promise<T>
  /** A request of the server's own control plane. */
  askServer<T>(method: string, path: string, options?: AskOptions): Promise<T>
  /** Another world of the same server. */
  of(world: string): Server
  /** The answer itself, where it is not JSON. */
  open(method: string, path: string, options?: AskOptions): Promise<Response>
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
  const [, base = '', worldOfUrl = 'default'] =
    /^(.*?)(?:\/w\/([^/]+))?\/*$/.exec(url.href.split(/[?#]/)[0] ?? '') ?? []
  return serverAt(base, given.get('world') ?? worldOfUrl)
}

function serverAt(origin: string, world: string): Server {
  const baseUrl = world === 'default' ? origin : `${origin}/w/${encodeURIComponent(world)}`
  return {
    origin,
    world,
    baseUrl,
    ask: (method, path, options) => askJson(baseUrl, method, path, options),
    askServer: (method, path, options) => askJson(origin, method, path, options),
    open: (method, path, options) => request(baseUrl, method, path, options),
    of: (other) => serverAt(origin, other),
  }
}

async function askJson<T>(baseUrl: string, method: string, path: string, options?: AskOptions): Promise<T> {
  const response = await request(baseUrl, method, path, options)
  return (await jsonOf(response, baseUrl)) as T
}

async function request(baseUrl: string, method: string, path: string, options: AskOptions = {}): Promise<Response> {
  const { body, raw, patience = PATIENCE_MS } = options
  const token = process.env[TOKEN]
  const type = raw?.type ?? (body === undefined ? undefined : 'application/json')
  const content = raw?.content ?? (body === undefined ? undefined : JSON.stringify(body))
  let response: Response
  try {
    response = await (await fetcher(patience))(`${baseUrl}/_mfano${path}`, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...(type && { 'content-type': type }) },
      ...(content !== undefined && { body: content }),
      ...(typeof content === 'object' && { duplex: 'half' }),
      ...(patience !== 'for-ever' && { signal: AbortSignal.timeout(patience) }),
    })
  } catch (error) {
    throw nobody(baseUrl, error as Error)
  }
  if (response.ok) return response
  const { error } = ((await jsonOf(response, baseUrl)) ?? {}) as {
    error?: { code?: string; message?: string; details?: string }
  }
  if (error?.code === undefined) throw noMfano(baseUrl, `It answered ${response.status} and no reason.`)
  const hint = error.code === 'ADMIN_TOKEN_NEEDED' ? `Set ${TOKEN} to its token.` : (error.details ?? '')
  const exitCode = /INVALID_EXPRESSION|(?:INVALID|MISSING)_FIELD$/.test(error.code) ? USAGE : PROBLEMS
  throw new CommandFailed(error.message ?? '', hint, { code: error.code, exitCode })
}

/** Node's own fetch gives up after five minutes without an answer; some work takes longer. */
async function fetcher(patience: AskOptions['patience']): Promise<typeof fetch> {
  if (patience !== 'for-ever') return fetch
  const { Agent, fetch: patientFetch } = await import('undici')
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  return ((address: string, init: object) => patientFetch(address, { ...init, dispatcher })) as unknown as typeof fetch
}

async function jsonOf(response: Response, baseUrl: string): Promise<unknown> {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    throw nobody(baseUrl, error as Error)
  }
  try {
    return JSON.parse(text)
  } catch {
    throw noMfano(baseUrl, `It answered ${response.status} without JSON.`)
  }
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
  if (error.name === 'TimeoutError') return new CommandFailed(`No answer from ${baseUrl} in time.`, '', options)
  return new CommandFailed(`Nobody answers at ${baseUrl}.`, message || code || error.message, options)
}

function noMfano(baseUrl: string, why: string): CommandFailed {
  return new CommandFailed(`${baseUrl} is no mfano.`, why, { code: 'NO_MFANO', exitCode: UNREACHABLE })
}

/** A command that asks a server: the question, and how a person reads the answer. `--json` prints it as it came. */
interface ServerCommand<Answer> extends Omit<Command, 'run' | 'flags'> {
  flags?: readonly Flag[]
  ask(server: Server, given: Arguments, output: Output): Promise<Answer>
  show(answer: Answer, output: Output, given: Arguments): string
  /** The exit code, where an answer may be a bad one. */
  verdict?(answer: Answer): number
}

export function serverCommand<Answer>(about: ServerCommand<Answer>): Command {
  const { flags = [], ask, show, verdict, ...rest } = about
  return {
    ...rest,
    flags: [...flags, urlFlag, worldFlag, jsonFlag],
    run: async (given, output) => {
      const answer = await ask(serverOf(given), given, output)
      output.out(given.has('json') ? `${JSON.stringify(answer, null, 2)}\n` : show(answer, output, given))
      return verdict?.(answer) ?? CLEAN
    },
  }
}
