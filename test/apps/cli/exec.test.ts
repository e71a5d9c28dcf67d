/** `mfano exec`: a program whose clock shows the time of a world, by libfaketime. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { findFaketime } from '../../../src/apps/clock/file-time.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { needs } from '../../support/needs.ts'
import { entry } from '../../support/program-entry.ts'
import { answer, folder } from './support.ts'

const bench = useBench()

interface Executed {
  child: ChildProcessWithoutNullStreams
  errors(): string
  /** Has the program go on, and gives the next line that it prints. */
  next(): Promise<string | undefined>
  ended: Promise<number | null>
}

function exec(world: TestWorld, ...program: string[]): Executed {
  const at = ['--url', bench.simulator.baseUrl, '--world', world.id]
  const child = spawn(process.execPath, [entry, 'exec', ...at, '--', ...program])
  onTestFinished(() => void child.kill('SIGTERM'))
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const next = async () => {
    child.stdin.write('\n')
    return (await lines.next()).value
  }
  return { child, errors: () => errors, next, ended: once(child, 'close').then(([code]) => code) }
}

function needsFaketime(context: TestContext): void {
  if (findFaketime() === undefined) context.skip('this machine has no libfaketime')
}

const participants = async (world: TestWorld) => (await world.control('GET', '/clock/participants')).participants

it('moves the clock of a program with the world, and leaves when it ends', async (context) => {
  needsFaketime(context)
  const world = await bench.world()
  const run = exec(world, 'sh', '-c', 'while read line; do date -u +%FT%T; done; exit 7')
  expect(await run.next()).toBe('2025-01-24T16:28:00')
  await expect.poll(() => participants(world)).toMatchObject([{ name: 'sh', state: 'resting', nextDue: null }])
  expect(await world.advance('90m')).not.toHaveProperty('absent')
  expect(await run.next()).toBe('2025-01-24T17:58:00')
  expect(run.errors()).toBe("mfano: sh reads the world's time. Sleeps and timeouts still take real time.\n")
  run.child.stdin.end()
  expect(await run.ended).toBe(7)
  expect(await participants(world)).toEqual([])
})

it('moves with a world whose time goes by itself', async (context) => {
  needsFaketime(context)
  const world = await bench.world({ clock: { mode: 'scaled', rate: 3600, start: '2025-01-24T16:28:00Z' } })
  const run = exec(world, 'sh', '-c', 'while read line; do date -u +%FT%T; done')
  await expect.poll(run.next).toMatch(/^2025-01-2[4-9]T(?!16)/)
})

/** Waits that would never end, or fail, if more than the time of day was faked. */
const WAITS = `
import sys, threading, time
from datetime import datetime, timezone
for line in sys.stdin:
    began = time.monotonic()
    time.sleep(0.02)
    threading.Event().wait(0.02)
    print(datetime.now(timezone.utc).isoformat()[:19], time.monotonic() - began >= 0.04, flush=True)
`

it('lets Python sleep in real time', async (context) => {
  needsFaketime(context)
  needs('python3', context)
  const world = await bench.world()
  const run = exec(world, 'python3', '-c', WAITS)
  expect(await run.next(), run.errors()).toBe('2025-01-24T16:28:00 True')
  await world.advance('1d')
  expect(await run.next()).toBe('2025-01-25T16:28:00 True')
})

const SLEEPS = `
class Sleeps {
  public static void main(String[] words) throws Exception {
    while (System.in.read() >= 0) {
      Thread.sleep(20);
      System.out.println(java.time.Instant.now());
    }
  }
}`

it('moves the clock of the JVM', async (context) => {
  needsFaketime(context)
  needs('javac', context)
  const world = await bench.world()
  const classes = folder({ 'Sleeps.java': SLEEPS })
  await promisify(execFile)('javac', ['Sleeps.java'], { cwd: classes })
  const run = exec(world, 'java', '-cp', classes, 'Sleeps')
  expect(await run.next(), run.errors()).toBe('2025-01-24T16:28:00Z')
  await world.advance('1d')
  expect(await run.next()).toBe('2025-01-25T16:28:00Z')
})

it('ends the program when it is ended itself', async (context) => {
  needsFaketime(context)
  const world = await bench.world()
  const run = exec(world, 'sh', '-c', 'read line; echo $$; exec sleep 1000')
  const pid = Number(await run.next())
  run.child.kill('SIGTERM')
  expect(await run.ended).toBe(128 + 15)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(await participants(world)).toEqual([])
})

it('says what it cannot run', async (context) => {
  needsFaketime(context)
  const world = await bench.world()
  const run = exec(world, 'no-such-program')
  expect(await run.ended).toBe(127)
  expect(run.errors()).toContain('no-such-program could not be started')
})

it('says so where the world is not', async (context) => {
  needsFaketime(context)
  const ran = await answer(['exec', '--url', bench.simulator.baseUrl, '--world', 'nowhere', '--', 'true'])
  expect(ran.code).toBe(1)
  expect(ran.errors).toContain('nowhere')
})

it('says so where the machine has no libfaketime, and what to do', async () => {
  expect(findFaketime([folder()])).toBeUndefined()
  vi.doMock('../../../src/apps/clock/file-time.ts', () => ({ findFaketime: () => undefined }))
  onTestFinished(() => vi.doUnmock('../../../src/apps/clock/file-time.ts'))
  vi.resetModules()
  const { runCommand } = await import('../../../src/apps/cli/run.ts')
  let errors = ''
  const output = {
    error: (text: string) => {
      errors += text
    },
  }
  expect(await runCommand(['exec', '--', 'date'], output as never)).toBe(2)
  expect(errors).toMatch(/^This machine has no libfaketime\.\s+Install it: apt install faketime/)
})
