import { keysIn } from '../../core/model/must.ts'
import { counted } from '../../core/model/text.ts'
import type { MarkedCell, ReportDocument, ReportPoint, ReportRun } from '../../inspect/report-document.ts'
import { texts } from '../subject/report.ts'
import type { ContractDifference } from './contract-differences.ts'
import type { TrafficReport } from './from-traffic.ts'
import type { Calibrated, CalibrationReport, CalibrationVerdict, KeptExchange } from './verdict.ts'

export const BY = 'mfano calibrate'
export const TITLE = 'the service, at its sandbox'
const SHOWN_CHARACTERS = 300

const marks = {
  holds: { mood: 'good', word: 'holds' },
  'none-of-ours': { mood: 'bad', word: 'none of ours' },
  unstable: { mood: 'bad', word: 'unstable' },
  untold: { mood: 'open', word: 'could not be told' },
  'not-asked': { mood: 'none', word: 'not asked' },
} as const satisfies Record<CalibrationVerdict, MarkedCell>

export function answerRun({ assumption, verdict, alternative, why, excluded }: Calibrated): ReportRun {
  const not = verdict !== 'holds' && excluded.length > 0 ? `; not ${excluded.join(', ')}` : ''
  const name = alternative === null ? assumption : `${assumption}: ${alternative}`
  return { ...marks[verdict], name, why: `${why ?? ''}${not}` }
}

export function calibrationDocument(
  report: CalibrationReport | TrafficReport,
): ReportDocument<CalibrationReport | TrafficReport> {
  const { answers, requests, payments, accepted, stopped, baseUrl } = report
  const differences = 'differences' in report ? report.differences : []
  const of = (verdict: CalibrationVerdict) => answers.filter((one) => one.verdict === verdict)
  const counts = keysIn(marks).flatMap((verdict) => {
    const many = of(verdict).length
    return many === 0 ? [] : [`${many} ${marks[verdict].word}`]
  })
  const reasons = Map.groupBy(of('not-asked'), ({ why }) => why ?? '')
  const unasked = [...reasons].sort(([, a], [, b]) => b.length - a.length)
  return {
    ...{ by: BY, title: TITLE },
    verdict: {
      mood: differences.length > 0 ? 'bad' : moodOf(report),
      word: stopped ? 'Stopped early' : 'Asked',
      text: [
        ...(differences.length > 0 ? [`${counted(differences.length, 'difference')} from mfano's contract.`] : []),
        `${counts.join(', ')}.`,
      ].join(' '),
    },
    lead: [
      `${counted(requests, 'request')}, ${counted(payments, 'payment')}: ${baseUrl}`,
      ...(stopped ? [`Stopped: ${stopped.why}.`] : []),
      ...(accepted > 0
        ? [
            `${counted(accepted, 'request')} that was to be refused was accepted. Look in your account for what it made, and cancel it.`,
          ]
        : []),
    ],
    sections: [
      texts("Not as in mfano's contract", differences.map(differenceText)),
      texts('Stopped after', (stopped?.evidence ?? []).map(exchangeText)),
      { title: 'None of ours', points: of('none-of-ours').map(strangePoint) },
      texts('Not asked', stopped ? [] : unasked.map(([why, those]) => `${those.length}: ${why}`)),
    ],
    runs: answers.map(answerRun),
    data: report,
  }
}

/** A calibration that ends early by itself, or is interrupted, has done what it could. */
function moodOf({ stopped }: CalibrationReport): ReportRun['mood'] {
  const code = stopped?.code
  if (code === 'accepted' || code === 'moved') return 'bad'
  return code === 'unreachable' ? 'open' : 'good'
}

function differenceText({ operation, path, sort, recorded, expected, times }: ContractDifference): string {
  const at = [operation, path, sort].filter((part) => part !== '').join(' ')
  return `${at}: ${recorded}, and the contract has ${expected}${times > 1 ? ` (${times} times)` : ''}`
}

function strangePoint({ assumption, evidence }: Calibrated): ReportPoint {
  return { text: assumption, exact: evidence.slice(-1).map(exchangeText) }
}

function exchangeText({ asked, sent, status, answered }: KeptExchange): string {
  return `${[asked, sent].join(' ').trimEnd()} → ${status} ${answered.slice(0, SHOWN_CHARACTERS)}`
}
