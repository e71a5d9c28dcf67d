/** Books against the ledger, as somebody asks for it: over HTTP and on the command line. */
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { answer, folder } from '../../apps/cli/support.ts'
import { bodies, payoutTo } from '../../support/bodies.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'
import { ask, codesOf, fatedWorld, type Line, trueBooks } from './fates.ts'

const bench = useBench()
const reconcile = (world: TestWorld, body: unknown) => world.control('POST', '/reconcile', body)

/** A world where each answer of a kind of fault meets the first payout. */
async function spoilt(then: object, on = 'send-money'): Promise<TestWorld> {
  return bench.world({
    scenario: {
      name: 'spoilt',
      description: 'The first payment meets something.',
      extends: 'default',
      rules: [{ name: 'spoilt', on, nth: 1, then }],
    },
  })
}

/** A world in which a till was paid under a reference, and who asked knows its end. */
async function paidTill(...asked: [reference: string, phone?: string]) {
  const world = await fatedWorld(bench)
  const uuid = await ask(world, 'till', 'paid', ...asked)
  await world.advance('1m')
  return { world, uuid }
}

const salary = (reference?: string) =>
  payoutTo(bench.receiver.url(), { amount: 1000, ...(reference && { referenceId: reference }) })

describe('a finding', () => {
  it('has a code, a sentence, the payment, and the way to explain it', async () => {
    const { uuid, world } = await paidTill('rent-1')
    const books = [{ reference: 'rent-1', kind: 'till', amount: 100, currency: 'KSH', status: 'PENDING' }]
    const { findings, compared, unmatched } = await reconcile(world, books)
    expect(findings).toEqual([
      {
        code: 'stale',
        amount: 100,
        currency: 'KES',
        level: 'error',
        reference: 'rent-1',
        requestId: uuid,
        kind: 'till',
        line: 1,
        text: 'The till of KES 100.00 to 000001 (rent-1) is SUCCESS since 24 Jan 2025, 16:28:02 UTC. The books say PENDING.',
        todo: 'Handle its callback, or poll open payments until they end.',
        explain: {
          operation: 'payment.explain',
          with: { id: uuid },
          command: `mfano explain ${uuid} --url ${bench.simulator.baseUrl} --world ${world.id}`,
          url: `${world.baseUrl}/_mfano/payments/${uuid}/explain?format=text`,
        },
      },
    ])
    expect(compared).toEqual({ lines: 1, payments: 1, matched: 1 })
    expect(unmatched).toEqual({ lines: [], payments: [] })
    const story = await fetch(findings[0].explain.url)
    expect(await story.text()).toContain('Stopped:')
  })
})

