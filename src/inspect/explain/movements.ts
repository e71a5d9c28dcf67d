/** Explains transitions of a payment and movements of its money. */
import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import { MINUTE_US, plainTime, type presentZone, toldZone } from '../../core/model/calendar.ts'
import { moneyText, type Transfer } from '../../core/model/money.ts'
import { isRecord, must } from '../../core/model/must.ts'
import type { Moment, Payment } from '../../core/model/payment.ts'
import { type InstantUs, isoInstant, parseInstant } from '../../core/model/time.ts'
import { endsWell } from '../../core/rail-outcomes.ts'
import { accountCodes, broughtAbout, prevented } from '../present.ts'
import { type Sequence, type SequencePart, shortened } from '../report-document.ts'
import { constant, instantOf, majorOf, type Reader, view } from '../view.ts'

interface Change {
  payment: Payment
  before: Moment | undefined
}

const transitionLink = view(null, (read: Reader<Moment, Change>) => ({
  at: instantOf('atUs'),
  station: constant('transition'),
  text: read(z.string(), (moment, { payment, before }) => moved(payment, before, moment)),
  event: z.string(),
  from: read(z.string().nullable(), (_, { before }) => before?.status ?? null),
  to: read(z.string(), ({ status }) => status),
  by: read(z.string(), broughtAbout),
}))

export function transitionLinks(payment: Payment) {
  return payment.history.map((moment, i) => transitionLink(moment, { payment, before: payment.history[i - 1] }))
}

function moved({ plan, details }: Payment, before: Moment | undefined, moment: Moment): string {
  const { event, status, by, detail } = moment
  if (!before) return `It began as ${status}`
  if (detail !== undefined) return `It stays ${status}: ${event} was planned, ${prevented(moment)}`
  if (event === 'funded') return `It stays ${status}: its float holds the amount now, and the rail takes it up`
  if (event === 'ignore') return `It stays ${status}: the payer put the phone with the prompt aside`
  if (event === 'hold') return `It stays ${status}: somebody has the phone with the prompt open, so it waits longer`
  if (event === 'leave') return `It stays ${status}: the payer cancelled on the page and went back to the merchant`
  const way = before.status === status ? status : `${before.status} to ${status}`
  if (by === 'plan' && event === 'settle' && details['declined'] !== undefined)
    return `${way}: the bank behind the card said ${details['declined']}`
  if (by === 'plan' && event === 'settle' && endsWell(plan.end) && !endsWell(status))
    return `${way}: ${plan.end} was planned, but the wallet did not hold the amount when it was due`
  const whose: Record<string, string> = {
    plan: 'as planned',
    operator: 'forced by hand',
    payer: 'by the payer',
    request: 'by a request of the merchant',
  }
  const card = event.startsWith('PAY_CARD') && isRecord(details['card']) ? details['card'] : undefined
  return `${way}: ${event}, ${whose[by] ?? `by ${by}`}${card ? `, with a ${card['brand']} that ends in ${card['last4']}` : ''}`
}

interface Movement {
  atUs: InstantUs
  step: TransferStep
  currency: Payment['currency']
  code: ReadonlyMap<number, string>
}

const transferLink = view(null, (read: Reader<Transfer, Movement>) => ({
  at: read(z.string(), (_, { atUs }) => isoInstant(atUs)),
  station: constant('transfer'),
  text: read(
    z.string(),
    (transfer, { step, currency, code }) =>
      `${words(transfer, step)} ${moneyText(transfer.amountMinor, currency)}: ${code.get(transfer.debitAccount)} to ${code.get(transfer.creditAccount)}`,
  ),
  id: z.number(),
  kind: z.string(),
  step: read(z.enum(transferSteps), (_, { step }) => step),
  debit: read(z.string().nullable(), ({ debitAccount }, { code }) => code.get(debitAccount) ?? null),
  credit: read(z.string().nullable(), ({ creditAccount }, { code }) => code.get(creditAccount) ?? null),
  amount: majorOf('amountMinor'),
}))

