/** Lets a judged app or suite trust mfano's HTTPS, and gives its receiver a certificate. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import type { Authority } from '../../hosts/node/authority.ts'
import { ownFolder } from '../app/own-folder.ts'
import { withOwnServer } from './own-server.ts'

/** The variables are valid while `work` runs. Empty if mfano serves no TLS. */
async function withTrust<Result>(
  authority: Authority | undefined,
  work: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  if (!authority) return work({})
  const folder = ownFolder('tls')
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text, { mode: 0o600 })
    return join(folder.path, name)
  }
  try {
    const { key, certificate } = await authority.issue(['localhost', '127.0.0.1', '::1'])
    const own = file('ca.pem', authority.certificate)
    // For those whose variable takes the place of what they trust.
    const all = file('ca-bundle.pem', [...getCACertificates('default'), authority.certificate].join('\n'))
    return await work({
      NODE_EXTRA_CA_CERTS: own,
      SSL_CERT_FILE: all,
      REQUESTS_CA_BUNDLE: all,
      CURL_CA_BUNDLE: all,
      PAYMENTS_CA: own,
      CALLBACK_CERT: file('receiver.pem', certificate),
      CALLBACK_KEY: file('receiver-key.pem', key),
    })
  } finally {
    folder.remove()
  }
}

/** Variables that tell a subject where mfano is, and whom to trust. */
interface Told {
  suite: { env: Readonly<Record<string, string>> }
  merchant?: { env: Readonly<Record<string, string>> } | undefined
}

interface Server<S extends Told> {
  /** Where a judge asks: over HTTP, because it needs to trust nobody. */
  url: string
  told: S
  /** A world as the subject sees it. */
  seen<World extends { baseUrl: string }>(world: World): World
}

/** Starts a mfano for a subject, which is told of it over HTTPS where `tls` says so. */
export function withServerFor<S extends Told, Result>(
  subject: S,
  { worlds, tls }: { worlds: number; tls: boolean },
  work: (server: Server<S>) => Promise<Result>,
): Promise<Result> {
  return withOwnServer(
    worlds,
    ({ baseUrl, authority }) =>
      withTrust(authority, (trust) =>
        work({
          url: baseUrl.replace(/^https:/, 'http:'),
          told: withEnv(subject, trust),
          seen: (world) => (tls ? { ...world, baseUrl: overTls(world.baseUrl) } : world),
        }),
      ),
    { tls },
  )
}

/** The subject's own variables win. */
function withEnv<S extends Told>(subject: S, env: Readonly<Record<string, string>>): S {
  const { suite, merchant } = subject
  return {
    ...subject,
    suite: { ...suite, env: { ...env, ...suite.env } },
    ...(merchant && { merchant: { ...merchant, env: { ...env, ...merchant.env } } }),
  }
}

/** HTTPS uses the same port as HTTP. */
function overTls(baseUrl: string): string {
  return baseUrl.replace(/^http:/, 'https:')
}
