/** Access control of the control plane. */
import { createMiddleware } from 'hono/factory'
import { Refusal } from '../../core/model/refusal.ts'
import { needsNoToken, requireAdmission } from './admission.ts'
import { type ControlEnv, refusedResponse } from './control-context.ts'
import { isLoggedIn } from './session.ts'

/**
 * Refuses browsers on other sites, so that no page can change anything here. With an admin token set, refuses every
 * request without it: `Authorization: Bearer …`, `Mfano-Admin-Token: …`, or the cookie of the dashboard's login page.
 */
export const guard = createMiddleware<ControlEnv>(async (c, next) => {
  const { adminToken, publicUrl } = c.env
  const [path = ''] = c.env.path.split('?', 1)
  const { method, url, raw } = c.req
  requireAdmission({ method, path, url, headers: raw.headers, adminToken, publicUrl })
  const own = [url, publicUrl ?? url].map((one) => URL.parse(one)?.host)
  const foreign = foreignOrigin(c.req.header('origin'), c.req.header('sec-fetch-site'), own)
  if (foreign !== undefined) {
    return refusedResponse(
      new Refusal(
        'FOREIGN_ORIGIN',
        `requests from pages of other sites are turned away; this one came from ${foreign}`,
      ),
    )
  }
  if (adminToken === undefined || needsNoToken({ method, path })) return next()
  const nowMs = c.env.worlds.host.wallUs() / 1000
  if (await isLoggedIn(c.req.header('cookie'), adminToken, new URL(c.req.url), nowMs)) return next()
  const given = c.req.header('mfano-admin-token') ?? c.req.header('authorization')?.replace(/^bearer\s+/i, '')
  if (given !== undefined && (await c.env.guesses.isToken(given, adminToken, c.env.caller()))) return next()
  return refusedResponse(
    new Refusal(
      'ADMIN_TOKEN_NEEDED',
      'this control plane is guarded by MFANO_ADMIN_TOKEN: send Authorization: Bearer <token>',
    ),
  )
})

function foreignOrigin(
  origin: string | undefined,
  site: string | undefined,
  own: readonly unknown[],
): string | undefined {
  if (origin !== undefined && origin !== 'null' && own.includes(URL.parse(origin)?.host ?? 'none')) return undefined
  if (origin !== undefined) return origin.slice(0, 100)
  return site === 'cross-site' ? 'another site' : undefined
}
