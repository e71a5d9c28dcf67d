import { maskBody } from '../../core/model/mask.ts'
import { must } from '../../core/model/must.ts'
import { counted } from '../../core/model/text.ts'
import type { ReportDocument, ReportPoint, ReportSection } from '../../inspect/report-document.ts'
import {
  filledBy,
  needsOf,
  type ProbeAccount,
  type ProbeRequest,
  type ProbeWay,
  type Tier,
  tiers,
  waysOf,
} from '../../service/probe.ts'
import { texts } from '../subject/report.ts'
import { BY, TITLE } from './calibrate-document.ts'
import { inAskingOrder, needed, probeOf } from './calibrator.ts'
import { textOf } from './service-line.ts'

const TOLD_CHARACTERS = 200

export function calibrationPlan(ids: readonly string[], account: ProbeAccount, allow: ReadonlySet<Tier>) {
  const asked = inAskingOrder(ids).map((assumption) => ({ assumption, probe: must(probeOf(assumption)) }))
  const ways = asked.flatMap(({ assumption, probe }) =>
    'unaskable' in probe ? [] : waysOf(probe).map((way) => plannedWay(assumption, way, account, allow)),
  )
  const unaskable = asked.flatMap(({ assumption, probe }) =>
    'unaskable' in probe ? { assumption, why: probe.unaskable } : [],
  )
  const sections = tiers.map((tier): ReportSection => {
    const of = ways.filter((way) => way.tier === tier)
    const isAllowed = of.every((way) => way.isAllowed)
    return { title: `${tier}, ${isAllowed ? 'asked' : `not asked without --allow ${tier}`}`, points: of.map(wayPoint) }
  })
  const never = texts(
    'Cannot be asked',
    unaskable.map(({ assumption, why }) => `${assumption}: ${why}`),
  )
  return {
    ...{ by: BY, title: TITLE, lead: [] },
    verdict: { mood: 'good', word: 'A plan', text: 'nothing was sent.' },
    sections: [...sections, never],
    data: { ways, unaskable },
  } satisfies ReportDocument
}

/** Requests that depend on answers are only counted, because they are not known yet. */
function plannedWay(assumption: string, way: ProbeWay, account: ProbeAccount, allow: ReadonlySet<Tier>) {
  const { tier, steps } = way
  const fixed = steps.filter((step): step is ProbeRequest => typeof step !== 'function' && 'method' in step)
  const requests = filledBy(fixed, account, (at, path) => `{${at}.${path}}`)
  return {
    ...{ assumption, tier, isAllowed: allow.has(tier) },
    needs: needsOf(way).map((need) => needed[need].flag),
    requests: requests.map(({ method, path, body, doom = null }) => ({ method, path, body: bodyText(body), doom })),
    more: steps.length - requests.length,
  }
}

/** A login's body contains the key. */
function bodyText(body: object | string | undefined): string {
  const text = maskBody(textOf(body))
  return text.length > TOLD_CHARACTERS ? `${text.slice(0, TOLD_CHARACTERS)}…` : text
}

function wayPoint({ assumption, needs, requests, more }: ReturnType<typeof plannedWay>): ReportPoint {
  const needed = needs.length > 0 ? `  (needs ${needs.join(', ')})` : ''
  const lines = requests.map(({ method, path, body, doom }) => {
    const certain = doom === null ? '' : `  [certain to be refused: ${doom}]`
    return `${`${method} ${path} ${body}`.trimEnd()}${certain}`
  })
  const follow = more > 0 ? [`${counted(more, 'more step')}, as it is answered`] : []
  return { text: `${assumption}${needed}`, exact: [...lines, ...follow] }
}
