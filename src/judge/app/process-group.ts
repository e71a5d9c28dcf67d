/** Starts somebody else's program in a process group that ends with this process, however that ends. */
import { type ChildProcess, spawn } from 'node:child_process'

/**
 * Waits beside the program until the pipe from mfano closes, which a SIGKILL of mfano does too, and then ends the group.
 * It goes with the group, or with what is left of it.
 */
const WATCHDOG = '(read -r line <&3; kill -9 -$$) </dev/null >/dev/null 2>&1 & exec 3<&-; '

/** Where it runs, and where its output goes. */
export interface GroupOptions {
  cwd?: string
  env: NodeJS.ProcessEnv
  stdio: [input: 'ignore', output: 'pipe' | number, errors: 'pipe' | number]
}

/** Groups that run; none outlives this process. */
const running = new Set<number>()
process.on('exit', () => running.forEach(endGroup))

/** A line for the shell, or a program and its words. What cannot be run ends with 126 or 127, as a shell has it. */
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

/** Ends a program with all that it started, as if the power went. One that is gone already needs no end. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  running.delete(pid)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
