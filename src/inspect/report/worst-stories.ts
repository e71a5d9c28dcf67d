/** The worst of a run as stories: findings about money, then callbacks that nobody took. */

import { must } from '../../core/model/must.ts'
import type { World } from '../../core/world.ts'
import { paymentStory, sequenceOfPayments } from '../explain-payment.ts'
import { paymentSummary } from '../present.ts'
import { moneyOf, type ReportStory } from '../report-document.ts'
import type { BooksComparison } from './run-verdict.ts'
import type { GivenUp } from './told.ts'

const WORST = 3

interface Wrong {
  compared: BooksComparison | null
  givenUp: readonly GivenUp[]
  baseUrl: string
}

export function worstStories(world: World, { compared, givenUp, baseUrl }: Wrong): ReportStory[] {
  const about = (ids: readonly (string | null | undefined)[]) => {
    const sequence = sequenceOf(world, ids)
    const [uuid] = ids
    const isKnown = typeof uuid === 'string' && sequence !== undefined
    return { sequence, ...(isKnown && { link: `${baseUrl}/_mfano/#/payments/${uuid}` }) }
  }
  const findings = [...Map.groupBy(compared?.findings ?? [], ({ code }) => code).values()].map((alike): ReportStory => {
    const worst = must(alike.toSorted((a, b) => (b.amount ?? 0) - (a.amount ?? 0))[0])
    const { code, text, todo, requestId, others = [], explain } = worst
    return {
      ...{ title: code, text, money: moneyOf(worst), ...about([requestId, ...others]) },
      ...(todo !== undefined && { more: [{ text: `What to do: ${todo}` }] }),
      ...(explain && { command: explain.command }),
    }
  })
  const untold = givenUp.map(({ id, payment, url, attempts, error, why, todo }): ReportStory => {
    const because = [error, why].filter((one) => one !== null).join(', because ')
    return {
      title: `Callback ${id} was given up`,
      text: `${url} took none of ${attempts} attempts${because === '' ? '' : `: ${because}`}.`,
      ...about([payment]),
      ...(todo !== null && { more: [{ text: `What to do: ${todo}` }] }),
      command: `mfano callback redeliver ${id} --url ${baseUrl}`,
    }
  })
  return [...findings, ...untold].slice(0, WORST)
}

function sequenceOf(world: World, ids: readonly (string | null | undefined)[]): ReportStory['sequence'] {
  const payments = ids.flatMap((id) => (id ? (world.core.store.payments.byUuid(id) ?? []) : []))
  if (payments.length === 0) return undefined
  return sequenceOfPayments(
    payments.map((payment) => ({ payment: paymentSummary(payment, world.core), ...paymentStory(world, payment) })),
  )
}
