/** Starts a program in a process group that ends with this process, even after SIGKILL. */
import { type ChildProcess, spawn } from 'node:child_process'

/** Runs beside the program, and kills the group when the pipe from mfano closes, even if mfano gets a SIGKILL. */
const WATCHDOG = '(read -r line <&3; kill -9 -$$) </dev/null >/dev/null 2>&1 & exec 3<&-; '

export interface GroupOptions {
  cwd?: string
  env: NodeJS.ProcessEnv
  stdio: [input: 'ignore', output: 'pipe' | number, errors: 'pipe' | number]
}

const running = new Set<number>()
process.on('exit', endGroups)

export function endGroups(): void {
  running.forEach(endGroup)
}

/**
 * `command` is a shell command, or a program with arguments. A command that cannot run exits with 126 or 127, as in a
 * shell.
 */
export function startGroup(command: string | readonly string[], { cwd, env, stdio }: GroupOptions): ChildProcess {
  const [run, words] = typeof command === 'string' ? ['eval "$1"', [command]] : ['"$@"', command]
  const child = spawn('/bin/sh', ['-c', WATCHDOG + run, 'sh', ...words], {
    cwd,
    env,
    // Whatever it starts ends with it.
    detached: true,
    stdio: [...stdio, 'pipe'],
  })
  // Read to its end, so that the child is known to be closed.
  const pipe = child.stdio[3]
  pipe?.on('error', () => {})
  if (pipe && 'resume' in pipe) pipe.resume()
  if (child.pid !== undefined) running.add(child.pid)
  return child
}

/** Kills the program and all its children at once, so that a crash is as sudden as a power failure. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  running.delete(pid)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
