/** Names for completion that only the server or the scenario folder knows. */
import { counted } from '../../../core/model/counted.ts'
import { parseDuration } from '../../../core/model/time.ts'
import type { Arguments, CompletedNames, LoadService } from '../command.ts'
import { type Server, serverOf } from '../server.ts'
import { amountText, time } from '../words.ts'

export type Completion = [value: string, about: string]

export const FILES = ':files'

/** Real milliseconds. Short, because a person waits at the keyboard; a slower server completes nothing. */
const PATIENCE_MS = 400
/** A longer limit for a distant server, as a duration such as 2s. */
const PATIENCE = 'MFANO_COMPLETION_WAIT'
const newest = { query: { limit: 30 } }

/** Returns nothing without a server. `get` reads the flags that were typed. */
export async function namesOf(
  names: CompletedNames,
  { get, service }: Pick<Arguments, 'get' | 'service'>,
): Promise<Completion[]> {
  try {
    const us = parseDuration(process.env[PATIENCE] ?? '')
    return await sources[names](
      serverOf({ get }).within(us === undefined ? PATIENCE_MS : Math.ceil(us / 1000)),
      service,
    )
  } catch {
    return []
  }
}

const sources: Record<CompletedNames, (server: Server, service: LoadService) => Promise<Completion[]>> = {
  files: async () => [[FILES, '']],
  kinds: async ({ control }, service) => {
    const { kinds } = await control('GET', '/kinds').catch(async () => {
      return { kinds: [...(await service()).kinds].map(({ name, phrase }) => ({ kind: name, phrase })) }
    })
    return kinds.map(({ kind, phrase }) => [kind, phrase])
  },
  scenarios: async () => {
    const { shippedScenarios } = await import('../../../hosts/node/package.ts')
    return [...shippedScenarios().map((name): Completion => [name, 'shipped']), [FILES, '']]
  },
  worlds: async ({ root }) => {
    const { worlds } = await root.control('GET', '/worlds')
    return worlds.map(({ id, scenario }) => [id, scenario ?? ''])
  },
  payments: async ({ control }) => {
    const { payments } = await control('GET', '/payments', newest)
    return payments.map((one) => [
      one.uuid,
      `${one.kind} ${one.status} ${amountText(one.amount, one.currency)} ${one.referenceId ?? ''}`,
    ])
  },
  callbacks: async ({ control }) => {
    const { callbacks } = await control('GET', '/callbacks', newest)
    return callbacks.map(({ id, topic, state, url }) => [String(id), `${topic} ${state} ${url}`])
  },
  inboxes: async ({ control }) => {
    const { inboxes } = await control('GET', '/inbox')
    return inboxes.map(({ name, messages }) => [name, counted(messages, 'message')])
  },
  requests: async ({ control }) => {
    const { requests } = await control('GET', '/requests', newest)
    return requests.map(({ requestId, at, status, method, path }) => [
      requestId,
      `${time(at)} ${status} ${method} ${path}`,
    ])
  },
  snapshots: async ({ control }) => {
    const { snapshots } = await control('GET', '/snapshots')
    return snapshots.map(({ name, world, note }) => [name, `${world} ${note ?? ''}`])
  },
  runs: async ({ control }) => {
    const { runs } = await control('GET', '/runs')
    return runs.map(({ id, name, begunAt }) => [name, `${id}, ${time(begunAt)}`])
  },
  organisations: async ({ control }) => {
    const { organisations } = await control('GET', '/organisations')
    return organisations.map(({ uuid, name }) => [uuid, name])
  },
}
