import type { Control, ControlAnswer, ControlBody, RequestEntry } from '../../client/control.ts'
import type { Mutation } from '../../core/presentation.ts'
import { withWorldsBelow } from '../subject/own-worlds.ts'

export type WorldLeft = Awaited<ReturnType<typeof leftIn>>

/** `hasFired`: something of the scenario's own fired, or it has only settings. */
export async function leftIn(control: Control) {
  const { hits } = await control('GET', '/scenario/hits')
  const own = hits.filter(({ inherited }) => !inherited)
  const unmet = own.filter(({ why }) => why !== null).map(({ name }) => name)
  return { unmet, hasFired: own.length === 0 || unmet.length < own.length }
}

const PAGE = 1000
/** Stands for requests to no operation. */
export const UNROUTED = 'unrouted'

export type ToldCallback = ControlAnswer<'GET', '/told'>['told'][number]

export type Telling = 'truth' | Mutation

export async function setTelling(control: Control, tells: Telling | undefined): Promise<void> {
  if (tells === 'truth') await control('POST', '/told')
  else if (tells) await control('PUT', '/mutation', { body: tells as ControlBody<'PUT', '/mutation'> })
}

export interface Traces {
  /** Oldest first. */
  requests: RequestEntry[]
  kinds: string[]
  told: ToldCallback[]
}

export async function tracesOf(control: Control): Promise<Traces> {
  const all = await Promise.all((await withWorldsBelow(control)).map(passedIn))
  return {
    requests: all.flatMap(({ requests }) => requests),
    kinds: all.flatMap(({ kinds }) => kinds),
    told: all.flatMap(({ told }) => told),
  }
}

async function passedIn(control: Control): Promise<Traces> {
  const [requests, { payments }, { told }] = await Promise.all([
    allRequests(control),
    control('GET', '/payments', { query: { limit: PAGE } }),
    control('GET', '/told'),
  ])
  return { requests, kinds: payments.map(({ kind }) => kind), told }
}

async function allRequests(control: Control): Promise<RequestEntry[]> {
  const found: RequestEntry[] = []
  for (let before: number | undefined; ; ) {
    const page = await control('GET', '/requests', { query: { limit: PAGE, before } })
    found.push(...page.requests)
    if (page.next === null) return found.reverse()
    before = page.next
  }
}

/** Operations, kinds of payment and noted assumptions; `*` stands for any operation, and `any` for any kind. */
export function usedNames({ requests, kinds }: Pick<Traces, 'requests' | 'kinds'>): Set<string> {
  const asked = requests.flatMap(({ operation, assumed }) => [
    ...(operation ? ['*', operation] : [UNROUTED]),
    ...assumed,
  ])
  return new Set([...asked, ...kinds.flatMap((kind) => ['any', kind])])
}
