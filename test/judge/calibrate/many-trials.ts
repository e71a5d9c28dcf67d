/** Many blind trials, in a thread of their own. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { paymentsService } from '../../../src/service/service.ts'
import type { Bench } from '../../support/harness.ts'
import { Pasts } from './account.ts'
import { defaults, type Hidden, type HiddenAccount, keyOfPast, ofThePast } from './trials.ts'

export interface TrialJob {
  hidden: Hidden
  withSubAccount: boolean
  twice: boolean
}

export interface TrialResult {
  requests: number
  amiss: string[]
}

export type TrialAccounts = (Omit<HiddenAccount, 'baseUrl'> & { key: string; file: Uint8Array })[]

export class ManyTrials {
  readonly #worker: Worker

  private constructor(worker: Worker) {
    this.#worker = worker
  }

  /** Makes an account of each past that trials can need, and hands their worlds over as files. */
  static async started(bench: Bench): Promise<ManyTrials> {
    const pasts = new Pasts(bench)
    const accounts: TrialAccounts = []
    for (const withSubAccount of [true, false])
      for (const past of everyPast()) {
        const { id, keys, credentials } = await pasts.of(past, withSubAccount)
        const file = await fetch(`${bench.simulator.baseUrl}/_mfano/worlds/${id}/file`)
        accounts.push({
          id,
          keys,
          credentials,
          key: keyOfPast(past, withSubAccount),
          file: new Uint8Array(await file.arrayBuffer()),
        })
      }
    return new ManyTrials(new Worker(new URL('trial-worker.ts', import.meta.url), { workerData: accounts }))
  }

  async run(jobs: readonly TrialJob[]): Promise<TrialResult[]> {
    this.#worker.postMessage(jobs)
    const [results] = await once(this.#worker, 'message')
    return results
  }

  async end(): Promise<void> {
    const ended = once(this.#worker, 'exit')
    this.#worker.postMessage('end')
    await ended
  }
}

function everyPast(): Hidden[] {
  return ofThePast.reduce<Hidden[]>(
    (before, id) =>
      before.flatMap((one) => paymentsService.assumptions[id].alternatives.map((value) => ({ ...one, [id]: value }))),
    [defaults],
  )
}
