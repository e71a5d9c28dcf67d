/** Searches for an order of events that makes an app's books wrong, as a test. */
import { MfanoError } from '../../client/errors.ts'
import { parseDuration } from '../../core/model/time.ts'

/** Limits of a search. Seed and number of schedules decide, so every machine runs the same search. */
export interface ExploreOptions {
  /** Another seed searches elsewhere. Default 1. */
  seed?: number
  /** Schedules at most. Default 100. */
  schedules?: number
  /** Real time at most. Default `5m`. */
  within?: string
  /** Runs at the same time. Default 4. */
  jobs?: number
  /** A folder with schedules of earlier findings, which run first. */
  replay?: string
  /**
   * A folder for findings: schedule, scenario, capsule and page of each. By default the capsule goes to the folder in
   * `MFANO_CAPSULES`.
   */
  out?: string
  /** Pass although something was seen that its schedule does not show each time. */
  allowUnstable?: boolean
}

/** Counts of a search without a finding. */
export interface Searched {
  run: number
  distinct: number
  behaviours: number
}

/**
 * Runs an app, as its merchant file says, under one schedule after another. Fails with the shortest story of the first
 * finding, or with the reason why the app cannot be judged.
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
  const { seed = 1, schedules = 100, within = '5m', jobs = 4, replay, out, allowUnstable = false } = options
  const withinUs = parseDuration(within)
  if (withinUs === undefined)
    throw new MfanoError({ code: 'BAD_OPTIONS', message: `within: expected a duration such as 5m, got ${within}` })
  // Only here: nothing else in a suite needs the judge.
  const { searchSchedules } = await import('../../judge/search-schedules.ts')
  const { signal } = new AbortController()
  const { data } = await searchSchedules({
    ...{ file, seed, schedules, jobs, replay, out, allowUnstable, signal },
    withinMs: withinUs / 1000,
    findingsMax: 1,
  })
  const [finding] = [...data.findings, ...data.unconfirmed, ...(allowUnstable ? [] : data.unstable)]
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
