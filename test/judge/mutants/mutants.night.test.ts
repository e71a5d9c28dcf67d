/** Which lies of the service a suite does not notice. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { MutantsReport } from '../../../src/judge/strategies/mutants.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { entry } from '../../support/program-entry.ts'

/** A suite without a kit that pays, lets time pass, and looks at what came of it. */
const LOOKS = `
const { PAYMENTS_BASE_URL: url, PAYMENTS_KEY: apiKey, PAYMENTS_SECRET: apiSecret, PAYMENTS_COMPANY: companyId } = process.env
const ask = async (method, path, body, token) => {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return response.json()
}
const { data } = await ask('POST', '/api/v1/get-token', { apiKey, apiSecret })
const told = url + '/_mfano/inbox/may'
const salary = { phoneNumber: '254712345678', amount: 100, remarks: 'May', occasion: 'May', referenceId: 'may-1', callbackUrl: told }
const paid = await ask('POST', '/api/sandbox/v1/send-money', salary, data.access_token)
await ask('POST', '/_mfano/clock/advance', { by: '10s' })
const query = new URLSearchParams({ requestId: 'may-1', companyId })
const { data: record } = await ask('GET', '/api/sandbox/v1/send-money/single?' + query, undefined, data.access_token)
const isRight = record.uuid === paid.data.requestId && record.status === 'SUCCESS' CHECKS
process.exit(isRight ? 0 : 1)
`
const suite = (checks: string) => join(folder({ 'suite.mjs': LOOKS.replace('CHECKS', checks) }), 'suite.mjs')

async function mutants(...typed: string[]): Promise<MutantsReport & { code: number }> {
  const { code, out, errors } = await answer(['mutants', '--json', ...typed])
  expect(errors).toBe('')
  return { code, ...JSON.parse(out) }
}

const survivors = ({ mutants: all }: MutantsReport) =>
  all.filter(({ verdict }) => verdict === 'survived').map(({ field, change }) => `${field} ${change}`)

it('names the lies that a suite does not notice', async () => {
  const report = await mutants('--', process.execPath, suite(''))
  expect(report).toMatchObject({ code: 1, truthful: { verdict: 'green' }, interrupted: false })
  expect(survivors(report)).toContain('amount in the answer of getSendMoney ×100')
  const killed = report.mutants.filter(({ verdict }) => verdict === 'killed').map(({ text }) => text)
  expect(killed).toContain('status in the answer of getSendMoney stale: killed; the suite is red')
  expect([...new Set(report.mutants.filter(({ by }) => by !== null).map(({ field }) => field))]).toEqual([
    'requestId in the answer of createSendMoney',
    'status in the answer of getSendMoney',
    'uuid in the answer of getSendMoney',
  ])
  expect(report.mutants.find(({ change }) => change === '×100')?.text).toMatch(/survived; nothing in your app reads it/)
})

it('is content with a score, and raises it where more is looked at', async () => {
  const looking = `&& record.amount === 100 && paid.data.status === 'PENDING'`
  const only = ['--only', 'amount', '--only', 'status']
  const report = await mutants('--min', '50', ...only, '--', process.execPath, suite(looking))
  expect(report.code).toBe(0)
  expect(survivors(report)).not.toContain('amount in the answer of getSendMoney ×100')
})

it('says nothing of a suite that is red in truth', async () => {
  const report = await mutants('--', process.execPath, suite('&& false'))
  expect(report).toMatchObject({ code: 2, truthful: { verdict: 'red' }, mutants: [], score: null })
})

it('tells a wrong signature, and a suite may see it', async () => {
  const scenario = join(
    folder({
      's.yaml':
        'name: signed\ndescription: Callbacks are signed.\nextends: default\nassumptions: { callback-signature: standard-webhooks }\n',
    }),
    's.yaml',
  )
  const signed = `&& JSON.stringify(await ask('GET', '/_mfano/inbox/may')).includes('"signature":"valid"')`
  const typed = ['--scenario', scenario, '--only', 'signature', '--', process.execPath]
  expect(survivors(await mutants(...typed, suite('')))).toEqual(['signature in the send-money callback wrong'])
  expect(await mutants(...typed, suite(signed))).toMatchObject({ code: 0, score: 100 })
})

/** A suite of node:test whose worlds are its own. */
const KIT = `
import assert from 'node:assert/strict'
import { mfanoTest } from '${join(import.meta.dirname, '../../../src/apps/testing/node.ts')}'
const test = mfanoTest({ url: process.env.PAYMENTS_BASE_URL })
test('a payout', async ({ world }) => {
  const client = await world.client()
  const salary = { phoneNumber: '254712345678', amount: 100, remarks: 'May', occasion: 'May' }
  const { data } = await client.createSendMoney({ ...salary, callbackUrl: world.inbox('pay').url })
  assert.equal(data.amount, 100)
})
`

it('reaches the worlds that a suite makes with a kit in the world that it is told of', async () => {
  const file = join(folder({ 'suite.test.mjs': KIT }), 'suite.test.mjs')
  const report = await mutants('--only', 'amount', '--', process.execPath, '--test', file)
  expect(report).toMatchObject({ truthful: { verdict: 'green' }, score: 100 })
  expect(report.mutants.map(({ by }) => by)).not.toContain(null)
})

/** A suite that learns of an end by the helpers of a kit alone. */
const WAITS = `
import assert from 'node:assert/strict'
import { mfanoTest } from '${join(import.meta.dirname, '../../../src/apps/testing/node.ts')}'
const test = mfanoTest({ url: process.env.PAYMENTS_BASE_URL })
test('a payout fails', async ({ world }) => {
  const client = await world.client()
  const salary = { phoneNumber: '254712000404', amount: 100, remarks: 'May', occasion: 'May' }
  const { data } = await client.createSendMoney({ ...salary, callbackUrl: world.inbox('pay').url })
  await world.clock.advance('1m')
  await LOOK
  await client.getSendMoney({ requestId: data.requestId, companyId: world.credentials.companyId })
})
`
const SOON = "{ timeout: '100ms' }"

it.each([
  [`world.waitFor('payment', { status: 'FAILED' }, ${SOON})`, ['getSendMoney', 'send-money callback']],
  [`world.verify('payment', { status: 'FAILED' })`, ['getSendMoney', 'send-money callback']],
  [`world.waitFor('callback', { body: { status: 'FAILED' } }, ${SOON})`, ['send-money callback']],
])('sees what a suite looks up by a kit: %s', async (look, killing) => {
  const file = join(folder({ 'suite.test.mjs': WAITS.replace('LOOK', look) }), 'suite.test.mjs')
  const report = await mutants('--only', 'SUCCESS for FAILED', '--', process.execPath, '--test', file)
  expect(report.truthful).toEqual({ verdict: 'green', said: '' })
  const killed = report.mutants.filter(({ verdict }) => verdict === 'killed').map(({ field }) => field)
  expect(killed.map((field) => field.replace(/^status in the (answer of )?/, ''))).toEqual(killing)
})

it('prints what it knows when it is interrupted', async () => {
  const directory = folder()
  const typed = [entry, 'mutants', '--jobs', '1']
  const words = [...typed, '--', process.execPath, suite('')]
  const child = spawn(process.execPath, words, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    if (!/killed|survived/.test(out) && /killed|survived/.test(text)) child.kill('SIGINT')
    out += text
  }
  if (child.exitCode === null) await once(child, 'exit')
  expect(out).toMatch(/interrupted/)
})
