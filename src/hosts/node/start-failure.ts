/** Why a simulator did not start, in words. */
import type { Settings } from './settings.ts'

/** What a failed start says: the reason and what to do, and a stack only when we do not know better. */
export function startFailure(error: unknown, { host, port, data }: Pick<Settings, 'host' | 'port' | 'data'>): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', hint, syscall } = error as { code?: string; hint?: unknown; syscall?: string }
  if (error.name === 'ScenarioError') return error.message
  if (typeof hint === 'string') return `${error.message}\n${hint}`
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use. Stop what listens there, or choose another port: --port ${port === 9090 ? 9091 : 9090} (--port 0 takes any free one).`
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${port} is reserved for the administrator. Choose one from 1024 on: --port 8080.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}. Choose one that it has: --host 127.0.0.1, or --host 0.0.0.0 for all of them.`
  if (
    (code === 'ENOENT' && syscall === 'mkdir') ||
    ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT'].includes(code)
  )
    return `The data directory ${data} cannot be used (${error.message}). Choose another: --data ./data, or --data :memory: to keep nothing.`
  return `mfano could not start, and does not know why:\n${error.stack ?? error.message}`
}
