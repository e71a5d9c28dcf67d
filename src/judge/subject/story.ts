/** Describes a finding: the money, the requests about it, and what to do. */
import type { Control } from '../../client/control.ts'
import type { RequestEntry } from '../../client/control-answers.ts'
import { must } from '../../core/model/must.ts'
import type { FindingShown } from '../../inspect/finding.ts'

const TOLD = 12
const LAST = 5

/**
 * One line such as `2025-01-24T16:28:00Z POST /api/sandbox/v1/send-money → 503 (fault: …)` for each request about the finding's
 * payments.
 */
export function requestsOf(finding: FindingShown, journal: readonly RequestEntry[]): string[] {
  const uuids = [finding.requestId, ...(finding.others ?? [])].filter((one) => one !== undefined)
  const names = [...uuids, finding.reference].filter((one) => one !== undefined)
  const about = journal.filter(
    ({ payment, path, request }) =>
      uuids.some((uuid) => uuid === payment) ||
      names.some((name) => path.includes(name) || JSON.stringify(request.body ?? null).includes(`"${name}"`)),
  )
  const lines = [...Map.groupBy(about, repeated).values()].map((alike) => line(must(alike[0]), alike.length))
  const rest = lines.length - TOLD
  return rest > 0 ? [...lines.slice(0, TOLD), `and ${rest} more requests about it`] : lines
}

export async function lastRequests(control: Control): Promise<string[]> {
  const { requests } = await control('GET', '/requests', { query: { limit: LAST } })
  return requests.toReversed().map((one) => line(one, 1))
}

/** Repeated reads are collapsed, because they say nothing new. Repeated writes are not. */
function repeated({ method, path, status, requestId }: RequestEntry): string {
  return method === 'GET' ? `${path} ${status}` : requestId
}

function line({ at, method, path, status, fault, rule }: RequestEntry, times: number): string {
  const by = fault === null ? rule : typeof fault === 'string' ? fault : JSON.stringify(fault)
  const told = `${at.slice(0, 19)}Z ${method} ${path} → ${status || 'no answer'}${by === null || by === undefined ? '' : ` (${by})`}`
  return times === 1 ? told : `${told}, ${times} times`
}

/** From the comment at the top of the scenario. Empty if it gives no advice. */
export function adviceOf(source: string): string {
  const lines = source.split('\n')
  const begin = lines.findIndex((one) => one.startsWith('# What to do: '))
  if (begin < 0) return ''
  const end = lines.findIndex((one, i) => i > begin && (!/^# ?\S/.test(one) || one.startsWith('# Risk: ')))
  return lines
    .slice(begin, end < 0 ? undefined : end)
    .map((one) => one.replace(/^# ?/, '').trim())
    .join(' ')
    .replace(/^What to do: /, '')
}
