/** A simulator on a data directory, for tests that stop it and start it again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readSettings } from '../../src/apps/cli/start/read-settings.ts'
import { type Log, silentLog } from '../../src/hosts/node/log.ts'
import { type RunningSimulator, startSimulator } from '../../src/hosts/node/simulator.ts'
import type { Alarms } from './alarms.ts'
import { TestWorld } from './harness.ts'

/** A directory of its own, gone with the test. */
export function dataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'mfano-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return directory
}

/**
 * Starts a simulator on a directory, with more flags; `time` is real time that the test moves. An error inside it fails the test, unless it is expected or
 * taken out of `errors`.
 */
export async function startOn(
  place: string | { directory: string; time: Alarms },
  ...flags: string[]
): Promise<
  RunningSimulator & { world(id: string): TestWorld; errors: string[]; expectErrors(...messages: RegExp[]): void }
> {
  const { directory, time } = typeof place === 'string' ? { directory: place } : place
  const { settings, error } = readSettings(['--port', '0', '--data', directory, '--log', 'off', ...flags], {})
  if (!settings) throw new Error(error)
  const errors: string[] = []
  const expected: RegExp[] = []
  const log: Log = { ...silentLog, error: (message, fields) => errors.push(`${message} ${fields?.err}`) }
  const simulator = await startSimulator(settings, log, time && { realTime: time.host })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= simulator.close().then(() => {
      const unseen = errors.filter((error) => !expected.some((pattern) => pattern.test(error)))
      if (unseen.length > 0) throw new Error(`Errors that nobody saw: ${unseen.join('\n')}`)
    })
    return closed
  }
  onTestFinished(close)
  const world = (id: string) =>
    new TestWorld(simulator, { id, baseUrl: `${simulator.baseUrl}/w/${id}`, credentials: simulator.credentials })
  const expectErrors = (...messages: RegExp[]) => {
    expected.push(...messages)
  }
  return { ...simulator, world, close, errors, expectErrors }
}

/** Asks a server for JSON, with JSON or with bytes. */
export async function send(baseUrl: string, method: string, path: string, body?: unknown, token?: string) {
  const response = await fetch(baseUrl + path, {
    method,
    ...(body !== undefined && { body: body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  })
  // biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
  return { status: response.status, body: (await response.json()) as any }
}

/** A world as a file. */
export async function fileOf(baseUrl: string, id: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetch(`${baseUrl}/_mfano/worlds/${id}/file`)).arrayBuffer())
}
