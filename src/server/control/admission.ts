/** Decides which requests may reach the control plane and the pages, before any token is checked. */
import { Refusal } from '../../core/model/refusal.ts'
import { CALLBACK_MARK } from '../../core/sign.ts'

interface Visit {
  method: string
  path: string
  url: string
  headers: Headers
  adminToken: string | undefined
  publicUrl: string | undefined
}

/**
 * Open to everybody: the health check, the authority's certificate, and the inboxes, because probes and merchants have
 * no token.
 */
export function needsNoToken({ method, path }: Pick<Visit, 'method' | 'path'>): boolean {
  if (path === '/_mfano/health' || path === '/_mfano/ca.pem') return true
  return method === 'POST' && /^\/_mfano\/inbox\/[^/]+$/.test(path)
}

/**
 * Refuses mfano's own callbacks, so that a `callbackUrl` cannot trigger a command. Without an admin token it also
 * refuses foreign host names (DNS rebinding), because a page of such a name could read and change everything.
 */
export function requireAdmission(visit: Visit): void {
  if (needsNoToken(visit)) return
  if (visit.headers.has(CALLBACK_MARK))
    throw new Refusal(
      'CALLBACK_REFUSED',
      `${visit.path} takes no callbacks: a callbackUrl is an endpoint of a merchant, or an inbox, such as /_mfano/inbox/hello`,
    )
  if (visit.adminToken !== undefined || !visit.path.startsWith('/_mfano')) return
  const name = URL.parse(visit.url)?.hostname ?? ''
  if (isOurs(name, visit.publicUrl)) return
  throw new Refusal(
    'FOREIGN_HOST',
    `Host: must be an IP address, localhost, a name without dots, or the host of the base URL, got "${name.slice(0, 80)}". ` +
      `To be asked under that name, start mfano with --base-url http://${name.slice(0, 80)} (MFANO_BASE_URL), or with an admin token (MFANO_ADMIN_TOKEN)`,
  )
}

/**
 * Host names that nobody can register and point here. RFC 6761 and ICANN keep `localhost` and `internal` out of the
 * public DNS.
 */
const PRIVATE = /^(?:[^.]+|(?:.+\.)?(?:localhost|internal)|[\d.]+|\[.*\])\.?$/

function isOurs(name: string, publicUrl: string | undefined): boolean {
  return PRIVATE.test(name) || (publicUrl !== undefined && URL.parse(publicUrl)?.hostname === name)
}
