/** Runs an app or a suite, each time in a world of its own. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ForKit, MUTATION } from '../../core/presentation.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { AppFailed } from '../app/app-process.ts'
import { ownFolder } from '../app/own-folder.ts'
import { keepCapsule } from '../keep-capsule.ts'
import { inNewWorld, openServer, Turns, WorldRefused } from '../subject/own-worlds.ts'
import { runSuite, type Subject } from '../subject/subject-of.ts'
import type { Choice } from './choice.ts'
import { emptyRun, type Ran } from './run-app.ts'
import type { ScheduleRecording } from './schedule-runner.ts'
import { ScheduleRunners } from './schedule-runners.ts'
import { singlesOf } from './schedules.ts'
import { leftIn, setTelling, type Telling, type ToldCallback, tracesOf } from './world-left.ts'

export interface TimedRun extends Ran {
  tookMs: number
}

/** Close it when done. */
export interface SubjectRuns {
  /** Throws only where it is interrupted: what cannot be run is not judged. */
  run(choices: readonly Choice[], recording: ScheduleRecording): Promise<TimedRun>
  /** Learns from the ordinary day. Gives the single choices to try, where they are wanted: none for a suite. */
  learn(ordinary: Ran, withSingles: boolean): Promise<readonly Choice[]>
  close(): Promise<void>
}

interface RunsOptions {
  seed?: number
  tls?: boolean | undefined
  /** A suite is judged by its books, and not by its exit code. */
  isByBooks: boolean
  signal: AbortSignal
}

export async function openRuns(subject: Subject, options: RunsOptions): Promise<SubjectRuns> {
  const turns = new Turns(subject.jobs)
  const runs = subject.merchant ? await openApp(subject, subject.merchant, options) : await openSuite(subject, options)
  const run: SubjectRuns['run'] = async (choices, recording) => {
    const beganMs = wallNowMs()
    const ran = await runs.run(choices, recording).catch((error) => {
      if (error instanceof AppFailed || error instanceof WorldRefused)
        return { ...emptyRun(choices), unjudged: error.message }
      throw error
    })
    return { ...ran, tookMs: wallNowMs() - beganMs }
  }
  return {
    ...runs,
    // The sooner a finding is told, the better.
    run: (choices, recording) => turns.take(() => run(choices, recording), { first: recording.patience !== undefined }),
  }
}

interface UntimedRuns extends Omit<SubjectRuns, 'run'> {
  run(choices: readonly Choice[], recording: ScheduleRecording): Promise<Ran>
}

async function openApp(
  { patience, jobs }: Subject,
  merchant: NonNullable<Subject['merchant']>,
  options: RunsOptions,
): Promise<UntimedRuns> {
  const runners = await ScheduleRunners.open({ ...options, ...patience, merchant, jobs })
  return {
    run: (choices, recording) => runners.run(choices, recording),
    async learn(ordinary, withSingles) {
      runners.ordinaryDayWas(ordinary)
      if (!withSingles) return []
      await runners.trustReset()
      return singlesOf(ordinary, merchant)
    },
    close: () => runners.close(),
  }
}

/** A suite makes its own choices. */
async function openSuite(
  { name: subject, suite, jobs }: Subject,
  { seed, tls, isByBooks, signal }: RunsOptions,
): Promise<UntimedRuns> {
  const server = await openServer({ worlds: jobs, tls, isGated: false })
  let asked: Ran['asked']
  return {
    run: (choices, { world, tells, isTraced, capsuleIn, name }) => {
      const body = { ...world, ...(seed !== undefined && { seed }), record: capsuleIn !== undefined || undefined }
      return inNewWorld(server, body, async (made) => {
        const { control } = made
        await setTelling(control, tells)
        const kit = tells && kitWorlds(tells)
        try {
          const env = { ...suite.env, ...kit?.env }
          const judging = { isByBooks, mustAsk: tells === undefined }
          const outcome = await runSuite({ ...suite, env }, { ...made, signal, asked }, judging)
          const [first] = outcome.findings
          const ask = () => control.open('GET', '/capsule', { query: { why: first?.text ?? '' } })
          const capsule = first && capsuleIn && (await keepCapsule(ask, `${subject}-${name}`, capsuleIn))
          const findings = outcome.findings.map((one) => ({ ...one, ...(capsule && { capsule }) }))
          const left = await leftIn(control, outcome.findings)
          const traces = isTraced && (await tracesOf(control))
          if (traces && kit) traces.told.push(...kit.told())
          return { ...emptyRun(choices), ...outcome, findings, left, ...(traces && { traces }) }
        } finally {
          kit?.close()
        }
      })
    },
    async learn(ordinary) {
      asked = ordinary.asked
      return []
    },
    close: () => server.close(),
  }
}

/** Worlds that a suite makes by itself, with the kits: a variable says what they tell, and files keep what they told. */
function kitWorlds(tells: Telling): { env: Record<string, string>; told(): ToldCallback[]; close(): void } {
  const folder = ownFolder('told')
  const value: ForKit = tells === 'truth' ? { keepIn: folder.path } : { tell: tells }
  return {
    env: { [MUTATION]: JSON.stringify(value) },
    told: () =>
      readdirSync(folder.path).flatMap((name): ToldCallback[] =>
        JSON.parse(readFileSync(join(folder.path, name), 'utf8')),
      ),
    close: () => folder.remove(),
  }
}
