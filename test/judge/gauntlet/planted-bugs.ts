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

const plain = { merchant: 'plain', file: 'payroll.py' } as const
const python = { merchant: 'python', file: 'chama/payments.py' } as const
const typescript = { merchant: 'typescript', file: 'src/payments.ts' } as const

export const plantedBugs: readonly PlantedBug[] = [
  {
    ...plain,
    bug: 'an accepted payout is a paid one',
    changes: [
      ['line.update(state="PENDING", requestId', 'line.update(state="SUCCESS", requestId'],
      ['elif line["state"] != "REFUSED":', 'elif line["state"] == "PENDING":'],
    ],
    scenario: 'late-reversal',
    found: 'taken_back',
  },
  {
    ...plain,
    bug: 'what the service stumbles over was not done',
    changes: [
      ['elif answer[0] < 500 and look(line) != "found":', 'else:'],
      ['elif line["state"] != "REFUSED":', 'elif line["state"] == "PENDING":'],
    ],
    scenario: 'executed-but-503',
    found: 'stale',
  },
  {
    ...plain,
    bug: 'what cannot be found at once is asked for again, under another name',
    changes: [
      [
        'elif answer[0] < 500 and look(line) != "found":',
        'else:\n        again(line)\n    if line["state"] == "never":',
      ],
      [
        'def look(line):',
        'def again(line):\n    if line["reference"].endswith("-1"):\n        line["reference"] += "b"\n\n\ndef look(line):',
      ],
    ],
    scenario: 'executed-but-503',
    found: 'paid_twice',
  },
  {
    ...plain,
    bug: 'a payout that ended is never looked at again',
    changes: [['elif line["state"] != "REFUSED":', 'elif line["state"] == "PENDING":']],
    scenario: 'failed-then-paid',
    found: 'stale',
  },
  {
    ...python,
    bug: 'a success lasts',
    changes: [
      ['WATCHED_FOR = 4 * DAY', 'WATCHED_FOR = MINUTE'],
      ['for id, reference in self._book.heard():', 'for id, reference in []:'],
    ],
    scenario: 'late-reversal',
    found: 'taken_back',
  },
  {
    ...python,
    bug: 'a server error says that nothing was done',
    changes: [
      [
        'if 400 <= answer.status < 500:',
        'if answer.status >= 500:\n            self._book.change(reference, state="failed")\n        elif answer.status >= 400:',
      ],
      ['if asked is not None and asked.request_id is None:', 'if asked is not None and asked.state == "asked":'],
      [
        'if self._look_into(reference):',
        'if self._book.known(reference).state == "failed" or self._look_into(reference):',
      ],
    ],
    scenario: 'executed-but-503',
    found: 'stale',
  },
  {
    ...python,
    bug: 'an accepted payout is a paid one',
    changes: [
      [
        'self._book.change(reference, state="pending", request_id=request_id)',
        'self._book.change(reference, state="paid", request_id=request_id)',
      ],
      ['for payment in self._book.watched(self._now() - WATCHED_FOR):', 'for payment in []:'],
      ['for id, reference in self._book.heard():', 'for id, reference in []:'],
    ],
    scenario: 'stuck-pending',
    found: 'believed_paid',
  },
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
    bug: 'after a server error the same is asked for under another reference',
    changes: [
      [
        'if (status >= 500) this.#noteUnknown(',
        `if (status >= 500 && reference.endsWith('-1'))
      this.#book.addPayment(payment.purpose, way, payment.amount, payment.details, now)
    if (status >= 500) this.#noteUnknown(`,
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
    bug: 'a server error says that nothing was done',
    changes: [
      [
        'if (status >= 500) this.#noteUnknown(',
        `if (status >= 500) this.#book.change(reference, { state: 'failed' })
    else if (status >= 600) this.#noteUnknown(`,
      ],
      ['if (asked && asked.requestId === null)', "if (asked?.state === 'asked')"],
      ['if (!payment || (await', "if (!payment || payment.state === 'failed' || (await"],
    ],
    scenario: 'executed-but-503',
    found: 'stale',
  },
  {
    ...typescript,
    bug: 'a success lasts',
    changes: [
      ['const WATCHED_FOR_MS = 4 * DAY_MS', 'const WATCHED_FOR_MS = MINUTE_MS + 0 * DAY_MS'],
      [
        'if (!payment || (await this.#look(payment))',
        "if (!payment || payment.state === 'paid' || (await this.#look(payment))",
      ],
    ],
    scenario: 'late-reversal',
    found: 'taken_back',
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
