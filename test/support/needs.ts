/** What a test needs of the machine that runs it, and for which reasons it may be skipped at all. */
import { spawnSync } from 'node:child_process'

/** Skips a test, and says why at the end of the run, where a program is missing. */
export function needs(program: string, { skip }: { skip(why: string): void }): void {
  const { status } = spawnSync(process.platform === 'win32' ? 'where' : 'which', [program])
  if (status !== 0) skip(`this machine has no ${program}`)
}

/** Where a bench is a deployment, and not in the process of its test. */
export const OF_ITS_PROCESS = {
  time: 'it moves the time of its own process, or has a service of its own',
  worlds: 'it looks into worlds of its own process',
  sockets:
    'it needs connections that are cut, headers that are bounded or addresses that are looked at: a worker has no sockets',
  callers: 'an object is not told that its caller left',
  proxies: 'it needs a setting for a proxy in front, where a deployment has the platform',
  compression: 'it asks for compressed files, which the platform compresses itself',
} as const

/** Skips a test where its bench is a deployment, and says why. */
export function needsProcess(why: keyof typeof OF_ITS_PROCESS, { skip }: { skip(why: string): void }): void {
  if (process.env['MFANO_TEST_HOST'] === 'workers') skip(OF_ITS_PROCESS[why])
}

/** What a reason begins with that holds for every test. Whatever else is skipped fails the run. */
const EVERYWHERE = /^(?:this machine has no |Node [\d.]+ (?:takes|reads) no )/
const ON_WORKERS: readonly string[] = Object.values(OF_ITS_PROCESS)

/** Whether a test of a project of vitest may be skipped for a reason. */
export function mayBeSkipped(project: string, why: string | undefined): boolean {
  if (why === undefined) return false
  return EVERYWHERE.test(why) || (project === 'workers' && ON_WORKERS.includes(why))
}
