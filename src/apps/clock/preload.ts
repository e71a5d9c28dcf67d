import { basename } from 'node:path'
import { isMainThread, threadId } from 'node:worker_threads'
import { unfitNode } from '../../../bin/node-version.js'
import { parseDuration } from '../../core/model/time.ts'
import { AppActivity } from './app-activity.ts'
import { FakeTime } from './fake-time.ts'
import { Participation } from './participation.ts'
import { CLOCK_PATH, SyncLine, WorldLine } from './world-line.ts'

const USUAL = 'http://localhost:8080'
const LEASE = '10s'
/** Programs that only start others, and get the same environment: their children take part. */
const STARTERS = /[\\/](?:npm|npx|pnpm|yarn|corepack|tsx)(?:-cli)?(?:[\\/]dist[\\/]cli)?(?:\.[cm]?js)?$/
const COMPILER = /[\\/]esbuild[\\/]lib[\\/]main\.js$/
const UNUSABLE = 2

export async function takePart(env: NodeJS.ProcessEnv): Promise<void> {
  const script = process.argv[1] ?? ''
  if (env['MFANO_CLOCK'] === 'off' || STARTERS.test(script) || COMPILER.test(script)) return
  const unfit = unfitNode()
  if (unfit !== undefined) return refuse(`${unfit}. Run the app with that, or without its clock: MFANO_CLOCK=off`)
  const address = env['MFANO_URL'] || USUAL
  const url = URL.parse(address)
  const lease = env['MFANO_CLOCK_LEASE'] || LEASE
  const leaseUs = parseDuration(lease)
  if (url === null || !/^https?:$/.test(url.protocol))
    return refuse(`MFANO_URL: expected the base URL of a world such as ${USUAL}/w/shop, got ${JSON.stringify(address)}`)
  if (leaseUs === undefined)
    return refuse(`MFANO_CLOCK_LEASE: expected a duration such as 10s, got ${JSON.stringify(lease)}`)
  const patience = env['MFANO_CLOCK_PATIENCE']
  const patienceUs = patience ? parseDuration(patience) : leaseUs / 2
  if (patienceUs === undefined)
    return refuse(`MFANO_CLOCK_PATIENCE: expected a duration such as 5s, got ${JSON.stringify(patience)}`)
  const baseUrl = address.replace(/\/+$/, '')
  const at = { baseUrl, adminToken: env['MFANO_ADMIN_TOKEN'] || undefined }
  const line = new WorldLine(at)
  const atOnce = new SyncLine(at)
  const participation = new Participation({
    line,
    name: nameOf(process.argv[1]),
    lease,
    patienceMs: patienceUs / 1000,
    activity: new AppActivity(),
    begin: (nowMs) => new FakeTime(nowMs),
    tellAtOnce: (path, body) => atOnce.post(CLOCK_PATH + path, body),
    tell: say,
  })
  await participation
    .join()
    .catch(({ message, status }) =>
      refuse(
        status === undefined
          ? `no mfano answers at ${baseUrl} (${message}). Start one with "mfano", set MFANO_URL to a world's base URL, or run without its clock: MFANO_CLOCK=off`
          : `${baseUrl} did not let this program take part in its time (${status}): ${message}`,
      ),
    )
}

function nameOf(script = 'node'): string {
  return isMainThread ? basename(script) : `${basename(script)} (worker ${threadId})`
}

function say(sentence: string): void {
  process.stderr.write(`mfano/clock: ${sentence}\n`)
}

function refuse(sentence: string): never {
  say(sentence)
  process.exit(UNUSABLE)
}
