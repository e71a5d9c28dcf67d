/** Replays a recording with a live app: finds the first difference, and judges the app's books afterwards. */
import { controlOf } from '../client/control.ts'
import type { Attempt } from '../core/model/callback.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import { asJson } from '../core/model/json.ts'
import { maskBody } from '../core/model/mask.ts'
import type { RecordedEntry, RecordedRequest } from '../core/recording.ts'
import type { World } from '../core/world.ts'
import type { RunningSimulator } from '../hosts/node/simulator.ts'
import { isAppEnd } from './app/app-findings.ts'
import { AppFailed } from './app/app-process.ts'
import { readMerchantFile } from './app/merchant-file.ts'
import { PATIENT } from './explore/app-rest.ts'
import { runOnStage } from './explore/run-app.ts'
import { scheduleIn } from './explore/scenario-of.ts'
import { Stage } from './explore/stage.ts'
import type { SubjectOutcome } from './subject/outcome.ts'
import { type OwnWorld, withOwnServer } from './subject/own-worlds.ts'
import { Unusable } from './subject.ts'
import { differencesOf, withoutIds } from './values/differences.ts'

const PATIENCE = { readyWithinMs: 60_000, restWithinMs: 120_000 }
const LISTED = 1000

interface ReplayOptions {
  file: string
  entries: readonly RecordedEntry[]
  /** Makes the world in which the recording began. */
  begin(simulator: RunningSimulator): Promise<Pick<OwnWorld, 'id' | 'baseUrl' | 'credentials'>>
  signal: AbortSignal
}

/** The same is held, lost, made up or killed between app and world once more. */
export async function replayAgainst({ file, entries, begin, signal }: ReplayOptions): Promise<Against> {
  const schedule = scheduleIn(entries)
  if (!schedule)
    throw unusable('It holds nothing that was asked of an app.', 'A gauntlet notes that, where MFANO_CAPSULES is set.')
  const given = { ...PATIENCE, merchant: readMerchantFile(file), signal }
  const { explored: choices, kinds } = schedule
  return withOwnServer({ worlds: 1 }, async (server) => {
    const made = await begin(server.simulator)
    const control = controlOf(made.baseUrl, { fetch: server.simulator.fetch })
    // A world may go on from another, in which requests had come.
    const { journal } = server.simulator.worlds.get(made.id).core.store
    const since = journal.page({ limit: 1, newestFirst: true })[0]?.seq
    const stage = await Stage.open({ ...given, server }, { ...made, control, env: {} }).catch((error) => {
      throw error instanceof AppFailed ? unusable(error.message) : error
    })
    let otherwise: Otherwise | undefined
    const inspect = (world: World) => {
      otherwise = otherwiseThan(entries, world, since)
    }
    try {
      const { unjudged, findings } = await runOnStage(stage, { ...given, choices, kinds, pace: PATIENT, inspect })
      const ended = findings.find(({ code }) => isAppEnd(code))
      const why = unjudged ?? ended?.text
      if (why !== undefined) otherwise = { event: entries.length, text: why }
      return { otherwise, findings, ...(unjudged !== undefined && { unjudged }) }
    } finally {
      await stage.close()
    }
  })
}

function unusable(message: string, hint = ''): Unusable {
  return new Unusable(message, { code: 'CANNOT_BE_LED', hint })
}

// Finds the first request or answer in which a live app differs from a recording.

interface Otherwise {
  event: number
  text: string
}

interface Against {
  otherwise: Otherwise | undefined
  findings: SubjectOutcome['findings']
  unjudged?: string
}

type Expected = ReturnType<typeof shownRequest> & { event: number }

/**
 * The first request or answer of a live app that differs from the recording. `since`: the sequence number of the last
 * request before the first act.
 */
function otherwiseThan(entries: readonly RecordedEntry[], { core }: World, since = 0): Otherwise | undefined {
  const { journal, callbacks } = core.store
  const came = Map.groupBy(journal.page({ after: since, limit: LISTED }), secondOf)
  const expected = new Map<number, Expected[]>()
  const found: (Otherwise | undefined)[] = []
  for (const [i, entry] of entries.entries()) {
    const event = i + 1
    if ('stage' in entry && typeof entry.request !== 'number')
      expected.set(secondOf(entry), [
        ...(expected.get(secondOf(entry)) ?? []),
        { ...shownRequest(entry.request), event },
      ])
    if ('command' in entry && entry.command.command === 'record-attempt')
      found.push(answeredOtherwise(entry.command, callbacks, event))
  }
  let last = 1
  for (const second of [...new Set([...expected.keys(), ...came.keys()])].sort((a, b) => a - b)) {
    const those = expected.get(second) ?? []
    last = those.at(-1)?.event ?? last
    found.push(firstOtherwise(those, came.get(second) ?? [], last))
  }
  return found.filter((one) => one !== undefined).sort((a, b) => a.event - b.event)[0]
}

/** With its body masked, as in the journal. */
function shownRequest({ method, path, body }: RecordedRequest) {
  return { method, path, body: body === null ? null : asJson(maskBody(body)) }
}

/** Rounds down to seconds, because instants of one clock move differ by microseconds. */
function secondOf({ atUs }: { atUs: number }): number {
  return Math.floor(atUs / 1_000_000)
}

function answeredOtherwise(
  command: Record<string, unknown>,
  callbacks: World['core']['store']['callbacks'],
  event: number,
): Otherwise | undefined {
  const { callbackId, number, status } = command['attempt'] as Attempt
  const now = callbacks.attemptsOf(callbackId).find((one) => one.number === number)?.status
  if (now === undefined || now === status) return undefined
  return { event, text: `callback ${callbackId} was answered ${told(status)}, and ${told(now)} now` }
}

/** Requests sent at the same time have no fixed order, so each is compared with one of the same name. */
function firstOtherwise(
  expected: readonly Expected[],
  came: readonly JournalEntry[],
  event: number,
): Otherwise | undefined {
  const left = came.map(({ method, path, requestBody }) => ({ method, path, body: asJson(requestBody) }))
  for (const one of expected) {
    const alike = left.filter((other) => nameOf(other) === nameOf(one))
    const exact = alike.find((other) => differencesOf(local(one.body), local(other.body)).length === 0)
    const other = exact ?? alike[0]
    if (!other) return { event: one.event, text: `${nameOf(one)} was sent, and is not now` }
    left.splice(left.indexOf(other), 1)
    const [first] = differencesOf(local(one.body), local(other.body))
    if (first)
      return {
        event: one.event,
        text: `${nameOf(one)}: ${first.path} was ${told(first.first)}, and is ${told(first.second)} now`,
      }
  }
  const [extra] = left
  return extra && { event, text: `${nameOf(extra)} is sent now, and was not` }
}

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${withoutIds(path)}`
}

/** Removes the app's port, because it differs in every run. */
function local(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body ?? null).replace(/\b(127\.0\.0\.1|localhost):\d+/g, '$1'))
}

function told(value: unknown): string {
  return value === undefined || value === null ? '(nothing)' : JSON.stringify(value).slice(0, 120)
}
