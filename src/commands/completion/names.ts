/** Names that only the asked server, or the folder of shipped scenarios, knows. */
import type { CallbackSummary, Organisation, PaymentSummary, RequestEntry } from '../../testing/shapes.ts'
import type { Names } from '../command.ts'
import { type Server, serverOf } from '../server.ts'
import { amount, time } from '../words.ts'

/** Something that could be typed. */
export interface Candidate {
  value: string
  about: string
}

/** Somebody waits with a finger on the key; a server that does not answer by then is one that has no names. Real milliseconds. */
const PATIENCE_MS = 400
const NEWEST = 30

/** What a server or a folder calls things. `get` gives the flags that were typed; no server, no names. */
export async function namesOf(names: Names, get: (flag: string) => string | undefined): Promise<Candidate[]> {
  try {
    return await sources[names](serverOf({ get }))
  } catch {
    return []
  }
}

const sources: Record<Names, (server: Server) => Promise<Candidate[]>> = {
  files: async () => [],
  kinds: async (server) => {
    const asked = ask<{ kinds: { kind: string; phrase: string }[] }>(server, '/kinds')
    const { kinds } = await asked.catch(async () => {
      const { paymentsService } = await import('../../service/service.ts')
      return { kinds: [...paymentsService.kinds].map(({ name, phrase }) => ({ kind: name, phrase })) }
    })
    return kinds.map(({ kind, phrase }) => ({ value: kind, about: phrase }))
  },
  scenarios: async () =>
    (await import('../../hosts/node/shipped.ts')).shippedScenarios().map((value) => ({ value, about: 'shipped' })),
  worlds: async (server) => {
    const { worlds } = await server.askServer<{ worlds: { id: string; scenario: string }[] }>('GET', '/worlds', {
      patience: PATIENCE_MS,
    })
    return worlds.map(({ id, scenario }) => ({ value: id, about: scenario }))
  },
  payments: async (server) => {
    const { payments } = await ask<{ payments: PaymentSummary[] }>(server, `/payments?limit=${NEWEST}`)
    return payments.map((payment) => ({
      value: payment.uuid,
      about: `${payment.kind} ${payment.status} ${amount(payment.amount)} ${payment.currency} ${payment.referenceId ?? ''}`,
    }))
  },
  callbacks: async (server) => {
    const { callbacks } = await ask<{ callbacks: CallbackSummary[] }>(server, `/callbacks?limit=${NEWEST}`)
    return callbacks.map(({ id, topic, state, url }) => ({ value: String(id), about: `${topic} ${state} ${url}` }))
  },
  inboxes: async (server) => {
    const { inboxes } = await ask<{ inboxes: { name: string; messages: number }[] }>(server, '/inbox')
    return inboxes.map(({ name, messages }) => ({ value: name, about: `${messages} messages` }))
  },
  requests: async (server) => {
    const { requests } = await ask<{ requests: RequestEntry[] }>(server, `/requests?limit=${NEWEST}`)
    return requests.map(({ requestId, at, status, method, path }) => ({
      value: requestId,
      about: `${time(at)} ${status} ${method} ${path}`,
    }))
  },
  snapshots: async (server) => {
    const { snapshots } = await ask<{ snapshots: { name: string; world: string; note?: string }[] }>(
      server,
      '/snapshots',
    )
    return snapshots.map(({ name, world, note }) => ({ value: name, about: `${world} ${note ?? ''}` }))
  },
  organisations: async (server) => {
    const { organisations } = await ask<{ organisations: Organisation[] }>(server, '/organisations')
    return organisations.map(({ uuid, name }) => ({ value: uuid, about: name }))
  },
}

function ask<T>(server: Server, path: string): Promise<T> {
  return server.ask<T>('GET', path, { patience: PATIENCE_MS })
}
