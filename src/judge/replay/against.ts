/** Finds the first request or answer in which a live app differs from a recording. */

import type { Attempt } from '../../core/model/callback.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { asJson } from '../../core/model/json.ts'
import type { RecordedEntry, RecordedRequest } from '../../core/recording.ts'
import type { SubjectOutcome } from '../subject/outcome.ts'
import { differencesOf, withoutIds } from '../values/differences.ts'

export interface LiveWorld {
  /** All that the app asked. */
  requests(): JournalEntry[]
  answerTo(callbackId: number, attempt: number): number | null | undefined
  /** The request with its body masked, as in the journal. */
  shown(request: RecordedRequest): { method: string; path: string; body: unknown }
}

export interface Otherwise {
  event: number
  text: string
}

export interface Against {
  otherwise: Otherwise | undefined
  findings: SubjectOutcome['findings']
  unjudged?: string
}

type Expected = ReturnType<LiveWorld['shown']> & { event: number }

/** The first request or answer of a live app that differs from the recording. */
export function otherwiseThan(entries: readonly RecordedEntry[], world: LiveWorld): Otherwise | undefined {
  const came = Map.groupBy(world.requests(), secondOf)
  const expected = new Map<number, Expected[]>()
  const found: (Otherwise | undefined)[] = []
  for (const [i, entry] of entries.entries()) {
    const event = i + 1
    if ('stage' in entry && typeof entry.request !== 'number')
      expected.set(secondOf(entry), [
        ...(expected.get(secondOf(entry)) ?? []),
        { ...world.shown(entry.request), event },
      ])
    if ('command' in entry && entry.command.command === 'record-attempt')
      found.push(answeredOtherwise(entry.command, world, event))
  }
  let last = 1
  for (const second of [...new Set([...expected.keys(), ...came.keys()])].sort((a, b) => a - b)) {
    const those = expected.get(second) ?? []
    last = those.at(-1)?.event ?? last
    found.push(firstOtherwise(those, came.get(second) ?? [], last))
  }
  return found.filter((one) => one !== undefined).sort((a, b) => a.event - b.event)[0]
}

/** Rounds down to seconds, because instants of one clock move differ by microseconds. */
function secondOf({ atUs }: { atUs: number }): number {
  return Math.floor(atUs / 1_000_000)
}

function answeredOtherwise(
  command: Record<string, unknown>,
  world: Pick<LiveWorld, 'answerTo'>,
  event: number,
): Otherwise | undefined {
  const { callbackId, number, status } = command['attempt'] as Attempt
  const now = world.answerTo(callbackId, number)
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
