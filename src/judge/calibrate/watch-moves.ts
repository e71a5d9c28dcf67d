/** Looks whether anything moved: the lists and the wallets that a request could change, read before it and after it. */
import type { ProbeAccount, ProbeRequest, SeenAnswer } from '../../service/probes.ts'
import { type KeptExchange, Stopped } from './verdict.ts'

const API = '/api/sandbox/v1'

/** What is looked at, by the path of what could change it. */
const witnesses: readonly (readonly [of: string, ...paths: ((account: ProbeAccount) => string)[]])[] = [
  ['/send-money', ({ companyId }) => `/send-money/all?companyId=${companyId}`],
  ['/till', ({ companyId }) => `/till/all?companyId=${companyId}`],
  ['/paybill', () => '/paybill/all'],
  ['/bank/payout/new', () => '/bank/payout/all'],
  ['/stk/new', () => '/stk/all'],
  ['/allocations/new', () => '/allocations/allocations/org/all', () => '/multiaccount/wallet/total/breakdown'],
  ['/de-allocations/new', () => '/de-allocations/org/all', () => '/multiaccount/wallet/total/breakdown'],
  ['/multiaccount/new/organisation', () => '/multiaccount/organisation/all'],
]

/** What a list showed: the ids of its records, or the balances of wallets. */
type Sight = ReadonlySet<string>

interface WatchOptions {
  account: ProbeAccount
  ask(request: ProbeRequest): Promise<SeenAnswer>
  kept(seen: SeenAnswer): KeptExchange
}

export class MoveWatch {
  readonly #options: WatchOptions
  /** As it was seen last; null where it cannot be read. */
  readonly #seen = new Map<string, { sight: Sight; at: SeenAnswer } | null>()

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /** Before a request: what it could change is looked at, unless that was done after another one. */
  async before(request: ProbeRequest): Promise<void> {
    for (const path of this.#pathsOf(request)) if (!this.#seen.has(path)) this.#seen.set(path, await this.#look(path))
  }

  /** After it: throws where there is more than there may be. */
  async after(request: ProbeRequest, answer: SeenAnswer, mayMove: boolean): Promise<void> {
    for (const path of this.#pathsOf(request)) {
      const was = this.#seen.get(path)
      if (!was) continue
      const is = await this.#look(path)
      this.#seen.set(path, is)
      const added = is ? [...is.sight].filter((one) => !was.sight.has(one)) : []
      if (added.length === 0 || mayMove) continue
      throw new Stopped(
        'moved',
        `${request.method} ${request.path} was to change nothing, and ${path} shows ${added[0]}`,
        [was.at, answer, ...(is ? [is.at] : [])].map((seen) => this.#options.kept(seen)),
      )
    }
  }

  /** What something else changed is seen anew. */
  forget(): void {
    for (const [path, seen] of this.#seen) if (seen) this.#seen.delete(path)
  }

  #pathsOf({ path, method }: ProbeRequest): string[] {
    const [before] = path.split('?')
    const found = method === 'GET' ? undefined : witnesses.find(([of]) => before === API + of)
    const [, ...paths] = found ?? ['']
    return paths.map((one) => API + one(this.#options.account))
  }

  async #look(path: string): Promise<{ sight: Sight; at: SeenAnswer } | null> {
    const seen = await this.#options.ask({ method: 'GET', path })
    if (seen.status !== 200 && seen.status !== 201) return null
    const records = Array.isArray(seen.body) ? seen.body : seen.body?.data
    if (!Array.isArray(records)) return null
    const sights = records.map((one) => one?.uuid ?? one?.requestId ?? `${one?.organisationUuid} ${one?.netBalance}`)
    return { sight: new Set(sights.map(String)), at: seen }
  }
}
