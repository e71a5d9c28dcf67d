/** An app that lives in the time of its world: started so that it does, and asked whether it rests. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Control } from '../../client/control.ts'
import { packageRoot } from '../../hosts/node/package.ts'
import { realPause, wallNowMs } from '../../hosts/node/wall.ts'

/** It may be slow on a busy machine; one that hangs is told by the judge's own patience. */
const LEASE = '30s'
/** Answers that a judge holds back come when time goes on: so long they are waited for all the same, in real time. */
const PATIENCE = '1s'
const JOINS_WITHIN_MS = 10_000
const LOOK_EVERY_MS = 10

/** Variables with which a Node app, however it is started, takes part in the time of a world. */
export function followingEnv(baseUrl: string): Record<string, string> {
  const root = packageRoot()
  const source = join(root, 'src/apps/follow-clock.ts')
  const preload = pathToFileURL(existsSync(source) ? source : join(root, 'dist/follow-clock.mjs')).href
  return {
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import ${preload}`.trim(),
    MFANO_URL: baseUrl,
    MFANO_CLOCK: 'on',
    MFANO_CLOCK_LEASE: LEASE,
    MFANO_CLOCK_PATIENCE: PATIENCE,
  }
}

/** Whether an app takes part in the time of its world; waits for it a while. */
export async function hasJoined(control: Control, signal: AbortSignal): Promise<boolean> {
  for (const untilMs = wallNowMs() + JOINS_WITHIN_MS; wallNowMs() < untilMs; await realPause(LOOK_EVERY_MS)) {
    signal.throwIfAborted()
    if ((await control('GET', '/clock/participants')).participants.length > 0) return true
  }
  return false
}

/** Why an app that is to follow the clock cannot be judged. */
export const NOT_JOINED =
  'The app does not take part in the time of its world, as "clock: follow" asks for. It works for apps that Node runs; does the command drop NODE_OPTIONS or MFANO_URL?'

/** What an app says of itself: whether nothing in it runs, and how many answers it waits for. */
export async function lookAt(control: Control): Promise<{ asleep: boolean; requests: number }> {
  const { participants } = await control('POST', '/clock/participants/look', { body: {} })
  return {
    asleep: participants.length > 0 && participants.every(({ idle }) => idle),
    requests: participants.reduce((sum, { requests }) => sum + requests, 0),
  }
}
