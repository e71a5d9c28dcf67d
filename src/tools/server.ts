/** Asking a mfano that runs. */
import { type Arguments, CommandFailed, type Flag, UsageError } from './command.ts'

/** The token of a guarded control plane; from the environment, because a command line is seen by everybody. */
const TOKEN = 'MFANO_ADMIN_TOKEN'
const PATIENCE_MS = 30_000

export const urlFlag: Flag = {
  name: 'url',
  value: 'url',
  help: `The base URL of a running mfano. ${TOKEN} is sent when it is set.`,
  expected: 'an address such as http://localhost:8080',
}
export const worldFlag: Flag = {
  name: 'world',
  value: 'id',
  help: 'The world to ask, at that mfano.',
  expected: 'the id of a world',
  byDefault: 'default',
}

/** The base URL of the world that the arguments name. */
export function worldUrl(given: Arguments): string {
  const text = given.get('url') ?? ''
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--url: expected an address such as http://localhost:8080, got ${JSON.stringify(text)}.`)
  const world = given.get('world') ?? 'default'
  return url.href.replace(/\/+$/, '') + (world === 'default' ? '' : `/w/${encodeURIComponent(world)}`)
}

/** The JSON answer of a control-plane request; fails with what the server said. */
export async function askServer<T>(baseUrl: string, method: string, path: string, body?: unknown): Promise<T> {
  const token = process.env[TOKEN]
  const address = `${baseUrl}/_mfano${path}`
  let response: Response
  let text: string
  try {
    response = await fetch(address, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    text = await response.text()
  } catch (error) {
    const { cause, message } = error as Error
    throw new CommandFailed(`Nobody answers at ${baseUrl}.`, cause instanceof Error ? cause.message : message)
  }
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new CommandFailed(`${address} is no mfano.`, `It answered ${response.status} without JSON.`)
  }
  if (response.ok) return answer as T
  const { error } = answer as { error?: { message?: string; details?: string } }
  throw new CommandFailed(`${address} answered ${response.status}: ${error?.message ?? ''}`, error?.details ?? '')
}
