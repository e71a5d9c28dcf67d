import { createMiddleware } from 'hono/factory'
import { Refusal } from '../../model/refusal.ts'
import { type ControlEnv, refused } from './kit.ts'
import { isLoggedIn, sameText } from './session.ts'

/** The inbox plays a merchant, whose callbacks carry no token of ours. */
const OPEN = /^\/_mfano\/(?:health|inbox\/[^/]+)$/

/**
 * Turns away browsers on other sites, so that no page can flip a switch here, and, where an admin token is set,
 * everybody without it: `Authorization: Bearer …`, `Mfano-Admin-Token: …`, or the cookie of the dashboard's login page.
 */
export const guard = createMiddleware<ControlEnv>(async (c, next) => {
  const foreign = foreignOrigin(c.req.header('origin'), c.req.header('sec-fetch-site'), URL.parse(c.req.url)?.host)
  if (foreign !== undefined) {
    return refused(
      new Refusal(
        'FOREIGN_ORIGIN',
        `requests from pages of other sites are turned away; this one came from ${foreign}`,
        { status: 403, message: 'Foreign origin' },
      ),
    )
  }
  const { adminToken } = c.env
  const path = c.env.path.split('?', 1)[0] as string
  if (adminToken === undefined || (OPEN.test(path) && (path.endsWith('/health') || c.req.method === 'POST')))
    return next()
  const given = c.req.header('mfano-admin-token') ?? c.req.header('authorization')?.replace(/^bearer\s+/i, '')
  if (given !== undefined && sameText(given, adminToken)) return next()
  const nowMs = c.env.worlds.wallUs() / 1000
  if (await isLoggedIn(c.req.header('cookie'), adminToken, new URL(c.req.url), nowMs)) return next()
  return refused(
    new Refusal(
      'ADMIN_TOKEN_NEEDED',
      'this control plane is guarded by MFANO_ADMIN_TOKEN: send Authorization: Bearer <token>',
      { status: 401, message: 'Admin token needed' },
    ),
  )
})

function foreignOrigin(
  origin: string | undefined,
  site: string | undefined,
  host: string | undefined,
): string | undefined {
  if (origin !== undefined && origin !== 'null' && URL.parse(origin)?.host === host) return undefined
  if (origin !== undefined) return origin.slice(0, 100)
  return site === 'cross-site' ? 'another site' : undefined
}
