/** Whether this process runs in a container. */
import { existsSync, readFileSync } from 'node:fs'

/** Files that container engines put into every container. */
const MARKS = ['/.dockerenv', '/run/.containerenv']
const ENGINE = /docker|containerd|kubepods|libpod|lxc/

/** Whether this process runs in a container, where localhost is not the machine that people mean. */
export function inContainer(): boolean {
  return MARKS.some((mark) => existsSync(mark)) || process.env['KUBERNETES_SERVICE_HOST'] !== undefined || isGrouped()
}

/** The first process of a container is in a control group that its engine made. */
function isGrouped(): boolean {
  try {
    return ENGINE.test(readFileSync('/proc/1/cgroup', 'utf8'))
  } catch {
    return false
  }
}
