/** Names that only the asked server, or the folder of shipped scenarios, knows. */
import type { Control } from '../../../client/control.ts'
import { counted } from '../../../core/model/counted.ts'
import { parseDuration } from '../../../core/model/time.ts'
import type { Arguments, LoadService, Names } from '../command.ts'
import { serverOf } from '../server.ts'
import { amount, time } from '../words.ts'

/** Something that could be typed. */
export interface Candidate {
  value: string
  about: string
}

/**
 * Somebody waits with a finger on the key; a server that does not answer by then is one that has no names. Real
 * milliseconds.
 */
const PATIENCE_MS = 400
/** Another patience, for a server that is far away: a duration such as 2s. */
const PATIENCE = 'MFANO_COMPLETION_WAIT'
const newest = { query: { limit: 30 } }

/** What a server or a folder calls things. `get` gives the flags that were typed; no server, no names. */
export async function namesOf(
  names: Names,
  { get, service }: Pick<Arguments, 'get' | 'service'>,
): Promise<Candidate[]> {
  try {
    const { control, root } = serverOf({ get }).within(patienceMs())
    return await sources[names](control, root.control, service)
  } catch {
    return []
  }
}

function patienceMs(): number {
  const us = parseDuration(process.env[PATIENCE] ?? '')
  return us === undefined ? PATIENCE_MS : Math.ceil(us / 1000)
}

const sources: Record<Names, (control: Control, root: Control, service: LoadService) => Promise<Candidate[]>> = {
  files: async () => [],
  kinds: async (server, _, service) => {
    const { kinds } = await server('GET', '/kinds').catch(async () => {
      return { kinds: [...(await service()).kinds].map(({ name, phrase }) => ({ kind: name, phrase })) }
    })
    return kinds.map(({ kind, phrase }) => ({ value: kind, about: phrase }))
  },
  scenarios: async () =>
    (await import('../../../hosts/node/package.ts')).shippedScenarios().map((value) => ({ value, about: 'shipped' })),
  worlds: async (_, root) => {
    const { worlds } = await root('GET', '/worlds')
    return worlds.map(({ id, scenario }) => ({ value: id, about: scenario ?? '' }))
  },
  payments: async (control) => {
    const { payments } = await control('GET', '/payments', newest)
    return payments.map((payment) => ({
      value: payment.uuid,
      about: `${payment.kind} ${payment.status} ${amount(payment.amount)} ${payment.currency} ${payment.referenceId ?? ''}`,
    }))
  },
  callbacks: async (control) => {
    const { callbacks } = await control('GET', '/callbacks', newest)
    return callbacks.map(({ id, topic, state, url }) => ({ value: String(id), about: `${topic} ${state} ${url}` }))
  },
  inboxes: async (control) => {
    const { inboxes } = await control('GET', '/inbox')
    return inboxes.map(({ name, messages }) => ({ value: name, about: counted(messages, 'message') }))
  },
  requests: async (control) => {
    const { requests } = await control('GET', '/requests', newest)
    return requests.map(({ requestId, at, status, method, path }) => ({
      value: requestId,
      about: `${time(at)} ${status} ${method} ${path}`,
    }))
  },
  snapshots: async (control) => {
    const { snapshots } = await control('GET', '/snapshots')
    return snapshots.map(({ name, world, note }) => ({ value: name, about: `${world} ${note ?? ''}` }))
  },
  runs: async (control) => {
    const { runs } = await control('GET', '/runs')
    return runs.map(({ id, name, begunAt }) => ({ value: name, about: `${id}, ${time(begunAt)}` }))
  },
  organisations: async (control) => {
    const { organisations } = await control('GET', '/organisations')
    return organisations.map(({ uuid, name }) => ({ value: uuid, about: name }))
  },
}
