import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { pause } from '../../core/host.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { CALLBACK_MARK } from '../../core/sign.ts'
import type { ControlContext, ControlEnv } from './control-context.ts'

/**
 * Refuses browsers on other sites, so that no page can change anything here. With an admin token set, refuses every
 * request without it: `Authorization: Bearer …`, `Mfano-Admin-Token: …`, or the cookie of the dashboard's login page.
 */
export const guard = createMiddleware<ControlEnv>(async (c, next) => {
  const { adminToken, publicUrl } = c.env
  requireAdmission(c)
  const foreign = foreignSite(c.req.raw, publicUrl)
  if (foreign !== undefined)
    throw new Refusal('FOREIGN_ORIGIN', `requests from pages of other sites are turned away; this came from ${foreign}`)
  if (adminToken === undefined || needsNoToken(c)) return next()
  if (await isLoggedIn(c, adminToken)) return next()
  const given = c.req.header('mfano-admin-token') ?? c.req.header('authorization')?.replace(/^bearer\s+/i, '')
  if (given !== undefined && (await isToken(c, given, adminToken))) return next()
  throw new Refusal(
    'ADMIN_TOKEN_NEEDED',
    'this control plane is guarded by MFANO_ADMIN_TOKEN: send Authorization: Bearer <token>',
  )
})

/**
 * Where a page of another site asks from, which must not act for its visitor. Browsers send `Sec-Fetch-Site` only over
 * HTTPS and to localhost, and `Origin` not with each GET.
 */
export function foreignSite({ method, url, headers }: Request, publicUrl: string | undefined): string | undefined {
  const [site, origin] = [headers.get('sec-fetch-site'), headers.get('origin')]
  if (site === 'same-origin' || site === 'none') return undefined
  // Links between sites of one host may lead here, and change nothing.
  const isLink = site === null || (site === 'same-site' && method === 'GET')
  if (origin === null) return isLink ? undefined : 'another site'
  const own = [url, publicUrl ?? url].map((one) => URL.parse(one)?.host)
  return own.includes(URL.parse(origin)?.host ?? 'none') ? undefined : origin.slice(0, 100)
}

/**
 * Open to everybody: the health check, the authority's certificate, and the inboxes, because probes and merchants have
 * no token.
 */
function needsNoToken({ req: { method, path } }: ControlContext): boolean {
  if (path === '/_mfano/health' || path === '/_mfano/ca.pem') return true
  return method === 'POST' && /^\/_mfano\/inbox\/[^/]+$/.test(path)
}

/**
 * Refuses mfano's own callbacks, so that a `callbackUrl` cannot trigger a command. Without an admin token it also
 * refuses foreign host names (DNS rebinding), because a page of such a name could read and change everything.
 */
export function requireAdmission(c: ControlContext): void {
  const { adminToken, publicUrl } = c.env
  const { path, url, raw } = c.req
  if (needsNoToken(c)) return
  if (raw.headers.has(CALLBACK_MARK))
    throw new Refusal(
      'CALLBACK_REFUSED',
      `${path} takes no callbacks: a callbackUrl is an endpoint of a merchant, or an inbox, such as /_mfano/inbox/hello`,
    )
  if (adminToken !== undefined || !path.startsWith('/_mfano')) return
  const name = URL.parse(url)?.hostname ?? ''
  if (PRIVATE.test(name) || (publicUrl !== undefined && URL.parse(publicUrl)?.hostname === name)) return
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

/**
 * Real milliseconds that the answer to a wrong token takes. A server gives one after the other, so that nobody tries many,
 * over however many connections. The right one never waits.
 */
const WRONG_TAKES_MS = 1_000
const lastWrong = new WeakMap<object, Promise<void>>()

export async function isToken({ env, req }: ControlContext, given: string, adminToken: string): Promise<boolean> {
  const isRight = sameText(given, adminToken)
  if (isRight) return true
  const before = lastWrong.get(env.worlds) ?? Promise.resolve()
  const answered = before.then(() => pause(env.worlds.host, WRONG_TAKES_MS, [req.raw.signal]))
  lastWrong.set(env.worlds, answered)
  await answered
  return false
}

/** Takes the same time for every input, so that timing reveals neither content nor length. */
function sameText(given: string, right: string): boolean {
  let difference = given.length ^ right.length
  for (let i = 0; i < given.length; i++) difference |= given.charCodeAt(i) ^ right.charCodeAt(i % right.length)
  return difference === 0
}

const LASTS_S = 12 * 3600

export async function logIn(c: ControlContext, adminToken: string): Promise<void> {
  const [name, options] = cookieOf(c)
  const expiresAtS = Math.floor(c.env.worlds.host.wallUs() / 1_000_000) + LASTS_S
  await setSignedCookie(c, name, String(expiresAtS), adminToken, { ...options, maxAge: LASTS_S })
}

export function logOut(c: ControlContext): void {
  deleteCookie(c, ...cookieOf(c))
}

/** Real time, because a login belongs to a browser and not to a world. */
async function isLoggedIn(c: ControlContext, adminToken: string): Promise<boolean> {
  const expiresAtS = await getSignedCookie(c, adminToken, cookieOf(c)[0])
  return Number(expiresAtS) * 1_000_000 > c.env.worlds.host.wallUs()
}

export async function mayEnter(c: ControlContext): Promise<boolean> {
  const { adminToken } = c.env
  return adminToken === undefined || isLoggedIn(c, adminToken)
}

/** The name has the port, because browsers share cookies between ports of a host and two simulators must not log each other out. */
function cookieOf({ req }: ControlContext) {
  const { port, protocol } = new URL(req.url)
  const secure = protocol === 'https:'
  return [`mfano-${port || (secure ? '443' : '80')}`, { secure, httpOnly: true, sameSite: 'Strict' }] as const
}
