/** Which lies of the service a suite does not notice, and which fields it is proven to read. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { MutantsReport } from '../../src/judge/mutants/mutants-report.ts'
import { answer, folder } from '../commands/support.ts'

/** A suite without a kit that pays, lets time pass, and looks at what came of it. */
const LOOKS = `
const { PAYMENTS_URL: url, PAYMENTS_KEY: apiKey, PAYMENTS_SECRET: apiSecret, PAYMENTS_COMPANY: companyId } = process.env
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

it('names the lies that a suite does not notice, and the fields that it is proven to read', async () => {
  const report = await mutants('--', process.execPath, suite(''))
  expect(report).toMatchObject({ code: 1, truthful: { verdict: 'green' }, interrupted: false })
  expect(survivors(report)).toContain('amount in the answer of getSendMoney ×100')
  const killed = report.mutants.filter(({ verdict }) => verdict === 'killed').map(({ text }) => text)
  expect(killed).toContain('status in the answer of getSendMoney stale: killed; the suite is red')
  expect(report.read.proven).toEqual([
    'requestId in the answer of createSendMoney',
    'status in the answer of getSendMoney',
    'uuid in the answer of getSendMoney',
  ])
  expect(report.mutants.find(({ change }) => change === '×100')?.text).toMatch(/survived; nothing in your app reads it/)
})

it('is content with a score, and raises it where more is looked at', async () => {
  const looking = `&& record.amount === 100 && paid.data.status === 'PENDING'`
  const report = await mutants('--min', '50', '--', process.execPath, suite(looking))
  expect(report.code).toBe(0)
  expect(survivors(report)).not.toContain('amount in the answer of getSendMoney ×100')
})

it('says nothing of a suite that is red in truth', async () => {
  const report = await mutants('--', process.execPath, suite('&& false'))
  expect(report).toMatchObject({ code: 2, truthful: { verdict: 'red' }, mutants: [], score: null })
})
