import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Hits } from '../../../src/inspect/rule-hits.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { answer, asking, folder, words } from './support.ts'

// The commands that ask a running server, each as somebody types it.

const bench = useBench()
const { at, said, json } = asking(bench)

/** A payout that fails; its callback is refused at first. */
async function failedPayout(world: TestWorld): Promise<string> {
  const order = { phoneNumber: '254712000404', amount: 1250.5, referenceId: 'salary-1' }
  const uuid = await bench.pay(world, { ...order, callbackUrl: bench.receiver.url('/done') })
  bench.receiver.answer = 503
  await world.advance('5s')
  return uuid
}

describe('clock', () => {
  it('shows, sets and moves time', async () => {
    const world = await bench.world()
    await said(world, 'payment collect stk 254712345678 500')
    expect(await said(world, 'clock')).toBe(
      '24 Jan 2025, 16:28:00 UTC  Frozen. Advance it with: mfano clock advance 5m\nNext event: 24 Jan 2025, 16:28:05 UTC\n',
    )
    expect(await said(world, 'clock advance 1h30m')).toBe(
      '24 Jan 2025, 17:58:00 UTC  1 step, 0 callbacks delivered; the target is reached\n',
    )
    expect(await said(world, 'clock advance 2025-01-25T00:00:00')).toMatch(/^25 Jan 2025, 00:00:00 UTC {2}0 steps/)
    expect(await json(world, 'clock set scaled --rate 60')).toMatchObject({ mode: 'scaled', rate: 60 })
  })
})

describe('payment', () => {
  it('lists what there is, and says what to do when there is nothing', async () => {
    const world = await bench.world()
    expect(await said(world, 'payment list')).toBe(
      `No payments yet. Send one from your app, or simulate one: mfano payment collect stk 254712345678 150 --url ${bench.simulator.baseUrl} --world ${world.id}\n`,
    )
    const uuid = await failedPayout(world)
    const [titles, row, ...others] = (await said(world, 'payment list')).split('\n')
    expect(titles).toMatch(/^UUID +KIND +STATUS +AMOUNT +REFERENCE +RULE +REASON +CREATED$/)
    expect(row).toMatch(`${uuid}  send-money  FAILED  KES 1,250.50  salary-1   `)
    expect(row).toMatch(/the phone number is not registered {2}The rail .* {2}24 Jan 2025, 16:28:00 UTC$/)
    expect(others).toEqual([''])
    expect(await said(world, 'payment list --status SUCCESS')).toBe('No payments match. Remove a filter.\n')
    expect(await json(world, 'payment list --reference salary-1')).toMatchObject({ total: 1, payments: [{ uuid }] })
  })

  it('fits the terminal, and never cuts what is there to be copied', async () => {
    const world = await bench.world()
    const uuid = await failedPayout(world)
    for (const width of [200, 120, 100, 80]) {
      const lines = (await said(world, 'payment list', width)).trimEnd().split('\n')
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(lines[1]).toContain(uuid)
    }
  })

  it('says how many more there are', async () => {
    const world = await bench.world()
    for (const amount of [1, 2, 3]) await said(world, `payment collect bank ${amount}`)
    expect(await said(world, 'payment list --limit 2')).toMatch(/\n2 of 3\. Show more: --limit 3\n$/)
  })

  it('shows one in full, and makes it end', async () => {
    const world = await bench.world()
    const { uuid } = await json(world, 'payment collect stk 254711000999 500 --reference order-7 --description Shoes')
    const shown = await said(world, `payment resolve order-7 failed --with '{"responseDescription":"Cancelled"}'`)
    expect(shown).toContain(`uuid       ${uuid}\n`)
    expect(shown).toMatch(/\nTimeline\nAT .*\n.* open +PENDING +operator\n.* FAILED +operator\n/)
    expect(shown).toMatch(/\nMoney\nMOVEMENT +FROM +TO +AMOUNT +STATE +SETTLED\nstk .* 500\.00 +voided/)
    expect((await json(world, `payment show ${uuid}`)).record.responseDescription).toBe('Cancelled')
  })

  it.for<[typed: string, says: RegExp]>([
    ['payment collect ztk 254712345678 1', /WAY: expected stk, tz or bank, got "ztk"\. Did you mean "stk"\?/],
    ['payment collect stk 500', /Expected PHONE and AMOUNT after stk\./],
    ['payment collect bank 254712345678 500', /Expected only AMOUNT after bank\./],
    ['payment collect bank 500 --callback http://x', /--callback: is not known here; known: /],
    ['payment collect bank many', /AMOUNT: expected an amount greater than 0 such as 1500 or 99\.50, got "many"\./],
    ['payment list --outcome lost', /--outcome: expected succeeded, failed or open, got "lost"/],
    ['payment resolve x FAILED --with {', /--with: expected json, got "\{"/],
    ['wallet fund 0', /AMOUNT: must be greater than 0, got 0/],
    ['world create --assumptions flat', /--assumptions: .*drawn/],
    [
      'world create --start soon',
      /--start: expected a time from 1970 to 2254, such as 2025-01-24T16:28:00, got "soon"\./,
    ],
    ['clock settle --within soon', /--within: must be a duration such as 90s, 5m, 1h30m or 2d, got "soon"/],
    ['clock advance 5m --until payment.stats', /Did you mean "status"\?/],
    ['wait nothing', /SUBJECT: expected .*payment.*, got "nothing"\./],
    ['verify request --exactly often', /--exactly: expected a whole number from 0, got "often"\./],
    ['wait payment --count 0', /--count: must be at least 1, got 0/],
    ['world create Shop', /ID: must be 1 to 63 lower-case letters/],
    ['world create --scenario flaky-rial', /There is no scenario "flaky-rial"\. Did you mean "flaky-rail"\?/],
  ])('mfano %s is not understood', async ([typed, says]) => {
    const ran = await answer([...words(typed), '--url', bench.simulator.baseUrl])
    expect(ran).toMatchObject({ code: 2, out: '' })
    expect(ran.errors).toMatch(says)
  })
})

