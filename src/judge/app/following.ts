import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Control } from '../../client/control.ts'
import { packageRoot } from '../../hosts/node/package.ts'
import { realPause, wallNowMs } from '../../hosts/node/wall.ts'

/** Long, because a busy machine is slow. The judge's own patience detects an app that hangs. */
const LEASE = '30s'
/** Real time to wait for an answer. A judge can hold one back until simulated time advances. */
const PATIENCE = '1s'
const JOINS_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 10

export function followingOption(): string {
  const root = packageRoot()
  const source = join(root, 'src/apps/follow-clock.ts')
  return `--import ${pathToFileURL(existsSync(source) ? source : join(root, 'dist/follow-clock.mjs')).href}`
}

export function followingEnv(baseUrl: string): Record<string, string> {
  return { MFANO_URL: baseUrl, MFANO_CLOCK: 'on', MFANO_CLOCK_LEASE: LEASE, MFANO_CLOCK_PATIENCE: PATIENCE }
}

export async function hasJoined(control: Control, signal: AbortSignal, processes: number): Promise<boolean> {
  for (const untilMs = wallNowMs() + JOINS_WITHIN_MS; wallNowMs() < untilMs; await realPause(LOOK_EVERY_MS)) {
    signal.throwIfAborted()
    if ((await control('GET', '/clock/participants')).participants.length >= processes) return true
  }
  return false
}

export const NOT_JOINED =
  'The app does not take part in the time of its world, as "clock: follow" asks for. It works for apps whose processes are all run by Node; does the command drop NODE_OPTIONS or MFANO_URL?'

export async function lookAt(control: Control): Promise<{ asleep: boolean; requests: number }> {
  const { participants } = await control('POST', '/clock/participants/look', { body: {} })
  return {
    asleep: participants.length > 0 && participants.every(({ idle }) => idle),
    requests: participants.reduce((sum, { requests }) => sum + requests, 0),
  }
}
