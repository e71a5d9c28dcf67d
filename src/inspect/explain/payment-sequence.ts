/** Payments as a sequence between their app and the service. */
import { MINUTE_US, type presentZone, toldZone } from '../../core/model/calendar.ts'
import { must } from '../../core/model/must.ts'
import { plainTime } from '../../core/model/plain-time.ts'
import { type Sequence, type SequencePart, shortened } from '../../core/model/sequence.ts'
import { type InstantUs, parseInstant } from '../../core/model/time.ts'

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
