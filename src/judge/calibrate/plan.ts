import { maskBody } from '../../core/model/mask.ts'
import { must } from '../../core/model/must.ts'
import { filledBy, type Need, type ProbeAccount, type ProbeRequest, type Tier, waysOf } from '../../service/probes.ts'
import { inAskingOrder, needed, probeOf } from './calibrator.ts'
import { textOf } from './service-line.ts'

/** Requests that depend on answers are only counted, because they are not known yet. */
export interface PlannedWay {
  assumption: string
  tier: Tier
  isAllowed: boolean
  needs: string[]
  requests: { method: string; path: string; body: string; doom: string | null }[]
  more: number
}

export interface CalibrationPlan {
  ways: PlannedWay[]
  unaskable: { assumption: string; why: string }[]
}

const TOLD_CHARACTERS = 200

export function calibrationPlanOf(
  ids: readonly string[],
  account: ProbeAccount,
  allow: ReadonlySet<Tier>,
): CalibrationPlan {
  const plan: CalibrationPlan = { ways: [], unaskable: [] }
  for (const assumption of inAskingOrder(ids)) {
    const probe = must(probeOf(assumption))
    if ('unaskable' in probe) {
      plan.unaskable.push({ assumption, why: probe.unaskable })
      continue
    }
    for (const { tier, needs = [], steps } of waysOf(probe)) {
      const fixed = steps.filter((step): step is ProbeRequest => typeof step !== 'function' && 'method' in step)
      const requests = filledBy(fixed, account, (at, path) => `{${at}.${path}}`)
      plan.ways.push({
        assumption,
        tier,
        isAllowed: allow.has(tier),
        needs: needs.map((need: Need) => needed[need].flag),
        requests: requests.map(({ method, path, body, doom = null }) => ({ method, path, body: bodyText(body), doom })),
        more: steps.length - requests.length,
      })
    }
  }
  return plan
}

/** A login's body contains the key. */
function bodyText(body: object | string | undefined): string {
  const text = maskBody(textOf(body))
  return text.length > TOLD_CHARACTERS ? `${text.slice(0, TOLD_CHARACTERS)}…` : text
}
