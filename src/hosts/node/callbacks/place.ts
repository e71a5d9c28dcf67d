/** Whether this process runs in a container. */
import { existsSync, readFileSync } from 'node:fs'

const MARKS = ['/.dockerenv', '/run/.containerenv']
const ENGINE = /docker|containerd|kubepods|libpod|lxc/

/** In a container, localhost is not the machine that people mean. */
export function inContainer(): boolean {
  return MARKS.some((mark) => existsSync(mark)) || process.env['KUBERNETES_SERVICE_HOST'] !== undefined || isGrouped()
}

/** The first process of a container is in a control group of its engine. */
function isGrouped(): boolean {
  try {
    return ENGINE.test(readFileSync('/proc/1/cgroup', 'utf8'))
  } catch {
    return false
  }
}
