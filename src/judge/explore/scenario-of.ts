/** The part of a schedule that a scenario can say: ends, answers, callbacks and refusals, as a file that anybody can run. */
import { isInstant, isRevisable, waitsForRail } from '../../core/lifecycle.ts'
import type { Kind } from '../../core/model/kind.ts'
import { paymentsService } from '../../service/service.ts'
import { type Choice, type ends, OUTAGE, strangers } from './choice.ts'

/** A customer on a page is one who pays; in a world without people nobody does. */
const CUSTOMER = { pay: { after: '5s' } }
const LONG = '25m'

/** To see through these takes a signature. */
const untrue: readonly string[] = ['forged', 'altered', ...strangers]

interface About {
  end?: (typeof ends)[number]
  answer?: string
  tell?: string
}

/** A scenario as an object; `name` stands in it. */
export function scenarioOf(choices: readonly Choice[], kinds: readonly string[], name = 'explored'): object {
  const payments = new Map<string, About & { kind: string; nth: number }>()
  for (const one of choices) {
    if (one.do !== 'end' && one.do !== 'answer' && one.do !== 'tell') continue
    const key = `${one.kind} ${one.nth}`
    payments.set(key, { ...payments.get(key), kind: one.kind, nth: one.nth, [one.do]: one.as })
  }
  const pendingToo = choices.some((one) => one.do === 'tell-pending')
  const signed = choices.some((one) => one.do === 'tell' && untrue.includes(one.as))
  const rules = [...payments.values()].flatMap((one) => ruleOf(one))
  return {
    name,
    description: 'Found by exploring.',
    extends: 'default',
    rules: [
      ...rules,
      // Whatever number or amount an act has: what goes wrong is chosen, and not asked for.
      ...kinds.map((kind) => ordinary(paymentsService.kinds.of(kind))),
    ],
    faults: choices.flatMap((one) => (one.do === 'refuse' ? faultOf(one) : [])),
    ...(pendingToo && {
      // So that the answer to the request is certainly there first.
      callbacks: { faults: [{ name: 'told a moment later', on: 'any', then: { delay: '2s' } }] },
    }),
    ...((pendingToo || signed) && {
      assumptions: {
        ...(pendingToo && { 'final-callback': 'pending-too' }),
        ...(signed && { 'callback-signature': 'standard-webhooks' }),
      },
    }),
  }
}

function ordinary(kind: Kind): object {
  return {
    name: `an ordinary ${kind.name}`,
    on: kind.name,
    then: { ...(kind.page && CUSTOMER), ...ordinaryEnd(kind) },
  }
}

function ordinaryEnd(kind: Kind): { after: string; end: string } {
  return { after: isInstant(kind) ? '0s' : '3s', end: kind.ends[0] }
}

function ruleOf({ kind: name, nth, end, answer, tell }: About & { kind: string; nth: number }): object[] {
  const kind = paymentsService.kinds.of(name)
  const planned = answer !== undefined && answer !== 'held' ? answerOf(answer) : undefined
  const callback = tell === undefined || !kind.callback ? undefined : tellingOf(tell)
  // A lie is about a failure, whatever else was chosen.
  const ending = tell === 'forged' || tell === 'odd' ? endOf(kind, 'failed') : endOf(kind, end)
  const early = tell === 'early' && waitsForRail(kind)
  if (end === undefined && planned === undefined && callback === undefined) return []
  const { after, ...rest } = ending as { after: string }
  return [
    {
      name: `${name} ${nth}: ${[end, answer && `answer ${answer}`, tell && `told ${tell}`].filter(Boolean).join(', ')}`,
      on: name,
      when: `nth == ${nth}`,
      then: {
        ...(kind.page && CUSTOMER),
        after: early && after !== 'never' ? '0s' : after,
        ...rest,
        ...(planned !== undefined && { answer: planned }),
        ...(callback !== undefined && (tell !== 'early' || (early && after !== 'never')) && { callback }),
      },
    },
  ]
}

/** As a rule's `then` says it; the ordinary end where the kind has no such one. */
function endOf(kind: Kind, end: About['end']): object {
  const [good] = kind.ends
  const bad = kind.ends.find((one) => one === 'FAILED')
  const usual = ordinaryEnd(kind)
  if (end === undefined || isInstant(kind) || bad === undefined) return usual
  switch (end) {
    case 'failed':
      return { after: '2s', end: bad }
    case 'failed-late':
      return { after: LONG, end: bad }
    case 'slow':
      return { after: LONG, end: good }
    case 'never':
      return { after: 'never' }
    case 'failed-then-paid':
      return isRevisable(kind) ? { after: '1m', end: bad, revise: { after: '3h', end: good } } : usual
    case 'paid-then-failed':
      return isRevisable(kind) ? { after: '2s', end: good, revise: { after: '44h', end: bad } } : usual
  }
}

function answerOf(answer: string): object | string {
  return /^\d/.test(answer) ? { status: Number(answer) } : answer
}

/** Undefined for what no scenario says, but a stranger does besides. */
function tellingOf(tell: string): object | undefined {
  const known: Record<string, object> = {
    lost: { drop: true },
    late: { delay: '40m' },
    twice: { duplicate: 2 },
    'at-once': { duplicate: { times: 2, together: true } },
    early: { early: true },
    overtaken: { reorder: true, delay: '50m' },
    forged: { status: 'SUCCESS', signature: 'none' },
    altered: { signature: 'altered-body' },
    odd: { status: 'ON_HOLD', extra: { channel: 'USSD' } },
  }
  return known[tell]
}

function faultOf({ operation, nth, as }: Choice & { do: 'refuse' }): object {
  const then: Record<string, object> = {
    503: { status: 503 },
    outage: { status: 503 },
    429: { status: 429 },
    reset: { reset: true },
    empty: { empty: true },
    revoked: { revokeTokens: true },
  }
  const when = as === 'outage' ? `nth >= ${nth} && nth < ${nth + OUTAGE}` : `nth == ${nth}`
  return { name: `${operation} ${nth}: ${as}`, on: operation, when, then: then[as] }
}
