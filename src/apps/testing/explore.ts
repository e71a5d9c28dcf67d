/** Searching an app for the order of events that makes its books wrong, as a test. */
import { MfanoError } from '../../client/errors.ts'
import { parseDuration } from '../../core/model/time.ts'

/** How far a test searches. The seed and the number of schedules say which, so every machine runs the same ones. */
export interface ExploreOptions {
  /** Another seed is another search; 1 unless given. */
  seed?: number
  /** How many schedules are run at the most; 100 unless given. */
  schedules?: number
  /** And how long at the most, in real time: `5m` unless given. */
  within?: string
  /** Runs at a time; 4 unless given. */
  jobs?: number
  /** A folder with schedules of earlier findings, which are run first. */
  replay?: string
  /** A folder for what is found: a schedule, a scenario, a capsule and a page each. Without, a capsule goes to that of `MFANO_CAPSULES`. */
  out?: string
}

/** What was searched where nothing was found. */
export interface Searched {
  run: number
  distinct: number
  behaviours: number
}

/**
 * Runs an app by its merchant file under schedule after schedule. Fails with the shrunk story of the first finding; with
 * why, where the app cannot be judged.
 *
 * @example
 * ```ts
 * import { explore } from 'mfano/testing'
 * import { test } from 'vitest'
 *
 * test('our books are right, whatever comes when', { timeout: 600_000 }, async () => {
 *   await explore('merchant.yaml', { schedules: 200, replay: 'test/found' })
 * })
 * ```
 */
export async function explore(file: string, options: ExploreOptions = {}): Promise<Searched> {
  const { seed = 1, schedules = 100, within = '5m', jobs = 4, replay, out } = options
  const withinUs = parseDuration(within)
  if (withinUs === undefined)
    throw new MfanoError({ code: 'BAD_OPTIONS', message: `within: expected a duration such as 5m, got ${within}` })
  // Only here: nothing else in a suite needs the judge.
  const { searchSchedules } = await import('../../judge/search-schedules.ts')
  const { signal } = new AbortController()
  const { data } = await searchSchedules({
    ...{ file, seed, schedules, jobs, replay, out, signal },
    withinMs: withinUs / 1000,
    findingsMax: 1,
  })
  const [finding] = data.findings
  if (finding) {
    const files = [finding.page, finding.capsule].filter((one) => one !== undefined)
    throw new MfanoError({
      code: finding.code.toUpperCase(),
      message: finding.text,
      details: [...finding.story, ...finding.requests, ...files].join('\n'),
    })
  }
  if (data.unjudged !== undefined) throw new MfanoError({ code: 'NOT_JUDGED', message: data.unjudged })
  return data.schedules
}
