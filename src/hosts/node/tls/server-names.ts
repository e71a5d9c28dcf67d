/** The names and addresses that a server's certificate is for. */
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { Settings } from '../settings.ts'

const LOCAL = ['localhost', '127.0.0.1', '::1']

/** Those of this machine under which it listens, that of its base URL, and what the settings name besides. */
export function serverNames({ host, baseUrl, tlsNames }: Pick<Settings, 'host' | 'baseUrl' | 'tlsNames'>): string[] {
  const named = baseUrl === undefined ? [] : [new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')]
  const all = [...LOCAL, ...listening(host), ...named, ...(tlsNames ?? [])]
  return [...new Set(all.map((name) => name.toLowerCase()))]
}

function listening(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host]
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
  // The addresses of one link alone name it behind a %, which no certificate can.
  const usable = addresses.filter((address) => isIP(address) !== 0 && !address.includes('%'))
  return [...(/^[a-z\d.-]+$/i.test(hostname()) ? [hostname()] : []), ...usable]
}
