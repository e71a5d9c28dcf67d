/** Decides which requests may be sent to a real service. Probes cannot override it. */
import type { Need, ProbeRequest, Tier } from '../../service/probes.ts'

const SANDBOX = '/api/sandbox/v1/'
const OTHERS = ['/api/v1/get-token', '/api/v1/refresh-token']
const TANZANIA = /^\/api\/v1\/tz\/(?:spending|collections)\/single$/
const READS = ['GET', 'HEAD', 'OPTIONS']

/** Normalised, so that an unusual spelling cannot pass the check. */
function plainPath(path: string): string {
  const [before = ''] = path.split('?')
  return decodeURIComponent(before)
    .replaceAll(/\/{2,}/g, '/')
    .toLowerCase()
}

export const isRead = ({ method }: ProbeRequest): boolean => READS.includes(method)

const isToken = ({ path }: ProbeRequest) => OTHERS.includes(path)

/** Returns undefined if the request may be sent. */
export function whyNotSent(request: ProbeRequest, tier: Tier): string | undefined {
  const path = plainPath(request.path)
  const isSandbox = path.startsWith(SANDBOX) || isToken(request) || (request.method === 'GET' && TANZANIA.test(path))
  if (!isSandbox) return `${request.path} is no path of the sandbox`
  if (tier !== 'free' || isRead(request) || isToken(request) || request.doom !== undefined) return undefined
  return `${request.method} ${request.path} could make something`
}

/** Returns undefined if the address may be probed. `isSure` means that the user named it twice. */
export function whyNotAsked(baseUrl: string, isSure: boolean): string | undefined {
  const url = URL.parse(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return 'expected an address such as https://api.provider.example'
  if (isSure || isLoopback(url.hostname)) return undefined
  if (url.protocol === 'http:') return 'over http anybody on the way could read the key'
  return url.pathname.replaceAll('/', '') === ''
    ? undefined
    : `with ${url.pathname} before it, /api/sandbox may be something else than the sandbox`
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host)
}

export const needed: Readonly<Record<Need, string>> = {
  receiver: '--receiver https://…',
  'phone-ke': '--to 2547…',
  'phone-tz': '--to 2557…',
  till: '--till-number NUMBER',
  'bank-account': '--bank-account 0068/NUMBER',
  'sub-account': 'PAYMENTS_SUB_KEY and PAYMENTS_SUB_SECRET, the key of a sub-account',
}