describe('paying again', () => {
  it('is found when nobody knew what had become of the first', async () => {
    const world = await spoilt({ after: '2s', end: 'SUCCESS', answer: { status: 503, code: 'SERVICE_UNAVAILABLE' } })
    expect((await world.post('/api/sandbox/v1/send-money', salary('may-1'))).status).toBe(503)
    const again = await world.post('/api/sandbox/v1/send-money', salary('may-2'))
    await world.advance('1m')
    const books = [{ reference: 'may-2', requestId: again.body.data.requestId, status: 'SUCCESS', amount: 1000 }]
    expect(await codesOf(world, books)).toEqual(['paid_twice', 'asked_again_after_unknown_answer'])
  })

  it('is no finding when both were meant, and both are in the books', async () => {
    const world = await spoilt({ after: '2s', end: 'SUCCESS', answer: { status: 503, code: 'SERVICE_UNAVAILABLE' } })
    await world.post('/api/sandbox/v1/send-money', salary('may'))
    await world.post('/api/sandbox/v1/send-money', salary('june'))
    await world.advance('1m')
    const books = ['may', 'june'].map((reference) => ({ reference, amount: 1000, status: 'SUCCESS' }))
    const { findings, warnings, asked } = await reconcile(world, books)
    expect(findings).toEqual([])
    expect(warnings).toMatchObject([
      { code: 'asked_again_after_unknown_answer', text: expect.stringMatching(/If you meant both, nothing is wrong/) },
    ])
    expect(asked).toEqual([{ kind: 'send-money', party: '254712345678', amount: 1000, currency: 'KES', times: 2 }])
    expect(await reconcile(world, { books, asked })).toMatchObject({ findings: [], warnings: [] })
  })

  it.each([
    ['asked_again_after_unknown_answer', { answer: { status: 503, code: 'SERVICE_UNAVAILABLE' } }, '0s'],
    ['asked_again_under_way', {}, '0s'],
    ['paid_twice', {}, '1m'],
  ])('is found where the same was asked for once in an ordinary run: %s', async (code, then, pause) => {
    const ordinary = await fatedWorld(bench)
    await ordinary.post('/api/sandbox/v1/send-money', salary('may'))
    const { asked } = await reconcile(ordinary, [])
    const world = await spoilt({ after: '2s', end: 'SUCCESS', ...then })
    await world.post('/api/sandbox/v1/send-money', salary('may'))
    await world.advance(pause)
    await world.post('/api/sandbox/v1/send-money', salary('may-b'))
    await world.advance('1m')
    const books = ['may', 'may-b'].map((reference) => ({ reference, amount: 1000, status: 'SUCCESS' }))
    expect(await codesOf(world, { books, asked })).toEqual([code])
    expect(await codesOf(world, { asked })).toEqual([code])
    expect(await codesOf(world, books)).toEqual([])
  })

  it('is right once the first has failed', async () => {
    const ordinary = await fatedWorld(bench)
    await ordinary.post('/api/sandbox/v1/send-money', salary('may'))
    const { asked } = await reconcile(ordinary, [])
    const world = await spoilt({ after: '2s', end: 'FAILED', revise: { after: '3h', end: 'SUCCESS' } })
    await world.post('/api/sandbox/v1/send-money', salary('may'))
    await world.advance('1m')
    await world.post('/api/sandbox/v1/send-money', salary('may-b'))
    await world.advance('1d')
    const books = ['may', 'may-b'].map((reference) => ({ reference, amount: 1000, status: 'SUCCESS' }))
    expect(await reconcile(world, { books, asked })).toMatchObject({ findings: [] })
  })

  it('is advice where the first was seen to be paid, and both are in the books under one reference', async () => {
    const { world } = await paidTill('rent-7')
    await world.get('/api/sandbox/v1/till/all')
    await ask(world, 'till', 'paid', 'rent-7')
    await world.advance('1m')
    const books = await trueBooks(world)
    expect(await reconcile(world, books)).toMatchObject({ findings: [], warnings: [{ code: 'paid_twice' }] })
    // Who has only one of them in the books did not mean the other.
    expect(await codesOf(world, books.slice(1))).toEqual(['paid_twice'])
  })

  it('is found where nobody looked before asking again', async () => {
    const { world } = await paidTill('rent-7')
    await ask(world, 'till', 'paid', 'rent-7')
    await world.advance('1m')
    expect(await codesOf(world, await trueBooks(world))).toEqual(['paid_twice'])
  })

  it('is found while the first is under way', async () => {
    const world = await fatedWorld(bench)
    await ask(world, 'stk', 'paid', 'order-1')
    await ask(world, 'stk', 'paid', 'order-1')
    await world.advance('1m')
    const books = await trueBooks(world)
    expect(await codesOf(world, books)).toEqual(['charged_too_much', 'asked_again_under_way'])
    const refunded = books.map((line, i) => ({ ...line, refundDue: i === 0 ? 0 : 100 }))
    expect(await codesOf(world, refunded)).toEqual(['asked_again_under_way'])
  })
})