export function transferLinks(core: Core, { seq, currency }: Payment) {
  const code = accountCodes(core)
  return core.ledger
    .transfersOf(seq)
    .flatMap((transfer) => stepsOf(transfer).map((one) => transferLink(transfer, { ...one, currency, code })))
}

export const movementLinks = () => [transitionLink.schema(), transferLink.schema()] as const

const transferSteps = ['reserve', 'post', 'void'] as const
type TransferStep = (typeof transferSteps)[number]

function stepsOf({ createdAtUs, settledAtUs, state }: Transfer): { atUs: number; step: TransferStep }[] {
  const end: TransferStep = state === 'voided' ? 'void' : 'post'
  if (settledAtUs === null) return [{ atUs: createdAtUs, step: 'reserve' }]
  if (settledAtUs === createdAtUs) return [{ atUs: settledAtUs, step: end }]
  return [
    { atUs: createdAtUs, step: 'reserve' },
    { atUs: settledAtUs, step: end },
  ]
}

function words({ kind }: Transfer, step: TransferStep): string {
  const verb = { reserve: 'Reserved', post: kind === 'reversal' ? 'Took back' : 'Moved', void: 'Let go of' }[step]
  return kind === 'fee' ? `${verb} the fee of` : verb
}

// Payments as a sequence between their app and the service.

const LANES = ['App', 'Service'] as const
const STEPS_MAX = 16

interface Link {
  at: string
  station: string
  method?: string | null
  path?: string | null
  text: string
  status?: number | null
  error?: string | null
  fault?: string | null
  from?: string | null
  to?: string
  callback?: number
  body?: Readonly<Record<string, unknown>>
}

interface ToldPayment {
  payment: { kind: string; uuid: string }
  timezone: ReturnType<typeof presentZone>
  story: readonly Link[]
}

/** Instants that are less than a minute apart are told once. */
export function sequenceOfPayments(told: readonly ToldPayment[]): Sequence {
  const payments = told.toSorted((a, b) => (began(a) < began(b) ? -1 : 1))
  const links = payments.flatMap(({ payment, timezone, story }, i) => {
    const name = payments.length === 1 ? payment.kind : `${payment.kind} ${i + 1}`
    const says = new Map(story.flatMap(({ callback, body }) => (body ? [[callback, body['status']]] : [])))
    return story.map((link) => ({
      atUs: must(parseInstant(link.at)),
      zone: toldZone(timezone),
      step: stepOf(name, link, String(says.get(link.callback) ?? '')),
    }))
  })
  let shownUs: InstantUs = Number.NEGATIVE_INFINITY
  const steps = links
    .toSorted((a, b) => a.atUs - b.atUs)
    .flatMap(({ atUs, zone, step }): SequencePart[] => {
      if (!step) return []
      if (atUs - shownUs < MINUTE_US) return [step]
      shownUs = atUs
      return [{ over: LANES, text: plainTime(atUs, zone) }, step]
    })
  return shortened({ lanes: LANES, steps }, STEPS_MAX)
}

function began({ story }: ToldPayment): string {
  return story[0]?.at ?? ''
}

function stepOf(name: string, link: Link, says: string): SequencePart | undefined {
  const { station, text, method, path, status, error, fault, from, to } = link
  const back = { from: 'Service', to: 'App' }
  switch (station) {
    case 'request':
      return path
        ? { from: 'App', to: 'Service', text: `${method} ${path.split('/').slice(4).join('/')} (${name})` }
        : { over: ['Service'], text }
    case 'answer':
    case 'repeat': {
      const told = `${status || 'the answer is lost'} (${name}${fault ? `, ${fault}` : ''})`
      return { ...back, text: told, sort: status ? 'answer' : 'lost' }
    }
    case 'transition':
      return from === null || from === to ? undefined : { over: ['Service'], text: `${name} is ${to}` }
    case 'attempt':
      return error === null
        ? { ...back, text: `callback ${says} → ${status}` }
        : { ...back, text: `callback ${says}: ${error}`, sort: 'lost' }
    default:
      return undefined
  }
}
