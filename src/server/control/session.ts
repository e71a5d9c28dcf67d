/** A browser's login to the control plane: a cookie that proves knowledge of the admin token. */
import { sameText } from './guesses.ts'

const LASTS_S = 12 * 3600

/**
 * Contains the port, because browsers share cookies between ports of a host and two simulators must not log each other
 * out.
 */
function cookieName(url: URL): string {
  return `mfano-${url.port || (url.protocol === 'https:' ? '443' : '80')}`
}

/** Returns a `Set-Cookie` value. `nowMs` is real time since the epoch. */
export async function loginCookie(adminToken: string, url: URL, nowMs: number): Promise<string> {
  const expiresAtS = Math.floor(nowMs / 1000) + LASTS_S
  return cookie(url, `${expiresAtS}.${await proof(adminToken, expiresAtS)}`, LASTS_S)
}

export function logoutCookie(url: URL): string {
  return cookie(url, '', 0)
}

export async function isLoggedIn(
  header: string | undefined,
  adminToken: string,
  url: URL,
  nowMs: number,
): Promise<boolean> {
  const name = cookieName(url)
  const value = header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)
  const [expires = '', given = ''] = value?.split('.') ?? []
  const expiresAtS = /^\d{1,12}$/.test(expires) ? Number(expires) : 0
  return expiresAtS * 1000 > nowMs && sameText(given, await proof(adminToken, expiresAtS))
}

function cookie(url: URL, value: string, maxAgeS: number): string {
  const secure = url.protocol === 'https:' ? '; Secure' : ''
  return `${cookieName(url)}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`
}

/** A keyed hash, so that the token cannot be derived from the cookie. */
async function proof(adminToken: string, expiresAtS: number): Promise<string> {
  const text = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', text.encode(adminToken), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const signature = await crypto.subtle.sign('HMAC', key, text.encode(`mfano login until ${expiresAtS}`))
  return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
