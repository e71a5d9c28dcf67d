import type { Control } from '../../client/control.ts'
import { isRecord } from '../../core/model/must.ts'
import { type AppRequest, fill } from './merchant-file.ts'

export const READS_TRANSFERS = 'listBankCollections'
const LISTED = 1000
const AMOUNT = /amount|total|price/i
const NAME = /reference|invoice|bill|order|number|name/i

export interface Bill {
  amount: number
  description: string
}

export function billOf({ body }: AppRequest): Bill | undefined {
  const fields = Object.entries(isRecord(body) ? body : {})
  const numbers = fields.filter((field): field is [string, number] => typeof field[1] === 'number')
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === 'string')
  const [, amount] = numbers.find(([name]) => AMOUNT.test(name)) ?? numbers[0] ?? []
  const numbered = texts.filter(([, text]) => text.includes('{n}'))
  const [, description] = numbered.find(([name]) => NAME.test(name)) ?? numbered[0] ?? texts[0] ?? []
  return amount === undefined || amount <= 0 || description === undefined ? undefined : { amount, description }
}

interface BankBillsOptions {
  control: Control
  isRead(): boolean
  transfers(nth: number, bill: Bill): readonly Bill[]
}

export class BankBills {
  readonly #options: BankBillsOptions
  #made = 0
  readonly #paid = new Set<string>()
  #open: { nth: number; bill: Bill }[] = []

  constructor(options: BankBillsOptions) {
    this.#options = options
  }

  owe(request: AppRequest, n: string): void {
    const bill = billOf(request)
    if (bill) this.#open.push({ nth: ++this.#made, bill: fill(bill, { n }) })
  }

  /** Pays what is open; gives whether anything was paid. An act that asked the service for its amount made no bill. */
  async pay(): Promise<boolean> {
    const { control, isRead, transfers } = this.#options
    if (this.#open.length === 0 || !isRead()) return false
    const { payments } = await control('GET', '/payments', { query: { limit: LISTED } })
    const asked = new Set(payments.filter(({ uuid }) => !this.#paid.has(uuid)).map(({ amount }) => amount))
    const bills = this.#open.filter(({ bill }) => !asked.has(bill.amount))
    this.#open = []
    for (const { nth, bill } of bills)
      for (const body of transfers(nth, bill)) {
        const { uuid } = await control('POST', '/collections/:way', { path: { way: 'bank' }, body: { ...body } })
        this.#paid.add(uuid)
      }
    return bills.length > 0
  }
}
