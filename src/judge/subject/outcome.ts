import type { Control, ControlBody, RequestEntry } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { must } from '../../core/model/must.ts'
import type { FindingShown, RequestWithoutPayment } from '../../inspect/finding.ts'
import type { AppFindingCode } from '../app/app-findings.ts'

export interface Step {
  /** Where, or between whom; empty where it is everywhere. */
  where: string
  text: string
}

export interface AppFinding {
  /** A code of reconciliation, or of `app-findings.ts`. */
  code: string
  reference?: string
  requestId?: string
  others?: string[]
  amount?: number
  currency?: string
  text: string
  requests: string[]
  errors?: string
  /** Files that it was written to. */
  capsule?: string
  schedule?: string
  scenarioFile?: string
  sequence?: Step[]
}

export interface SubjectOutcome {
  findings: AppFinding[]
  warnings: AppFinding[]
  unjudged?: string
  /** No verdict because no payment was made. */
  idle?: boolean
  asked?: RequestWithoutPayment[]
  acts?: string[]
  said?: string
}

/** The code of the only finding of a suite that is judged by its exit code. */
export const SUITE_RED = 'breaks_suite'

export function ownFinding(code: AppFindingCode, text: string, requests: string[] = []): AppFinding {
  return { code, text, requests }
}

const JOURNAL_MAX = 1000

/** Without books, only the journal is judged. Unreadable books leave the run unjudged. */
export async function judgeBooks(
  control: Control,
  books: unknown,
  asked: readonly RequestWithoutPayment[] | undefined,
): Promise<SubjectOutcome> {
  const body = { ...(books !== undefined && { books }), ...(asked && { asked }) } as ControlBody<'POST', '/reconcile'>
  try {
    const [{ findings, warnings, ...compared }, { requests }] = await Promise.all([
      control('POST', '/reconcile', { body }),
      control('GET', '/requests', { query: { limit: JOURNAL_MAX } }),
    ])
    const withRequests = (finding: FindingShown) => {
      const { explain, level, kind, line, todo, ...shown } = finding
      return { ...shown, requests: requestsOf(finding, requests.toReversed()) }
    }
    return { findings: findings.map(withRequests), warnings: warnings.map(withRequests), asked: compared.asked }
  } catch (error) {
    if (error instanceof MfanoError && error.status === 400)
      return { findings: [], warnings: [], unjudged: `The books: ${error.details || error.reason}` }
    throw error
  }
}

const TOLD = 12
const LAST = 5

/**
 * One line such as `2025-01-24T16:28:00Z POST /api/sandbox/v1/send-money → 503 (fault: …)` for each request about the finding's
 * payments.
 */
function requestsOf(finding: FindingShown, journal: readonly RequestEntry[]): string[] {
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
