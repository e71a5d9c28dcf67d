import * as z from 'zod'
import { isInstant, isRevisable } from '../../lifecycle.ts'
import { delay, delayOrNever, durationSchema, longestOf } from '../../model/delays.ts'
import type { Kind, Service } from '../../model/kind.ts'
import { below, capital, checked, described, didYouMean, optional, quote, type Tell } from '../../model/problems.ts'
import { requestFields } from '../../vocabulary.ts'
import { checkPlannedFaults, plannedFaultShape } from './planned-faults.ts'
import { checkFields, endOf, fieldsOf, kindsNamed, onKinds, readRefusal, refuse, shortText } from './schema-parts.ts'
import { checkTurn, inWords, type Selecting, selectedBy, turnTakers } from './selector.ts'

/** Time to find the phone and type a PIN. Assumed. */
export const CONFIRM = '3s'

const pay = () =>
  checked(
    z.strictObject({
      after: delay,
      by: optional(
        z.enum(['CARD', 'MPESA_STK']),
        'by card, or by a phone prompt (REQUIRES_CUSTOMER_ACTION until it is confirmed); CARD when left out',
      ),
      confirm: optional(
        delayOrNever,
        'for a phone: how long the customer takes to confirm, or never; 3s when left out',
        '20s',
        'never',
      ),
    }),
    ({ by, confirm }, tell) => {
      if (confirm !== undefined && by !== 'MPESA_STK')
        tell('Only a phone prompt is confirmed. Write by: MPESA_STK beside it, or remove confirm.', ['confirm'])
    },
  ).meta({
    description: 'for a checkout: the customer pays without opening the page, after this duration',
    examples: [{ after: '5s' }, { after: '5s', by: 'MPESA_STK', confirm: '20s' }],
  })

export function rulesOf(service: Service) {
  const { kinds } = service
  const end = endOf(kinds)
  const fields = fieldsOf(kinds)
  const revise = z
    .strictObject({ after: delay, end, with: fields.optional() })
    .describe('a later change of the end: a reversal of a success (end: FAILED), or a late success (end: SUCCESS)')

  const then = z.strictObject({
    refuse: refuse().optional(),
    // Left out only when `until` says how it ends, or the request is refused.
    after: delayOrNever.optional(),
    end: end.optional(),
    with: fields.optional(),
    revise: revise.optional(),
    pay: pay().optional(),
    prompt: optional(
      durationSchema,
      'for a checkout: how long a phone prompt waits for the handset; confirmed without the handset when left out',
      '1m',
    ),
    ...plannedFaultShape(),
  })

  const rule = checked(
    z.strictObject({
      name: described(
        shortText(120),
        'a sentence that is shown when the rule applies; it replaces a rule of that name in the extended scenario',
        'the bank is closed on Sundays',
      ),
      on: onKinds(kinds),
      ...selectedBy(
        turnTakers,
        'a condition in CEL over request, headers, organisation, wallet, now, nth, payee, payer, account and business',
        'request.currencyCode == "TZS" && request.amount < 5000',
        'request.phoneNumber.endsWith("000404")',
      ),
      then: described(
        then,
        'the outcome: either refuse, or after and end',
        { after: '4s', end: 'SUCCESS' },
        { refuse: { code: 'INSUFFICIENT_FUNDS' } },
      ),
    }),
    ({ on: names, nth, then }, tell) => {
      const on = kindsNamed(names, kinds)
      checkTurn(nth, on, tell)
      if (then.refuse) checkRefusal(then, on, below(tell, 'then'))
      else checkEnding(then, on, below(tell, 'then'), service)
    },
  )

  return rule
}

export type RuleFile = z.infer<ReturnType<typeof rulesOf>>
export type RuleOutcome = RuleFile['then']
export type Rule = Selecting<RuleFile>

function checkRefusal({ refuse, ...others }: RuleOutcome, on: readonly Kind[], tell: Tell): void {
  const [beside] = Object.keys(others)
  if (beside !== undefined) {
    const why = 'a refused request makes nothing that could end. Remove one of them.'
    tell(`${quote(beside)} cannot stand beside "refuse": ${why}`, [beside], 'key')
  }
  const field = refuse?.field
  const unable = on.find(({ request }) => field !== undefined && !Object.hasOwn(requestFields(request).fields, field))
  if (!unable || field === undefined) return
  const known = Object.keys(requestFields(unable.request).fields)
  const problem = `${quote(field)} is not a field of the request for ${unable.phrase}.${didYouMean(field, known)}`
  tell(problem, ['refuse', 'field'])
}

