/** The names and addresses that a server's certificate is for. */
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { Settings } from '../settings.ts'

const LOCAL = ['localhost', '127.0.0.1', '::1']

export interface ServerNames {
  /** By the settings: where it listens, its base URL, and others. */
  asked: readonly string[]
  /** The addresses of the machine, where mfano listens on all. They can change from start to start. */
  found: readonly string[]
}

export function serverNames({ host, baseUrl, tlsNames }: Pick<Settings, 'host' | 'baseUrl' | 'tlsNames'>): ServerNames {
  const named = baseUrl === undefined ? [] : [new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')]
  const isAny = host === '0.0.0.0' || host === '::'
  const once = (names: string[]) => [...new Set(names.map((name) => name.toLowerCase()))]
  return {
    asked: once([...LOCAL, ...(isAny ? [] : [host]), ...named, ...(tlsNames ?? [])]),
    found: isAny ? once(machineNames()) : [],
  }
}

function machineNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
  // The addresses of one link alone name it behind a %, which no certificate can.
  const usable = addresses.filter((address) => isIP(address) !== 0 && !address.includes('%'))
  return [...(/^[a-z\d.-]+$/i.test(hostname()) ? [hostname()] : []), ...usable]
}