describe('what an app is not blamed for', () => {
  it('is a payment that the service executed twice, until it could know of it for a day', async () => {
    const world = await bench.world({ scenario: 'executed-twice', parameters: { every: 1 } })
    const answered = await world.post('/api/sandbox/v1/send-money', salary('may'))
    await world.advance('1m')
    const line: Line = { reference: 'may', requestId: answered.body.data.requestId, amount: 1000, status: 'SUCCESS' }
    const { findings, warnings } = await reconcile(world, [line])
    expect(findings).toEqual([])
    expect(warnings).toMatchObject([{ code: 'executed_twice', reference: 'may' }])
    // Whichever of the two the books name.
    const [, first] = (await world.control('GET', '/payments')).payments
    const [twin] = (await world.control('GET', '/payments')).payments
    expect(first.uuid).toBe(line.requestId)
    expect(await codesOf(world, [{ ...line, requestId: twin.uuid }])).toEqual([])
    await world.advance('24h')
    expect(await codesOf(world, [line])).toEqual(['executed_twice'])
    expect(await codesOf(world, [line, { ...line, requestId: twin.uuid }])).toEqual([])
  })

  it('is a session whose answer and callback were lost, because nothing else names it', async (context) => {
    needsProcess('sockets', context)
    const world = await spoilt(
      { after: '2s', pay: { after: '10s' }, end: 'SUCCEEDED', answer: 'lost', callback: { drop: true } },
      'checkout',
    )
    const session = { ...bodies.checkout(bench.receiver.url()), amount: 700, externalReference: 'order-1' }
    await expect(world.post('/api/sandbox/v1/checkout-sessions', session)).rejects.toThrow()
    await world.advance('1h')
    const [{ uuid, status }] = (await world.control('GET', '/payments')).payments
    expect(status).toBe('SUCCEEDED')
    for (const books of [
      [],
      [{ reference: 'order-1', status: 'PENDING' }],
      [{ reference: 'order-1', status: 'FAILED' }],
    ])
      expect(await codesOf(world, books)).toEqual([])
    // Once it has been shown, it is for the books.
    world.logout()
    expect((await world.get(`/api/sandbox/v1/checkout-sessions/${uuid}`)).status).toBe(200)
    expect(await codesOf(world, [])).toEqual(['paid_unknown'])
  })

  it('is an end that it is still to be told of', async () => {
    const world = await spoilt({ after: '2s', end: 'SUCCESS', callback: { delay: '1h' } })
    await world.post('/api/sandbox/v1/send-money', salary('may'))
    await world.advance('1m')
    const books = [{ reference: 'may', amount: 1000, status: 'PENDING' }]
    expect(await codesOf(world, books)).toEqual([])
    await world.advance('1h')
    expect(await codesOf(world, books)).toEqual(['stale'])
  })
})

describe('a line without a payment', () => {
  it('does no harm when it claims no money', async () => {
    const world = await bench.world({ scenario: 'insufficient-funds' })
    expect((await world.post('/api/sandbox/v1/send-money', { ...salary('may'), amount: 90_000 })).status).toBe(402)
    expect(await codesOf(world, [{ reference: 'may', amount: 90_000, status: 'FAILED' }])).toEqual([])
    const { findings } = await reconcile(world, [{ reference: 'may', amount: 90_000, status: 'PENDING' }])
    expect(findings).toMatchObject([{ code: 'never_made', text: expect.stringContaining('was answered 402') }])
  })

  it('is said when nothing can be compared with it', async () => {
    const world = await fatedWorld(bench)
    await ask(world, 'till', 'failed', 'rent-1')
    await world.advance('1m')
    const books = [...(await trueBooks(world)), { kind: 'till', amount: 5, status: 'SUCCESS' }]
    const { findings, warnings, unmatched } = await reconcile(world, books)
    expect(findings).toEqual([])
    expect(warnings).toMatchObject([{ code: 'unmatched_line', line: 2 }])
    expect(unmatched.lines).toEqual([2])
  })
})