function checkEnding(then: RuleOutcome, on: readonly Kind[], tell: Tell, service: Service): void {
  const { end, revise, pay, prompt } = then
  checkPlannedFaults(then, on, tell, service)
  if (then.after === undefined && !then.until)
    tell(`"after" is missing. Expected ${delayOrNever.description}.`, ['after'])
  if (end === undefined && then.after !== 'never')
    tell(`"end" is missing. Possible: ${endsOf(on).join(', ')}. Only after: never goes without.`, ['end'])
  if (end !== undefined) checkEnd(end, on, tell)
  if (then.with) checkFields(then.with, on, tell, ['with'])

  const { after = 'never' } = then
  const instant = on.find(isInstant)
  if (instant && (after === 'never' || longestOf(after) !== 0))
    tell(`${capital(instant.phrase)} is over at once. Write after: 0s, or refuse it.`, ['after'])
  if (revise) checkRevision(revise, end, on, tell)

  const without = on.find((kind) => !kind.page)
  if (pay && without)
    tell(`Only a checkout session is paid by a customer, and this rule decides ${without.phrase}. Remove pay.`, ['pay'])
  if (pay && end === 'EXPIRED')
    tell('A session that is paid does not expire. Remove pay, or write another end.', ['pay'])
  if (prompt !== undefined && without)
    tell(
      `Only a checkout session waits for an answer on the handset, and this rule decides ${without.phrase}. Write after and end for when nobody answers.`,
      ['prompt'],
    )
  if (prompt !== undefined && pay?.confirm !== undefined)
    tell('Either the handset answers the prompt, or it is confirmed by itself. Remove prompt or pay.confirm.', [
      'prompt',
    ])
}

function checkRevision(
  revise: NonNullable<RuleOutcome['revise']>,
  end: string | undefined,
  on: readonly Kind[],
  tell: Tell,
): void {
  const unable = on.find((kind) => !isRevisable(kind))
  const ends = [end, revise.end]
  if (unable) tell(`${capital(unable.phrase)} cannot be revised. Make a rule without revise for it.`, ['revise'])
  else if (on.some(({ ends }) => !ends.includes(revise.end))) checkEnd(revise.end, on, below(tell, 'revise'))
  else if (!ends.includes('SUCCESS') || !ends.includes('FAILED'))
    tell(
      `SUCCESS can be revised to FAILED, and FAILED to SUCCESS. Found ${end ?? 'nothing'} revised to ${revise.end}.`,
      ['revise', 'end'],
    )
  if (revise.with) checkFields(revise.with, on, tell, ['revise', 'with'])
}

function endsOf(on: readonly Kind[]): string[] {
  const [first, ...others] = on.map((kind) => kind.ends)
  return (first ?? []).filter((end) => others.every((ends) => ends.includes(end)))
}

function checkEnd(end: string, on: readonly Kind[], tell: Tell): void {
  const unable = on.find((kind) => !kind.ends.includes(end))
  if (!unable) return
  const { ends, phrase, notEnds } = unable
  const others = on.length > 1 ? ' Make a rule of its own for it.' : ''
  // SUCCESS and SUCCEEDED are confused although their spelling is not near.
  const meant = /^SUCCE(SS|EDED)$/.test(end) ? ` Did you mean "${ends[0]}"?` : didYouMean(end, ends)
  const instead = notEnds && Object.hasOwn(notEnds, end) ? ` ${notEnds[end]}` : ''
  const possible = `Possible: ${ends.join(', ')}.${instead || meant || others}`
  tell(`${quote(end)} is not a state that ${phrase} can end in. ${possible}`, ['end'])
}

export function printOutcome(then: RuleOutcome): string {
  const { refuse } = then
  return refuse ? `refuse ${readRefusal(refuse).status} ${refuse.code}` : inWords(then)
}
