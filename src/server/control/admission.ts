/** Who is let in to the control plane and the pages at all, before anybody asks for a token. */
import { Refusal } from '../../core/model/refusal.ts'
import { CALLBACK_MARK } from '../../core/sign.ts'

/** A request as it knocks. */
interface Visit {
  method: string
  /** Below the world's base URL, without its query. */
  path: string
  /** As the caller wrote it, with the host that it asked for. */
  url: string
  headers: Headers
  adminToken: string | undefined
  /** The base URL that mfano was told that it has. */
  publicUrl: string | undefined
}

/** Needs no token, under any name: whether mfano is ready, whom to trust, and the inbox, which plays a merchant. */
export function needsNoToken({ method, path }: Pick<Visit, 'method' | 'path'>): boolean {
  if (path === '/_mfano/health' || path === '/_mfano/ca.pem') return true
  return method === 'POST' && /^\/_mfano\/inbox\/[^/]+$/.test(path)
}

/**
 * Turns away our own callbacks, so that no `callbackUrl` is a command. And, where no token guards, browsers that were led
 * here under somebody else's name: a page of that name could read and press everything, as its browser takes us for its
 * own server.
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

/** Names that nobody can register and lead here: RFC 6761 and ICANN keep those of the two domains out of the public DNS. */
const PRIVATE = /^(?:[^.]+|(?:.+\.)?(?:localhost|internal)|[\d.]+|\[.*\])\.?$/

function isOurs(name: string, publicUrl: string | undefined): boolean {
  return PRIVATE.test(name) || (publicUrl !== undefined && URL.parse(publicUrl)?.hostname === name)
}
