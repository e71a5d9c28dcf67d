/** Asks the other processes behind this address for their worlds, each at its own address. */
import * as z from 'zod'
import type { PeerAnswer, Peers, PeerWorld } from '../../../server/front-ports.ts'
import type { RealTime } from '../host/node-host.ts'

const PATIENCE_MS = 5_000

/** The fields that are used here; a newer process may send more. */
const answered = z.object({
  worlds: z.array(
    z.object({
      id: z.string(),
      process: z.string().nullable(),
      scenario: z.string().optional(),
      seed: z.number().optional(),
      clock: z.object({ mode: z.enum(['realtime', 'scaled', 'frozen']), rate: z.number(), now: z.string() }).optional(),
      problem: z.string().optional(),
    }),
  ),
})

/**
 * All at once. One that is down, silent or wrong is reported with a reason, and does not block the others. `adminToken`
 * protects all of them.
 */
export function peersAt(addresses: readonly string[], adminToken: string | undefined, alarm: RealTime['alarm']): Peers {
  const headers: Record<string, string> = adminToken === undefined ? {} : { 'mfano-admin-token': adminToken }
  const ask = async (address: string): Promise<PeerAnswer> => {
    const giving = new AbortController()
    const cancel = alarm(PATIENCE_MS, () => giving.abort())
    try {
      return { address, worlds: await worldsAt(`${address}/_mfano/worlds?of=process`, headers, giving.signal) }
    } catch (error) {
      return { address, problem: giving.signal.aborted ? `no answer within ${PATIENCE_MS / 1000} s` : problemOf(error) }
    } finally {
      cancel()
    }
  }
  return () => Promise.all(addresses.map(ask))
}

async function worldsAt(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<PeerWorld[]> {
  const answer = await fetch(url, { headers, signal, redirect: 'manual' })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`it answered ${answer.status}`)
  const read = answered.safeParse(asJson(text))
  if (!read.success) throw new Error('it answered something else than a list of worlds')
  return read.data.worlds
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function problemOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } }
  return cause?.code ?? cause?.message ?? message
}
