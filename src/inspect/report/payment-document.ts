/** One payment as a report, to show to somebody who has no access to the world. */
import { toldZone, zonedText } from '../../core/model/calendar.ts'
import { moneyText, toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import type { ReportDocument, ReportMood } from '../../core/model/report-document.ts'
import { parseInstant } from '../../core/model/time.ts'
import { type Explained, sequenceOfPayments } from '../explain-payment.ts'

/** `baseUrl`: the world's. */
export function paymentDocument(explained: Explained, baseUrl: string): ReportDocument<Explained> {
  const { payment, timezone, story, stopped } = explained
  const { uuid, kind, status, amount, currency, referenceId, party, rule } = payment
  const at = (instant: string) => zonedText(must(parseInstant(instant)), toldZone(timezone))
  return {
    by: 'mfano payment',
    title: `${moneyText(must(toMinor(amount)), currency)} ${kind}`,
    verdict: { mood: moodOf(explained), word: status, text: stopped.why },
    lead: [],
    stories: [
      {
        title: referenceId ?? uuid,
        text: `Decided by the rule "${rule}".`,
        more: stopped.next.map((text) => ({ text: `What to do: ${text}` })),
        sequence: sequenceOfPayments([explained]),
        link: `${baseUrl}/_mfano/#/payments/${uuid}`,
      },
    ],
    sections: [
      {
        name: 'timeline',
        title: 'Timeline',
        columns: ['when', 'what', 'details'],
        rows: story.map((step) => [at(step.at), step.station, step.text]),
      },
    ],
    facts: [
      ['Payment', uuid],
      ['Reference', referenceId ?? 'none'],
      ['With', [party?.name, party?.id].filter(Boolean).join(', ') || 'nobody'],
      ['Created', at(payment.createdAt)],
      ['Time zone', timezone.name],
      ['World', baseUrl],
    ],
    data: explained,
  }
}

function moodOf({ payment: { reason }, stopped }: Explained): ReportMood {
  if (reason !== null) return 'bad'
  return stopped.waitsFor === 'nothing' ? 'good' : 'open'
}
