/** Derives answers to assumptions from recorded traffic, and what else differs from mfano, without sending anything. */
import { defaultsOf } from '../../core/model/assumption.ts'
import { asJson } from '../../core/model/json.ts'
import type { SeenAnswer } from '../../service/probe.ts'
import { paymentsService } from '../../service/service.ts'
import { Secrets } from '../traffic/har.ts'
import { belowBase, type HarRecord, readTrafficFile } from '../traffic/read-traffic.ts'
import { type CalibrateOptions, probeOf } from './calibrator.ts'
import { type ContractDifference, contractDifferences } from './contract-differences.ts'
import { type Calibrated, type CalibrationReport, keptExchange } from './verdict.ts'

/** An assumption stays undecided if two exchanges contradict each other. */
export function fromTraffic(recorded: readonly HarRecord[], questions: CalibrateOptions['questions']): Calibrated[] {
  const answered = recorded.filter(({ status, unrecorded }) => status > 0 && !unrecorded.has('answer'))
  const seen = answered.map((one) => ({ one, answer: seenOf(one) }))
  return Object.entries(questions).map(([assumption, { question, alternatives }]) => {
    const sees = probeOf(assumption)?.sees
    const told = new Map<string, HarRecord>()
    for (const { one, answer } of seen) {
      const alternative = sees?.(answer)
      if (alternative !== undefined && !told.has(alternative)) told.set(alternative, one)
    }
    const [[alternative, by] = [], ...others] = told
    const on = new Date(by?.atMs ?? 0).toISOString().slice(0, 10)
    const evidence = Array.from(told.values(), ({ method, path, body, status, answer }) =>
      keptExchange(`${method} ${path}`, body, status, answer),
    )
    const found = { assumption, question, alternative: null, excluded: [], tier: null, evidence, on }
    if (alternative === undefined) return { ...found, verdict: 'not-asked', why: 'no answer of the traffic shows it' }
    if (others.length > 0)
      return { ...found, verdict: 'unstable', why: `the traffic shows ${[...told.keys()].join(' and ')}` }
    const excluded = alternatives.filter((other) => other !== alternative)
    return { ...found, verdict: 'holds', alternative, excluded, why: null }
  })
}

function seenOf({ method, path, headers, body, status, answer, told }: HarRecord): SeenAnswer {
  const sent = asJson(body)
  const asked = { method, path: belowBase(path), headers }
  const request = typeof sent === 'object' && sent !== null ? { ...asked, body: sent } : asked
  return { request, status, headers: told, text: answer, body: asJson(answer) }
}

export interface TrafficReport extends CalibrationReport {
  /** Between answers and mfano's contract, under the alternatives that the traffic itself decides. */
  differences: readonly ContractDifference[]
}

export function trafficReport(file: string, questions: CalibrateOptions['questions']): TrafficReport {
  const recorded = new Secrets().masked(readTrafficFile(file).entries)
  const registry = paymentsService.assumptions
  const decided = fromTraffic(recorded, registry).flatMap(({ assumption, alternative }) =>
    alternative === null ? [] : [[assumption, alternative] as const],
  )
  const assumptions = { ...defaultsOf(registry), ...Object.fromEntries(decided) }
  const startedAt = new Date(recorded.at(-1)?.atMs ?? 0).toISOString()
  return {
    ...{ baseUrl: file, startedAt, requests: 0, payments: 0, accepted: 0, stopped: null },
    answers: fromTraffic(recorded, questions),
    differences: contractDifferences(recorded, paymentsService.contract({ baseUrl: '', version: '', assumptions })),
  }
}
