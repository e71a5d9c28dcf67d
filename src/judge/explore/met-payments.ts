/** The payments of one run's world, by how they are named: the nth of their kind. */
import type { Kind } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { World } from '../../core/world.ts'
import { paymentsService } from '../../service/service.ts'
import type { PaymentMet } from './happened.ts'

export class MetPayments {
  /** In the order in which they were made. */
  readonly all: PaymentMet[] = []
  #world: World | undefined
  readonly #byUuid = new Map<string, PaymentMet>()
  readonly #references = new Map<string, string | null | undefined>()

  /** `told`: the status that a payment came to. */
  follow(world: World, told: (met: PaymentMet, status: string) => void): void {
    this.#world = world
    world.feed.listen({
      kind: 'wait',
      happened: (event) => {
        if (event.type !== 'payment') return
        if (event.from === null) this.#add(event.uuid, event.kind)
        const met = this.#byUuid.get(event.uuid)
        if (met) told(met, event.to)
      },
      ended: () => {},
    })
  }

  #add(uuid: string, kind: string): void {
    const met = { kind, nth: this.all.filter((one) => one.kind === kind).length + 1 }
    this.#byUuid.set(uuid, met)
    this.all.push(met)
  }

  byUuid(uuid: string | undefined): PaymentMet | undefined {
    return uuid === undefined ? undefined : this.#byUuid.get(uuid)
  }

  /** The newest of such a kind. */
  newest(isSuch: (kind: Kind) => boolean): Payment | undefined {
    for (const [uuid, { kind }] of [...this.#byUuid].toReversed())
      if (isSuch(paymentsService.kinds.of(kind))) return this.#stored(uuid)
    return undefined
  }

  /** A payment, and the others of its kind, the newest first. */
  withOthers(met: PaymentMet): { payment: Payment | undefined; others: Payment[] } {
    const stored = [...this.#byUuid.keys()].flatMap((uuid) => this.#stored(uuid) ?? [])
    const payment = stored.find(({ uuid }) => this.#byUuid.get(uuid) === met)
    return { payment, others: stored.filter((one) => one !== payment && one.kind === met.kind).toReversed() }
  }

  /** The one whose id stands in a text. */
  namedIn(text: string): PaymentMet | undefined {
    for (const [uuid, met] of this.#byUuid) if (text.includes(uuid)) return met
    return undefined
  }

  /** The one that a path names, by its id or the app's reference. */
  askedAbout(path: string): PaymentMet | undefined {
    for (const [uuid, met] of this.#byUuid) {
      const reference = this.#referenceOf(uuid)
      if (path.includes(uuid) || (reference && path.includes(encodeURIComponent(reference)))) return met
    }
    return undefined
  }

  /** The one that a request made; none that was made before, and only answered for it again. */
  madeBy(response: Response): PaymentMet | undefined {
    const { journal, payments } = this.#world?.core.store ?? {}
    const entry = journal?.byRequestId(response.headers.get('mfano-request-id') ?? '')
    if (!entry || entry.notes?.replayed || entry.paymentSeq === null) return undefined
    return this.byUuid(payments?.bySeq(entry.paymentSeq)?.uuid)
  }

  /** The app's own name of a payment, which does not change. */
  #referenceOf(uuid: string): string | null | undefined {
    if (!this.#references.has(uuid)) this.#references.set(uuid, this.#stored(uuid)?.referenceId)
    return this.#references.get(uuid)
  }

  #stored(uuid: string): Payment | undefined {
    return this.#world?.core.store.payments.byUuid(uuid)
  }
}
