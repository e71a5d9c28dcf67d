/** A report in each of its forms, for what a program or a person reads it with. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import { expect, it } from 'vitest'
import { answer, folder } from '../../apps/cli/support.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()

/** Whatever somebody may write into a name. */
const EVIL = `</title><script>alert("1")</script> & 'x' | \u0007 [a](javascript:b)`
/** What Markdown and whoever shows it make a link of, a call to people, or a character. */
const CALLING = 'ask @team/payments & pay@example.com of https://example.com/x?a=1 or www.example.com, see #12 &lt;'

/** A run with a payment that ended well, one that failed, a refusal, a finding, and a rule that never fired. */
async function tried(): Promise<TestWorld> {
  const world = await bench.world({
    scenario: {
      name: 'tried',
      description: 'Seventy-seven fails.',
      rules: [
        { name: EVIL, on: 'send-money', when: 'request.amount == 77', then: { after: '2s', end: 'FAILED' } },
        { name: 'never', on: 'send-money', when: 'request.amount == 1', then: { after: '2s', end: 'FAILED' } },
      ],
    },
  })
  await world.control('POST', '/runs', { name: EVIL, note: CALLING })
  await bench.pay(world, { referenceId: 'salary-1' })
  await bench.pay(world, { referenceId: EVIL.slice(0, 50), amount: 77 })
  await world.post('/api/sandbox/v1/till', {})
  await world.advance('1m')
  await world.control('POST', '/reconcile', { books: [{ reference: 'salary-1', amount: 100, status: 'FAILED' }] })
  return world
}

const printed = async (world: TestWorld, query: string) => (await world.raw('GET', `/_mfano/report?${query}`)).text

