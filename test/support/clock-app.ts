/** An app as a process of its own that takes part in the clock of a world, by the preload. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freePort } from '../../src/judge/app/free-port.ts'
import type { TestWorld } from './harness.ts'

export const PRELOAD = new URL('../../src/apps/follow-clock.ts', import.meta.url).href

// biome-ignore lint/suspicious/noExplicitAny: what an app answers is for the test to judge
type Any = any

/** One that can be asked. */
export interface ClockApp {
  child: ChildProcess
  ask(path: string, body?: object): Promise<Any>
  stop(): Promise<void>
}

/** Starts an app, and resolves when `ready` answers. */
export async function startClockApp(
  world: TestWorld,
  file: string,
  options: {
    env?: Record<string, string>
    port?: number
    ready?: string
    /** What Node is given, where that is not the preload and the file. */
    words?: (file: string) => string[]
  } = {},
): Promise<ClockApp> {
  const { env = {}, port = await freePort(), ready = '/' } = options
  const dir = mkdtempSync(join(tmpdir(), 'mfano-clock-app-'))
  const { apiKey, apiSecret, companyId } = world.credentials
  const { words = (app: string) => ['--import', PRELOAD, app] } = options
  const child = spawn(process.execPath, words(file), {
    env: {
      PATH: process.env['PATH'],
      MFANO_URL: world.baseUrl,
      MFANO_CLOCK_LEASE: '60s',
      PORT: String(port),
      DATA: dir,
      PAYMENTS_BASE_URL: world.baseUrl,
      PAYMENTS_KEY: apiKey,
      PAYMENTS_SECRET: apiSecret,
      PAYMENTS_COMPANY: companyId,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: a command such as tsx runs the app in a process of its own.
    detached: true,
  })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    endGroup(child)
    await gone
    rmSync(dir, { recursive: true, force: true })
  }
  onTestFinished(stop)
  const url = `http://127.0.0.1:${port}`
  const ask = async (path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(url + path, { ...init, headers: { connection: 'close' } })
    const text = await response.text()
    expect(response.status, `${text}\n${errors}`).toBe(200)
    return JSON.parse(text)
  }
  await expect
    .poll(async () => {
      expect(child.exitCode, errors).toBe(null)
      return fetch(url + ready).then(
        ({ status }) => status,
        () => 'not yet',
      )
    })
    .toBe(200)
  return { child, ask, stop }
}

/** Ends a process with all that it started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
