import { must } from '../../core/model/must.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import type { Merchant } from '../app/merchant-file.ts'
import { inNewWorld, openServer, Turns, WorldRefused } from '../subject/own-worlds.ts'
import { runSuite, type Suite } from '../subject/subject-of.ts'
import { type Choice, recordOf } from './choice.ts'
import { emptyRun, lostRun, type Ran } from './run-app.ts'
import { type RunnerOptions, type ScheduleRecording, ScheduleRunner } from './schedule-runner.ts'
import { setTelling, tracesOf } from './world-left.ts'

export interface TimedRun extends Ran {
  tookMs: number
}

/** Close it when done. */
export interface SubjectRuns extends Pick<ScheduleRunner, 'learn' | 'close'> {
  /** Throws only where it is interrupted: what cannot be run is not judged. */
  run(choices: readonly Choice[], recording: ScheduleRecording): Promise<TimedRun>
  /** Until this has ended, only what is urgent begins. */
  hold<T>(work: () => Promise<T>): Promise<T>
}

interface RunsOptions extends Omit<RunnerOptions, 'merchant'> {
  merchant?: Merchant
  suite?: Suite
}

export async function withRuns<Done>(options: RunsOptions, work: (runs: SubjectRuns) => Promise<Done>): Promise<Done> {
  const runs = await openRuns(options)
  return work(runs).finally(() => runs.close())
}

async function openRuns(options: RunsOptions): Promise<SubjectRuns> {
  const { merchant, suite, jobs, signal } = options
  const turns = new Turns(jobs)
  const runs: Pick<ScheduleRunner, 'run' | 'learn' | 'close'> = merchant
    ? await ScheduleRunner.open({ ...options, merchant })
    : await openSuite(must(suite), options)
  const run: SubjectRuns['run'] = async (choices, recording) => {
    signal.throwIfAborted()
    const beganMs = wallNowMs()
    const world = choices.reduce((made, one) => recordOf(one).effects.world?.(one, made) ?? made, recording.world)
    const others = world ? choices.filter((one) => !recordOf(one).effects.world) : choices
    const ran = await runs.run(others, { ...recording, ...(world && { world }) })
    return { ...ran, choices, tookMs: wallNowMs() - beganMs }
  }
  return {
    run: (choices, recording) =>
      turns.take(() => run(choices, recording), { first: recording.isUrgent ?? recording.patience !== undefined }),
    hold: (work) => turns.hold(work),
    learn: (ordinary, isWhole) => runs.learn(ordinary, isWhole),
    close: () => runs.close(),
  }
}

/** A suite makes its own choices, and leaves no capsule. */
async function openSuite(
  suite: Suite,
  { jobs, seed, tls, signal }: RunsOptions,
): Promise<Pick<ScheduleRunner, 'run' | 'learn' | 'close'>> {
  const server = await openServer({ worlds: jobs, tls })
  return {
    run: (choices, { world, tells, isTraced } = {}) =>
      inNewWorld(server, { ...world, ...(seed !== undefined && { seed }) }, async (made) => {
        await setTelling(made.control, tells)
        const outcome = await runSuite(suite, { ...made, signal })
        const traces = isTraced && (await tracesOf(made.control))
        return { ...emptyRun(choices), ...outcome, ...(traces && { traces }) }
      }).catch((error) => {
        if (error instanceof WorldRefused) return lostRun(choices, error.message)
        throw error
      }),
    learn: async () => ({ singles: [] }),
    close: () => server.close(),
  }
}
