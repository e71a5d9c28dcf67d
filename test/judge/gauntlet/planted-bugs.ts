/** Bugs to plant in the merchants, one at a time: what is changed, the scenario that brings it out, and what is found. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder } from '../../apps/cli/support.ts'

export interface PlantedBug {
  merchant: 'plain' | 'python' | 'typescript'
  /** What somebody who wrote it believed. */
  bug: string
  file: string
  /** Each text is there once, and becomes another. */
  changes: readonly (readonly [from: string, to: string])[]
  scenario: string
  /** Among the codes that are found. */
  found: string
}

const python = { merchant: 'python', file: 'chama/payments.py' } as const
const typescript = { merchant: 'typescript', file: 'src/payments.ts' } as const

export const plantedBugs: readonly PlantedBug[] = [
  {
    ...python,
    bug: 'a callback will come',
    changes: [['for payment in self._book.watched(self._now() - WATCHED_FOR):', 'for payment in []:']],
    scenario: 'callback-lost',
    found: 'stale',
  },
  {
    ...python,
    bug: 'after a server error the same is asked for under another reference',
    changes: [
      [
        '# A 5xx says as little about what was done as no answer.',
        'if reference.endswith("-1"):\n                with self._book.atomically():\n                    self._book.add_payment(payment.purpose, payment.way, payment.amount, payment.details, self._now())',
      ],
    ],
    scenario: 'executed-but-503',
    found: 'asked_again_after_unknown_answer',
  },
  {
    ...typescript,
    bug: 'what is not over within a minute is asked for again under another reference',
    changes: [
      [
        'for (const payment of this.#book.due(this.#clock.now())) await this.#ask(payment)',
        `for (const { purpose, way, amount, details, reference, askedAt } of this.#book.inState('pending'))
        if (!rails[way].incoming && reference.endsWith('-1') && this.#book.tries(purpose).length === 1 && this.#clock.now() - (askedAt ?? 0) > MINUTE_MS)
          this.#book.addPayment(purpose, way, amount, details, this.#clock.now())
      for (const payment of this.#book.due(this.#clock.now())) await this.#ask(payment)`,
      ],
    ],
    scenario: 'stuck-pending',
    found: 'asked_again_under_way',
  },
  {
    ...typescript,
    bug: 'a callback says how a payment ended',
    changes: [
      [
        "if (!payment || (await this.#look(payment)) !== 'unknown') this.#book.lookedInto(id)",
        `if (payment?.state === 'pending' && body.includes('SUCCESS')) this.#book.change(reference, { state: 'paid' })
        this.#book.lookedInto(id)`,
      ],
      ['for (const { id, reference } of', 'for (const { id, reference, body } of'],
      ['for (const payment of this.#book.watched(this.#clock.now() - WATCHED_FOR_MS)) await this.#look(payment)', ''],
    ],
    scenario: 'callback-forged',
    found: 'believed_paid',
  },
  {
    merchant: 'typescript',
    file: 'src/books.ts',
    bug: 'books are kept in cents',
    changes: [['amount: payment.amount / 100,', 'amount: payment.amount,']],
    scenario: 'default',
    found: 'wrong_amount',
  },
]

/** The merchant file of a copy with a bug in it. */
export function planted({ merchant, file, changes }: Pick<PlantedBug, 'merchant' | 'file' | 'changes'>): string {
  const copy = folder()
  cpSync(join(import.meta.dirname, '../../merchants', merchant), copy, { recursive: true })
  let text = readFileSync(join(copy, file), 'utf8')
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`${file} does not have exactly once: ${from}`)
    text = text.replace(from, () => to)
  }
  writeFileSync(join(copy, file), text)
  return join(copy, 'merchant.yaml')
}