it('is one HTML file that loads nothing, and in which the texts of others stay texts', async () => {
  const html = await printed(await tried(), 'format=html&run=last')
  expect(html).toMatch(/^<!doctype html>/)
  expect(html).toContain('&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;')
  expect(html).not.toMatch(/<script|<link|<img|\bsrc=|@import|url\(/)
  const led = Array.from(html.matchAll(/\bhref="([^"]*)"/g), ([, href]) => href)
  expect(led.length).toBeGreaterThan(0)
  expect(led.filter((to) => !/^http:[^ ]*\/_mfano\/#\/payments\/[\w-]+$/.test(to ?? ''))).toEqual([])
  expect(html).toMatch(/<div class="risk"><span>Money at risk<\/span><b>KES 100.00<\/b><span>in 1 payment</)
  expect(html).toMatch(
    /<pre>send-money [\w-]{36}\n24 Jan .*: POST .*\/send-money.*\n[^<]*PENDING to SUCCESS[^<]*<\/pre>/,
  )
  expect(html).toContain('books and ledger differ')
  expect(html).toContain('Payments that ended badly')
})

it('is JUnit: rules that never fired are skipped, findings fail', async () => {
  const xml = await printed(await tried(), 'format=junit&run=last')
  expect(xml).not.toContain('\u0007')
  expect(xml.replaceAll(/&(?:lt|gt|amp|quot|#39);/g, '')).not.toContain('&')
  const cases = xml.split('<testcase ').slice(1)
  const about = (text: string) => cases.filter((one) => one.includes(text)).join()
  expect(about('name="stale salary-1"')).toMatch(
    /<failure type="error" message="error; payment: .*The books say FAILED/,
  )
  expect(about('name="tried rule never"')).toMatch(/<skipped message="never fired; .*request.amount == 1/)
  expect(about('name="send-money FAILED"')).not.toMatch(/<failure|<skipped/)
  expect(about('name="Callbacks that nobody took"')).not.toMatch(/<failure|<skipped/)
  const [, tests, failures, skipped] = /tests="(\d+)" failures="(\d+)" errors="0" skipped="(\d+)"/.exec(xml) ?? []
  expect([Number(tests), Number(failures), Number(skipped)]).toEqual([
    cases.length,
    cases.filter((one) => one.includes('<failure')).length,
    cases.filter((one) => one.includes('<skipped')).length,
  ])
})

it('is Markdown for a comment: the verdict first, tables that no name breaks', async () => {
  const text = await printed(await tried(), 'format=markdown&run=last')
  expect(text).toMatch(/^## mfano: \\<\/title\\>\\<script\\>/)
  expect(text).toContain('**❌ Failed: ')
  expect(text).toContain('**Money at risk: KES 100.00 in 1 payment**')
  expect(text).toMatch(
    /<summary>What happened<\/summary>\n\n```text\nsend-money [\w-]{36}\n24 Jan .*: POST .*\/send-money/,
  )
  const tables = text.split('\n').filter((line) => line.startsWith('| '))
  const cells = (line: string) => line.split(/(?<!\\)\|/).length
  for (const [i, line] of tables.entries())
    if (tables[i + 1]?.startsWith('| ---')) expect(cells(tables[i + 1] as string)).toBe(cells(line))
  // What stands letter by letter in a block of code is neither a tag nor a link.
  expect(text.replaceAll(/^```.*?^```$/gms, '')).not.toMatch(/(?<!\\)<script|(?<!\\)\[a/)
  const html = await marked(text)
  expect(html).not.toContain('<script')
  expect(html).not.toContain('<a ')
  // As GitHub has it, which looks for @ and # in what was rendered.
  expect(text).not.toMatch(/@\w|(?<!&)#\d/)
  expect(html.replaceAll('\u200b', '')).toContain(
    'ask @team/payments &amp; pay@example.com of https://example.com/x?a=1 or www.example.com, see #12 &amp;lt;',
  )
})

it('passes only what was checked, and says what payments that ended badly mean', async () => {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'a', phoneNumber: '254711000404' })
  await world.advance('1m')
  const ended = '1 payment ended badly. The service may answer so'
  expect(await printed(world, 'format=markdown')).toContain(
    `Not judged: neither books nor expectations were checked. ${ended}`,
  )
  await world.control('POST', '/verify', { where: 'request.operation == "createSendMoney"' })
  expect(await printed(world, 'format=markdown')).toContain(`Passed: 1 expectation checked. ${ended}`)
  await world.control('POST', '/reconcile', { books: [{ reference: 'a', status: 'FAILED' }] })
  expect(await printed(world, 'format=markdown')).toContain('Passed: books and 1 expectation checked.')
})

it('says first that a payment was repeated and that its callback reaches nobody', async () => {
  const world = await bench.world()
  for (let i = 0; i < 2; i++) await bench.pay(world, { referenceId: 'salary-1', callbackUrl: 'http://127.0.0.1:9/' })
  await world.advance('5s')
  expect(await printed(world, 'format=markdown')).toContain(
    'Not judged: neither books nor expectations were checked; 1 reference sent for more than one payment; 2 callbacks tried and not delivered yet.',
  )
})

it('is written by the command line, in the form that the name of the file says', async () => {
  const world = await bench.world()
  const mfano = (...typed: string[]) => answer([...typed, '--url', world.baseUrl])
  expect((await mfano('report', '--check')).out).toContain('Nothing was tested')
  expect((await mfano('run', 'start', 'payday', '--note', 'Sprint 14')).out).toContain('payday')
  await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('1m')
  expect((await mfano('run', 'end', 'last')).out).toMatch(/mfano report .*--run 1\n/)
  expect((await mfano('run', 'list')).out).toContain('Sprint 14')
  const { out } = await mfano('report', '--run', 'payday')
  expect(out).toContain('1 payment (1 ended well), 2 requests, 1 callback (1 delivered).')
  const file = join(folder(), 'payday.html')
  expect((await mfano('report', '--run', 'payday', '--out', file)).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('<h1>payday</h1>')
  await world.control('POST', '/reconcile', { books: [] })
  expect((await mfano('report', '--check', '--format', 'junit')).code).toBe(1)
  expect((await mfano('report', '--run', 'paday')).errors).toContain('Did you mean "payday"?')
})
