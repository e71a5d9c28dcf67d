/** What every section of the tour does: it pays, waits to be told, lets time pass, and says so. */
import { type ServiceClient, ServiceError, type TestWorld } from '../../testing/index.ts'
import { amount } from '../words.ts'
import type { Actor, DemoOutput } from './demo-output.ts'
import type { Merchant, Told } from './merchant.ts'

export class DemoContext {
  readonly world: TestWorld
  /** The merchant's own client of the service. */
  readonly client: ServiceClient
  readonly merchant: Merchant
  readonly report: DemoOutput

  constructor(parts: { world: TestWorld; client: ServiceClient; merchant: Merchant; report: DemoOutput }) {
    this.world = parts.world
    this.client = parts.client
    this.merchant = parts.merchant
    this.report = parts.report
  }

  async say(who: Actor, text: string, data?: object): Promise<void> {
    await this.report.tell({ who, text, at: await this.world.clock.now(), ...(data && { data }) })
  }

  /** Moves the clock; what arrives on the way is told as it arrives. */
  async pass(by: string, words: string): Promise<void> {
    await this.say('time', words, { by })
    await this.world.clock.advance(by)
  }

  /** The merchant paid; a callback will tell the end. */
  async paid(id: string, what: string): Promise<void> {
    this.merchant.note(id, what)
    await this.say('merchant', `Pays ${what}.`, { requestId: id })
  }

  /** A customer does something; the merchant waits for the callback. */
  async awaited(id: string, what: string, text: string): Promise<void> {
    this.merchant.note(id, what)
    await this.say('customer', text, { id })
  }

  /** A payout that the service refuses at once. */
  async refused(what: string, request: Parameters<ServiceClient['createSendMoney']>[0]): Promise<void> {
    try {
      await this.client.createSendMoney(request)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { status, code } = error
      const text = `Pays ${what}, and is refused at once: ${status} ${code}. No money moves.`
      return this.say('merchant', text, { status, code })
    }
    throw new Error(`${what} was to be refused, and was not`)
  }

  async payBank(account: string, beneficiaryName: string, major: number, what: string): Promise<string> {
    const { data } = await this.client.createBankPayout({
      bankCode: '0001',
      beneficiaryName,
      creditAccountNumber: account,
      amount: major,
      narration: 'Demo',
      callbackUrl: this.merchant.url,
    })
    await this.paid(data.requestId, what)
    return data.requestId
  }
}

export const kes = (major: number) => `KES ${amount(major)}`
export const tzs = (major: number) => `TZS ${amount(major)}`

/** A callback in plain words. */
export function showCallback(report: DemoOutput, at: string, { entry, before, again, body, answered }: Told): void {
  const changed = before !== 'PENDING' && before !== entry.status ? `, which had been ${before}` : ''
  const told = `${entry.what}${changed}: ${String(body['status'] ?? 'arrived')}`
  const heard = answered === 200
  const text = heard
    ? `${told}${again ? ', told again' : ''}`
    : `${told}. The shop answers ${answered}, and has not understood.`
  // Not awaited: the merchant answers at once, whatever pace its story is read at.
  void report.tell({ who: 'callback', text, at, good: heard && entry.status !== 'FAILED', data: { body, answered } })
}
