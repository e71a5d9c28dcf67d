/** Coverage of an app by its requests in each state of its payments: news in a run, and runs that are the same. */
import { must } from '../../core/model/must.ts'
import type { Happened } from './happened.ts'

/**
 * State of a payment, what was told about it and how that was taken, and what the app asked then and was answered:
 * `stk SUCCESS | SUCCESS 200 | getStkCollection 200`; with what died, where something did.
 */
export function behavioursOf({ happened }: { happened: readonly Happened[] }): string[] {
  const states = new Map<string, string>()
  const told = new Map<string, string>()
  const behaviours = new Set<string>()
  let newest = ''
  let died = ''
  let before = ''
  const note = (payment: string, did: string) => {
    const [kind] = payment.split(' ')
    behaviours.add([kind, states.get(payment), told.get(payment), did, died].join(' | '))
  }
  for (const one of happened) {
    const payment = 'kind' in one ? `${one.kind} ${one.nth}` : ''
    switch (one.what) {
      case 'payment':
        newest = payment
        states.set(newest, one.status)
        break
      case 'callback':
        note(payment, `told ${one.status} ${one.taken}`)
        told.set(payment, `${one.status} ${one.taken}`)
        break
      case 'stranger':
        note(payment, `lied to ${one.taken}`)
        break
      case 'answer': {
        const did = `${one.operation} ${one.status}`
        note(one.of ?? newest, one.of === undefined ? `${before}, ${did}` : did)
        before = did
        break
      }
      case 'crash':
        died = `died ${one.at.split(' ')[0]}`
        note(newest, died)
        break
      case 'service-restart':
        died = 'service died'
    }
  }
  return [...behaviours]
}

/**
 * The events of a run, without what is always so: equal for schedules that come to the same. What happened to one payment has no
 * order with what happened to another, until time goes on or something else is done.
 */
export function traceOf({ happened }: { happened: readonly Happened[] }): string {
  const rounds: Map<string, string[]>[] = [new Map()]
  for (const one of happened) {
    if (one.what === 'time' || one.what === 'act' || one.what === 'crash') rounds.push(new Map())
    const whose = 'nth' in one ? ('kind' in one ? `${one.kind} ${one.nth}` : (one.of ?? one.operation)) : ''
    const round = must(rounds.at(-1))
    round.set(whose, [...(round.get(whose) ?? []), Object.values(one).join(' ')])
  }
  return rounds
    .map((round) =>
      [...round]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([, all]) => all)
        .join('\n'),
    )
    .join('\n')
}
