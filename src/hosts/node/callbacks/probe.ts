/** Tests the way to an address without sending anything. */
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import type { ConnectionStep, Probe } from '../../../core/host.ts'
import type { TryStage } from '../../../core/model/callback.ts'
import { failureOf } from '../callback-sender.ts'

export async function probe(
  target: URL,
  { timeoutMs, signal }: Parameters<Probe>[1],
  secureContext?: SecureContext,
): Promise<ConnectionStep[]> {
  const steps: ConnectionStep[] = []
  const hostname = target.hostname.replace(/^\[|\]$/g, '')
  const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
  const stage = async <T>(
    name: TryStage,
    work: (until: AbortSignal) => Promise<T>,
    tell: (result: T) => string,
  ): Promise<T | undefined> => {
    const startedMs = performance.now()
    const took = () => Math.round(performance.now() - startedMs)
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      const result = await Promise.race([work(until), aborted(until)])
      steps.push({ stage: name, tookMs: took(), found: tell(result) })
      return result
    } catch (error) {
      steps.push({ stage: name, tookMs: took(), failure: failureOf(error, name) })
      return undefined
    }
  }

  const found = await stage(
    'name',
    () => lookup(hostname, { all: true }),
    (addresses) =>
      isIP(hostname)
        ? `${hostname} is an address`
        : `${hostname} is ${addresses.map(({ address }) => address).join(', ')}`,
  )
  const socket =
    found &&
    (await stage(
      'connect',
      (until) => opened(connect({ host: hostname, port, autoSelectFamily: true }), 'connect', until),
      ({ remoteAddress, remotePort }) => `connected to ${remoteAddress} port ${remotePort}`,
    ))
  if (!socket) return steps
  if (target.protocol === 'https:') {
    const servername = isIP(hostname) ? '' : hostname
    await stage(
      'tls',
      (until) =>
        opened(
          connectTls({ socket, host: hostname, servername, ...(secureContext && { secureContext }) }),
          'secureConnect',
          until,
        ),
      describeTls,
    )
  }
  socket.destroy()
  return steps
}

function opened<T extends Socket>(socket: T, event: string, until: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    until.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.once(event, () => resolve(socket))
    socket.once('error', reject)
    // A failure behind the opening concerns nobody.
    socket.on('error', () => {})
  })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function describeTls(socket: TLSSocket): string {
  const { subject, valid_to: until } = socket.getPeerCertificate()
  return `${socket.getProtocol()}, certificate of ${[subject?.CN].flat()[0] ?? 'nobody'}, valid until ${until}`
}
