/** Lists as CSV: read back by another reader, whatever stands in them. */
import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, it } from 'vitest'
import { csvText } from '../../../src/server/control/route.ts'
import { answer } from '../../apps/cli/support.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

const read = (text: string) => Papa.parse<string[]>(text.replace(/\r\n$/, ''), { newline: '\r\n' }).data
const readRows = (text: string) => Papa.parse<Record<string, string>>(text.trimEnd(), { header: true }).data

it('is read back as it was written, and no cell is a formula', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.stringMatching(/^[=+\-@\t\r,;"\n' a-z0-9]{0,12}$/),
    fc.integer(),
    fc.constant(null),
  )
  const tables = fc.integer({ min: 1, max: 5 }).chain((width) =>
    fc.record({
      columns: fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: width, maxLength: width }),
      rows: fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(tables, async ({ columns, rows }) => {
      const [head, ...body] = read(await csvText(columns, rows))
      expect(head).toEqual(columns)
      expect(body).toHaveLength(rows.length)
      for (const [i, row] of rows.entries())
        for (const [j, value] of row.entries()) {
          const seen = body[i]?.[j] ?? ''
          const text = String(value ?? '')
          expect([text, `'${text}`]).toContain(seen)
          if (typeof value === 'string' && /^[=@\t\r]|^[+-](?!\d+(\.\d+)?$)/.test(value)) expect(seen).toBe(`'${text}`)
        }
    }),
  )
})

it('leaves phone numbers and negative amounts as they are', async () => {
  expect(await csvText(['phone', 'amount'], [['+254712345678', -5]])).toBe('phone,amount\r\n+254712345678,-5\r\n')
})

it('lists payments by their filter, page by page, under columns that never change', async () => {
  const world = await bench.world()
  const csv = (query: string, headers = {}) => world.raw('GET', `/_mfano/payments${query}`, { headers })
  const header = 'uuid,kind,id,status,amount,currency,organisationId,referenceId,party.type,party.id,party.bank,'
  expect((await csv('?format=csv')).text.slice(0, header.length)).toBe(header)
  for (const amount of [100, 101, 102])
    await bench.pay(world, { amount, referenceId: `=HYPERLINK("http://example.com","${amount}")` })
  await world.advance('10s')
  const page = await csv('?kind=send-money&limit=2', { accept: 'text/csv' })
  expect(page.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(readRows(page.text)).toMatchObject([{ amount: '102' }, { amount: '101' }])
  expect(readRows(page.text)[0]).toMatchObject({
    kind: 'send-money',
    status: 'SUCCESS',
    'party.id': '254712345678',
    'reason.code': '',
    referenceId: `'=HYPERLINK("http://example.com","102")`,
  })
  const [, next] = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? []
  expect(readRows((await csv(next as string)).text)).toMatchObject([{ amount: '100' }])
  expect((await csv('?format=xml')).status).toBe(400)
})

it('has a column for every field of a row', async () => {
  const world = await bench.world()
  await bench.pay(world, { callbackUrl: `${world.baseUrl}/_mfano/inbox/box` })
  await world.control('POST', '/runs', { name: 'one' })
  await world.control('POST', '/snapshots', { name: 'saved' })
  await world.advance('10s')
  const usual = ['payments', 'callbacks', 'requests', 'wallets', 'organisations', 'snapshots', 'runs', 'floats']
  const others = { ledger: 'entries', inbox: 'inboxes', 'inbox/box/messages': 'messages', 'scenario/hits': 'hits' }
  for (const [path, rows = path] of [...usual.map((one) => [one]), ...Object.entries(others)] as [string, string?][]) {
    const body = await world.control('GET', `/${path}`)
    const [header, ...lines] = read((await world.raw('GET', `/_mfano/${path}?format=csv`)).text)
    const columns = header?.map((column) => column.split('.')[0])
    expect(columns, path).toEqual(expect.arrayContaining(Object.keys(body[rows][0] ?? {})))
    if (path !== 'scenario/hits') expect(lines.length, path).toBe(body[rows].length)
  }
})

it('is what --csv prints: everything, unless a limit is given', async () => {
  const world = await bench.world()
  for (const referenceId of ['a', 'b', 'c']) await bench.pay(world, { referenceId })
  const printed = async (...typed: string[]) => {
    const { code, out, errors } = await answer([...typed, '--csv', '--url', world.baseUrl])
    expect(errors).toBe('')
    expect(code).toBe(0)
    return readRows(out)
  }
  expect(await printed('payment', 'list', '--limit', '1')).toMatchObject([{ referenceId: 'c' }])
  expect(await printed('payment', 'list', '--reference', 'a')).toHaveLength(1)
  expect(await printed('payment', 'list')).toHaveLength(3)
  expect((await printed('scenario', 'hits'))[0]).toMatchObject({ what: 'rule', hits: '3' })
  expect((await printed('world', 'list')).map(({ id }) => id)).toContain(world.id)
  expect(await printed('wallet')).not.toEqual([])
})