describe('books', () => {
  it('are CSV as well as JSON', async () => {
    const world = await fatedWorld(bench)
    const uuid = await ask(world, 'send-money', 'paid', 'pay, 1')
    await world.advance('1m')
    const csv = `reference,requestId,kind,amount,currency,status\r\n"pay, 1",,SEND_MONEY,100.00,KSH,SUCCESS\r\n,${uuid.toUpperCase()},,,,\r\n`
    const sent = await world.raw('POST', '/_mfano/reconcile', { body: csv, headers: { 'content-type': 'text/csv' } })
    expect(sent.body).toMatchObject({ findings: [{ code: 'booked_twice' }], compared: { lines: 2, matched: 1 } })
  })

  it.each([
    ['reference,Amount,STATUS\nrent-1,1,FAILED\n'],
    ['\ufeffReference;AMOUNT;Status\r\nrent-1;1;FAILED\r\n'],
    ['sep=\t\nreference\tamount\tstatus\nrent-1\t1\tFAILED\n'],
    [[{ Reference: ' rent-1\u200b ', ' Amount': 1, STATUS: 'failed' }]],
  ])('are compared whatever the case of their fields and their separator: %j', async (books) => {
    const { world } = await paidTill('rent-1')
    expect(await codesOf(world, { books })).toEqual(['wrong_amount', 'stale'])
  })

  it.each([
    ['paid', 'PAID', 'done', 'Completed'],
    ['failed', 'rejected', 'ERROR', 'canceled'],
  ] as const)('may say that a payment is %s in the words of most apps', async (fate, ...words) => {
    const world = await fatedWorld(bench)
    await ask(world, 'till', fate, 'rent-1', '1')
    await world.advance('1m')
    for (const status of words) expect(await codesOf(world, [{ reference: 'rent-1', status }])).toEqual([])
    expect(await codesOf(world, [{ reference: 'rent-1', status: 'wonderful' }])).toEqual(['stale'])
  })

  it('may hold null where the app does not know an id yet', async () => {
    const world = await fatedWorld(bench)
    expect(await codesOf(world, [{ requestId: null, amount: 1, status: 'new' }])).toEqual([])
    // After an earlier comparison, it is known that they name payments.
    expect(await codesOf(world, { books: [{ amount: 1, status: 'new' }], asked: [] })).toEqual([])
  })

  it('that are wrong throughout hold nobody else up', async () => {
    const world = await fatedWorld(bench)
    const books = Array.from({ length: 1_000 }, (_, i) => ({ reference: `rent-${i}`, amount: 1 }))
    const turns = vi.spyOn(world.inside.host, 'defer')
    expect((await reconcile(world, books)).findings).toHaveLength(1_000)
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(18)
  })

  it('name the fields that nothing reads', async () => {
    const { world } = await paidTill('rent-1')
    const books = [{ reference: 'rent-1', employee: 'E1', constructor: 'Ferrari' }]
    expect(await reconcile(world, books)).toMatchObject({ findings: [], unreadFields: ['employee', 'constructor'] })
  })

  it('may write a reference with other blanks than the request did', async () => {
    const { world } = await paidTill(' rent  1 ')
    expect(await codesOf(world, [{ reference: 'rent 1', amount: 100, status: 'SUCCESS' }])).toEqual([])
  })

  it('with another kind than the payment are wrong about the kind alone', async () => {
    const { uuid, world } = await paidTill('rent-1')
    const line = { kind: 'paybill', amount: 100, status: 'SUCCESS' }
    for (const name of [{ reference: 'rent-1' }, { requestId: uuid }])
      expect(await codesOf(world, [{ ...line, ...name }])).toEqual(['wrong_kind'])
    // Where another line has the payment, the sentence does not say that nothing has the reference.
    const both = [
      { reference: 'rent-1', kind: 'till', status: 'SUCCESS' },
      { ...line, reference: 'rent-1' },
    ]
    const { findings } = await reconcile(world, both)
    expect(findings).toMatchObject([{ code: 'never_asked', text: expect.stringContaining('which another line has') }])
  })

  it('in another charset are read by it, and named by byte and line where none is told', async () => {
    const { world } = await paidTill('loyer café', '1')
    const books = Buffer.from('reference,amount\nrent-0,0\nloyer café,100\n', 'latin1')
    const send = async (body: Buffer<ArrayBuffer>, charset = '') => {
      const headers = { 'content-type': `text/csv${charset}` }
      return (await fetch(`${world.baseUrl}/_mfano/reconcile`, { method: 'POST', body, headers })).json()
    }
    const read = { findings: [], compared: { matched: 1 } }
    expect(await send(books, '; charset=iso-8859-1')).toMatchObject(read)
    const utf16 = Buffer.from('\ufeffreference,amount\nloyer café,100\n', 'utf16le')
    expect(await send(utf16)).toMatchObject(read)
    expect(await send(books)).toMatchObject({
      error: { details: expect.stringMatching(/^books: cannot be read as UTF-8\. /) },
    })
  })

  it.each([
    [
      { books: 'reference,ammount\na,1\n' },
      /^books: the header of the CSV: "ammount" is no field .* Did you mean amount\?/,
    ],
    [[{ reference: 'a', statut: 'FAILED' }], /^books line 1: "statut" is no field .* Did you mean status\?/],
    [[{ referenceId: 'A-1' }], /^books line 1: "referenceId" is no field .* Did you mean reference\?/],
    [[{ reference: 'a', amount: 1, Amount: 2 }], /^books line 1: has amount twice, the second time as "Amount"/],
    [[{ ref: 'a' }, {}], /^books: no line has a reference or a requestId.* line 1 has "ref"/],
    [{ books: 'nothing' }, /^books: the CSV needs a header with reference or requestId/],
    [{ books: { reference: 'a' } }, /^books: must be an array of lines/],
    [[{ reference: 'a', amount: '12,5' }], /^books line 1, amount: must be an amount .* got "12,5"/],
    [[{}, { kind: 'tills' }], /^books line 2, kind: must be one of .* got "tills"\. Did you mean "till"\?/],
    [[{ currency: 'USD' }], /^books line 1, currency: must be one of KSH, KES, TZS, UGX; got "USD"/],
    [[7], /^books line 1: must be an object/],
  ])('are refused when they cannot be read: %j', async (body, details) => {
    const world = await fatedWorld(bench)
    const refused = await world.raw('POST', '/_mfano/reconcile', { body })
    expect(refused).toMatchObject({ status: 400, body: { error: { details: expect.stringMatching(details) } } })
  })
})