describe('explain', () => {
  it('tells what became of a payment, by whatever names it', async () => {
    const world = await bench.world()
    const uuid = await failedPayout(world)
    const told = await said(world, 'explain salary-1')
    expect(told).toContain(`send-money ${uuid}, KES 1,250.50: FAILED\n`)
    expect(told).toContain('the phone number is not registered')
    expect(await json(world, `explain ${uuid}`)).toMatchObject({ payment: { uuid }, stopped: {} })
  })

  it('says no to what nothing is called', async () => {
    const ran = await answer(['explain', 'salary-9', '--url', bench.simulator.baseUrl, '--json'])
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.out)).toMatchObject({ error: { code: expect.stringContaining('NOT_FOUND') } })
  })
})

describe('callback', () => {
  it('lists them, shows every attempt, and sends again', async () => {
    const world = await bench.world()
    expect(await said(world, 'callback list')).toMatch(/^No callbacks yet\. /)
    await failedPayout(world)
    expect(await said(world, 'callback list')).toMatch(
      /\n 1 +send-money +\S+ +\S+\/done +pending +1 +24 Jan 2025, 16:28:02 UTC +24 Jan 2025, 16:28:12 UTC\n1 pending\n$/,
    )
    bench.receiver.answer = 200
    expect(await said(world, 'callback redeliver 1')).toContain(
      'Sending now. See the result: mfano callback show 1 --url',
    )
    await said(world, 'clock advance 1s')
    const shown = await said(world, 'callback show 1')
    expect(shown).toMatch(/\nstate +delivered\n/)
    expect(shown).toMatch(/\nBody\n {2}\{\n {4}"requestId": /)
    expect(shown).toMatch(/\nAttempts\n#.*\n1 .* 503 .*\n2 .* 200 .*\n$/)
    expect(await json(world, 'callback list --state failed')).toMatchObject({ callbacks: [] })
  })
})

describe('inbox', () => {
  it('shows what came, and empties', async () => {
    const world = await bench.world()
    expect(await said(world, 'inbox list')).toContain('/_mfano/inbox/hello\n')
    await said(world, `payment collect stk 254712345678 500 --callback ${world.baseUrl}/_mfano/inbox/hello`)
    expect(await said(world, 'inbox show hello')).toBe('inbox    hello\nanswers  200\n')
    await said(world, 'clock advance 5s')
    expect(await said(world, 'inbox list')).toBe('INBOX  MESSAGES\nhello         1\n')
    expect(await said(world, 'inbox show hello')).toMatch(
      /\nMessages\nMESSAGE .*\n +1 +24 Jan 2025, 16:28:05 UTC .*"requestId"/,
    )
    await said(world, 'inbox clear hello')
    expect(await json(world, 'inbox show hello')).toMatchObject({ messages: [] })
  })

  it('answers as it is told', async () => {
    const world = await bench.world()
    expect(await said(world, 'inbox answer hello 503,200 --delay 10ms')).toBe(
      'Inbox hello answers 503, 200, each after 10ms.\n',
    )
    await said(world, `payment collect stk 254712345678 500 --callback ${world.baseUrl}/_mfano/inbox/hello`)
    await said(world, 'clock advance 1m')
    expect(await said(world, 'inbox show hello')).toMatch(
      /\n +1 +24 Jan 2025, 16:28:05 UTC +503 .*\n +2 +24 Jan 2025, 16:28:15 UTC +200 /,
    )
  })
})

describe('requests', () => {
  it('lists what came, shows one, and forgets', async () => {
    const world = await bench.world()
    expect(await said(world, 'requests list')).toMatch(/^No requests yet\. /)
    await failedPayout(world)
    const list = await said(world, 'requests list')
    expect(list).toMatch(/\nreq_\S+ +24 Jan 2025, 16:28:00 UTC +POST +\/api\/sandbox\/v1\/send-money +201/)
    const [{ requestId }] = (await json(world, 'requests list --method POST --limit 1')).requests
    expect(await said(world, `requests show ${requestId}`)).toMatch(
      /\nRequest\n {2}\{\n {4}"phoneNumber": "254712000404"/,
    )
    expect(await answer(['requests', 'show', 'req_none', ...at(world)])).toMatchObject({ code: 1, out: '' })
    expect((await json(world, `requests list --where 'request.status == 201' --method POST`)).requests).toHaveLength(1)
    expect((await json(world, 'requests list --unread')).requests).toEqual([])
    await said(world, 'requests clear')
    expect(await json(world, 'requests list')).toMatchObject({ requests: [] })
  })
})

describe('wallet', () => {
  it('lists balances, and funds', async () => {
    const world = await bench.world()
    expect(await said(world, 'wallet list')).toMatch(
      /\n\S+ +KES 1,000,000\.00 +KES 0\.00 +KES 0\.00 +KES 1,000,000\.00\n/,
    )
    expect(await json(world, 'wallet fund 2,500.50 --currency KSH')).toMatchObject({
      currency: 'KES',
      available: 1_002_500.5,
    })
  })
})

describe('world', () => {
  it('makes, lists, empties and removes', async () => {
    const { baseUrl } = bench.simulator
    const run = (typed: string) => answer([...words(typed), '--url', baseUrl])
    const made = await run('world create shop --clock frozen --start 2025-02-01 --seed 7 --scenario late-reversal')
    expect(made.out).toContain(`base URL   ${baseUrl}/w/shop\napiKey     mfano-key\n`)
    expect((await run('world list')).out).toMatch(
      /\nshop +http\S+ +late-reversal +7 +frozen +1 Feb 2025, 00:00:00 UTC +0\n/,
    )
    expect((await run('world reset --world shop')).out).toBe(
      'World shop is empty. Its clock shows 1 Feb 2025, 00:00:00 UTC.\n',
    )
    expect((await run('world delete shop')).out).toBe('World shop is deleted.\n')
    expect(await run('world delete shop')).toMatchObject({ code: 1, out: '' })
  })

  it('exports what a shell needs to pay in it', async () => {
    const { baseUrl } = bench.simulator
    const { out } = await answer(['world', 'create', 'exported', '--clock', 'frozen', '--export', '--url', baseUrl])
    const exported = Object.fromEntries(
      Array.from(out.matchAll(/^export (\w+)=(\S+)$/gm), ([, name, value]) => [name, value]),
    )
    expect(exported).toEqual({
      MFANO_URL: `${baseUrl}/w/exported`,
      PAYMENTS_BASE_URL: `${baseUrl}/w/exported`,
      PAYMENTS_KEY: 'mfano-key',
      PAYMENTS_SECRET: 'mfano-secret',
      PAYMENTS_COMPANY: '00000000-0000-4000-8000-000000000001',
      TOKEN: expect.stringMatching(/^eyJ/),
    })
    const headers = { authorization: `Bearer ${exported['TOKEN']}` }
    expect((await fetch(`${exported['PAYMENTS_BASE_URL']}/api/sandbox/v1/stk/all`, { headers })).status).toBe(200)
  })

  it('exports no token where the scenario refuses one, and says why', async () => {
    const { baseUrl } = bench.simulator
    const ran = await answer(['world', 'create', 'down', '--scenario', 'login-down', '--export', '--url', baseUrl])
    expect(ran).toMatchObject({ code: 0, errors: expect.stringMatching(/No token: .*get-token was refused with 503/) })
    expect(ran.out).toMatch(/^(export \w+=\S+\n){5}unset TOKEN\n$/)
  })

  it('begins with a file of ours, and with all that it extends', async () => {
    const directory = folder({ 'base.yaml': rules('base', '', 'late'), 'mine.yaml': '' })
    writeFileSync(join(directory, 'mine.yaml'), rules('mine', 'extends: ./base.yaml\n', 'early'))
    const { baseUrl } = bench.simulator
    const ran = await answer(['world', 'create', 'files', '--scenario', join(directory, 'mine.yaml'), '--url', baseUrl])
    expect(ran, ran.errors).toMatchObject({ code: 0 })
    const own = (await bench.simulator.worlds.get('files').core.scenario.rules).map(({ name }) => name)
    expect(own.slice(0, 2)).toEqual(['early', 'late'])
    // What is shipped stays what it extends: verify asks for these two, and for no rule of the default scenario.
    const { hits } = await (await fetch(`${baseUrl}/w/files/_mfano/scenario/hits`)).json()
    const idle = hits.filter(({ why }: Hits['hits'][number]) => why !== null)
    expect(idle.map(({ name }: Hits['hits'][number]) => name)).toEqual(['early', 'late'])
  })
})

describe('scenario use', () => {
  it('gives a running world a shipped one, or a file with its parameters', async () => {
    const world = await bench.world()
    expect(await said(world, 'scenario use slow-rails')).toMatch(/^slow-rails applies to new payments\. .*\n\d+ rules/)
    const text = `${rules('mine', 'parameters: { limit: { default: 5 } }\n', 'late')}    when: request.amount > \${limit}\n`
    const file = join(folder({ 'mine.yaml': text }), 'mine.yaml')
    expect(await json(world, `scenario use ${file} --set limit=50`)).toMatchObject({
      name: 'mine',
      parameters: [{ name: 'limit', value: 50 }],
    })
    const idle = join(
      folder({ 'idle.yaml': rules('idle', 'parameters: { limit: { default: 5 } }\n', 'late') }),
      'idle.yaml',
    )
    expect(await said(world, `scenario use ${idle}`)).toMatch(
      /^warning: \S+idle\.yaml:3:15: parameters\.limit: Nothing uses/m,
    )
    await world.control('PUT', '/assumptions/callback-signature', { value: 'standard-webhooks' })
    const applied = await said(world, 'scenario use one-token-at-a-time')
    expect(applied).toContain('\nAssumption callback-signature is now none; it was standard-webhooks\n')
    expect(await said(world, 'scenario use bank-name-mismatch')).toMatch(
      /^Its own rules and faults are about: bank-payout$/m,
    )
    const broken = await answer(['scenario', 'use', join(folder({ 'x.yaml': 'name: 7' }), 'x.yaml'), ...at(world)])
    expect(broken).toMatchObject({ code: 1, out: '' })
  })
})

function rules(name: string, head: string, rule: string): string {
  return `name: ${name}\ndescription: A test.\n${head}rules:\n  - name: ${rule}\n    on: till\n    then: { after: 1h, end: SUCCESS }\n`
}
