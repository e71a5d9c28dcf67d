import { expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/core/model/journal.ts'
import { Store } from '../../../src/core/store/store.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'

const entry: JournalEntry = {
  ...{ requestId: 'req_1', operation: 'getToken', method: 'POST', path: '/', organisationId: null, requestHeaders: {} },
  ...{ requestBody: null, status: 200, responseBody: null, rule: null, notes: null, paymentSeq: null },
  ...{ seq: 0, atUs: 0 },
}

it('reads a stretch from either end, by number or by instant', () => {
  const { journal } = new Store(openSqlite(':memory:'))
  // Two at each instant, and the first half cleared.
  for (let seq = 21; seq <= 40; seq++) journal.insert({ ...entry, seq, atUs: Math.floor(seq / 2) })
  const numbers = (options: Partial<Parameters<typeof journal.page>[0]>) =>
    journal.page({ limit: 3, ...options }).map(({ seq }) => seq)
  expect(numbers({ newestFirst: true, after: 37 })).toEqual([40, 39, 38])
  expect(numbers({ before: 24 })).toEqual([21, 22, 23])
  expect(numbers({ limit: 2, newestFirst: true, after: 30, before: 35 })).toEqual([34, 33])
  expect(numbers({ sinceUs: 0 })).toEqual([21, 22, 23])
  expect(numbers({ sinceUs: 12, untilUs: 12 })).toEqual([24, 25])
  expect(numbers({ newestFirst: true, untilUs: 12 })).toEqual([25, 24, 23])
  expect(numbers({ sinceUs: 21 })).toEqual([])
  expect(numbers({ untilUs: 9 })).toEqual([])
})

it('cuts bodies where the storage has no room for them', () => {
  const { journal } = new Store({ ...openSqlite(':memory:'), valueMaxBytes: 16_000 })
  const kept = (requestBody: string, responseBody: string) => {
    const seq = (journal.page({ limit: 1, newestFirst: true })[0]?.seq ?? 0) + 1
    journal.insert({ ...entry, seq, requestBody, responseBody })
    return [journal.bySeq(seq)?.requestBody, journal.bySeq(seq)?.responseBody]
  }
  expect(kept('a'.repeat(15_000), 'b')).toEqual(['a'.repeat(15_000), 'b'])
  expect(kept('ü'.repeat(8_000), 'b')).toEqual([
    `${'ü'.repeat(1_000)} … (cut here: the storage keeps no more of it)`,
    'b',
  ])
})