describe('habits', () => {
  it('are told without any books, and do not count', async () => {
    const world = await fatedWorld(bench)
    bench.receiver.answer = 503
    for (let i = 0; i < 6; i++) {
      world.logout()
      await world.post('/api/sandbox/v1/send-money', { ...salary(`may-${i}`), amount: 100 + i })
    }
    await world.get('/api/sandbox/v1/paybill/all?apiSecret=hidden')
    for (let i = 0; i < 30; i++) await world.get('/api/sandbox/v1/till/all')
    await world.advance('3d')
    const { findings, warnings } = await reconcile(world, undefined)
    expect(findings).toEqual([])
    const codes = warnings.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(['callback_unacknowledged', 'callback_server_error', 'secret_misplaced', 'polled_too_fast'])
    expect(JSON.stringify(warnings)).not.toContain('hidden')
  })
})

describe('mfano reconcile', () => {
  const at = (world: TestWorld) => ['--url', bench.simulator.baseUrl, '--world', world.id]

  it('ends with 0, 1 or 2, and prints one document with --json', async () => {
    const { world } = await paidTill('rent-1')
    const files = folder({
      'right.json': JSON.stringify(await trueBooks(world)),
      'wrong.csv': 'reference,status\nrent-1,FAILED\n',
      'broken.json': '[{',
      'latin.csv': Buffer.from('reference\ncafé\n', 'latin1'),
      'deep.json': '['.repeat(200_000),
      'other.json': '[{"referenceId":"rent-1"}]',
    })
    const run = (file: string, ...more: string[]) =>
      answer(['reconcile', '--books', join(files, file), ...at(world), ...more])
    expect(await run('right.json')).toMatchObject({ code: 0, out: expect.stringMatching(/^No findings\. 1 line/) })
    const wrong = await run('wrong.csv', '--json')
    expect(wrong).toMatchObject({ code: 1, errors: '' })
    expect(JSON.parse(wrong.out).findings).toMatchObject([{ code: 'stale', reference: 'rent-1' }])
    for (const [file, said] of Object.entries({
      'broken.json': 'a JSON array',
      'latin.csv': 'cannot be read as UTF-8',
      'deep.json': 'levels of nesting',
      'other.json': 'Did you mean reference?',
      'nowhere.json': 'cannot be read',
    }))
      expect(await run(file)).toMatchObject({ code: 2, errors: expect.stringContaining(said) })
    expect((await run('right.json', '--url', 'http://127.0.0.1:9')).code).toBe(2)
    expect(await run('right.json', '--world', 'nobody')).toMatchObject({ code: 2 })
  })

  it('reads the books at an address, and counts advice where that is wanted', async () => {
    const world = await fatedWorld(bench)
    for (let i = 0; i < 30; i++) await world.get('/api/sandbox/v1/till/all')
    const typed = ['reconcile', '--books', `${world.baseUrl}/_mfano/inbox/books`, ...at(world)]
    expect(await answer(typed)).toMatchObject({ code: 2, errors: expect.stringContaining('books: must be an array') })
    const all = ['reconcile', ...at(world)]
    expect(await answer(all)).toMatchObject({ code: 0, out: expect.stringContaining('polled_too_fast') })
    expect(await answer([...all, '--fail-on', 'warning'])).toMatchObject({ code: 1 })
  })
})

it('finds without books what was asked again without a reference, more often than on the ordinary day', async () => {
  const ordinary = await bench.world()
  const lost = await spoilt({ after: '2s', end: 'SUCCESS', answer: { status: 503 } })
  const pay = async (world: TestWorld) => (await world.post('/api/sandbox/v1/send-money', salary())).status
  expect([await pay(ordinary), await pay(lost), await pay(lost)]).toEqual([201, 503, 201])
  for (const world of [ordinary, lost]) await world.advance('1m')
  const { asked } = await reconcile(ordinary, {})
  const { findings } = await reconcile(lost, { asked })
  expect(findings).toMatchObject([{ code: 'asked_again_after_unknown_answer', amount: 1000 }])
})
