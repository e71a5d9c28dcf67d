/** Blind trials: a calibration against an mfano whose alternatives nobody shows it, held against what they were. */
import { expect } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import type { CalibrationReport } from '../../../src/judge/calibrate.ts'
import { pairwise } from '../../../src/judge/matrix/pairwise.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { assuming } from '../../support/contract.ts'
import type { Bench } from '../../support/harness.ts'
import { accountWithPast, calibrated, type HiddenAccount, ofThePast } from './account.ts'

export type Hidden = Readonly<Record<string, string>>

/** One alternative of every assumption. */
export function drawn(seed: number): Hidden {
  const chance = new Chance(seed)
  return Object.fromEntries(
    Object.entries(paymentsService.assumptions).map(([id, { alternatives }]) => [
      id,
      chance.of('hidden', id).pick(alternatives),
    ]),
  )
}

export const defaults: Hidden = Object.fromEntries(
  Object.entries(paymentsService.assumptions).map(([id, { alternatives }]) => [id, alternatives[0]]),
)

/** As few rows as it takes to have each pair of alternatives in one of them. */
export function everyPair(): Hidden[] {
  const factors = Object.entries(paymentsService.assumptions).map(([id, { alternatives }]) => ({
    id,
    values: alternatives,
  }))
  return pairwise(factors).map((row) => Object.fromEntries(row.map((value, at) => [factors[at]?.id, value])))
}

export interface Trial {
  hidden: Hidden
  report: CalibrationReport
  /** Assumptions of which something was said that is not so. */
  wrong: string[]
}

/** Accounts with a past, made once for each of its kinds. */
export class Pasts {
  readonly #bench: Bench
  readonly #made = new Map<string, Promise<HiddenAccount>>()
  #trials = 0

  constructor(bench: Bench) {
    this.#bench = bench
  }

  async trial(hidden: Hidden, withSubAccount = true): Promise<Trial> {
    const assumptions = Object.fromEntries(ofThePast.map((id) => [id, hidden[id] as string]))
    const key = JSON.stringify([assumptions, withSubAccount])
    if (!this.#made.has(key)) this.#made.set(key, accountWithPast(this.#bench, { withSubAccount, assumptions }))
    const { world: past, keys } = await (this.#made.get(key) as Promise<HiddenAccount>)
    const world = await this.#bench.world({ id: `trial-${++this.#trials}`, from: past.id })
    await world.control('PUT', '/scenario', assuming(hidden).scenario)
    const books = async () => [
      await world.control('GET', '/wallets'),
      (await world.control('GET', '/payments', undefined)).total ?? (await world.control('GET', '/statistics')),
    ]
    const before = await books()
    const report = await calibrated(this.#bench.simulator, { world, keys })
    expect(await books(), JSON.stringify(hidden)).toEqual(before)
    expect(report.stopped, JSON.stringify(hidden)).toBeNull()
    expect(report.payments).toBe(0)
    await this.#bench.simulator.fetch(`${this.#bench.simulator.baseUrl}/_mfano/worlds/${world.id}`, {
      method: 'DELETE',
    })
    return { hidden, report, wrong: wrongIn(report, hidden) }
  }
}

function wrongIn({ answers }: CalibrationReport, hidden: Hidden): string[] {
  return answers
    .filter(({ assumption, verdict, alternative, excluded }) => {
      const is = hidden[assumption] as string
      if (verdict === 'none-of-ours' || verdict === 'unstable') return true
      return (verdict === 'holds' && alternative !== is) || excluded.includes(is)
    })
    .map(
      ({ assumption, verdict, alternative, why }) =>
        `${assumption}: is ${hidden[assumption]}, said ${verdict} ${alternative ?? why}`,
    )
}
