/** Lists what a calibration would send, without sending it. */
import { must } from '../../core/model/must.ts'
import type { Need, ProbeAccount, ProbeRequest, Tier } from '../../service/probes.ts'
import { inAskingOrder, needed, probeOf } from './calibrator.ts'

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
    if (!('ways' in probe)) {
      plan.unaskable.push({ assumption, why: probe.unaskable })
      continue
    }
    for (const { tier, needs = [], steps } of probe.ways) {
      const all = steps(account)
      const requests = all.filter((step): step is ProbeRequest => typeof step !== 'function' && 'method' in step)
      plan.ways.push({
        assumption,
        tier,
        isAllowed: allow.has(tier),
        needs: needs.map((need: Need) => needed[need]),
        requests: requests.map(({ method, path, body, doom, asker }) => ({
          method,
          path,
          body: bodyText(body, asker === 'nobody'),
          doom: doom ?? null,
        })),
        more: all.length - requests.length,
      })
    }
  }
  return plan
}

/** A login's body is hidden, because it contains the key. */
function bodyText(body: object | undefined, isLogin: boolean): string {
  if (body === undefined) return ''
  if (isLogin && 'apiKey' in body) return '{"apiKey":"***","apiSecret":"***"}'
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body).trimEnd() : JSON.stringify(body)
  return text.length > TOLD_CHARACTERS ? `${text.slice(0, TOLD_CHARACTERS)}…` : text
}
