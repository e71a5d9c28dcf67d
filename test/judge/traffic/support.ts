/** A merchant's day, recorded by the real command. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import type { TestWorld } from '../../../src/apps/testing/index.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { bodies, payoutTo } from '../../support/bodies.ts'
import { entry } from '../../support/program-entry.ts'

/** What the first user of a sub-account is given. */
export const FIRST_PASSWORD = bodies.subAccount().user.password

/** Records what `work` asks for, and gives the file and all that the command said. */
export async function recorded(
  upstream: string,
  work: (baseUrl: string, file: string) => Promise<void>,
): Promise<{ file: string; said: string }> {
  const file = join(folder(), 'traffic.har')
  const child = spawn(process.execPath, [entry, 'record', '--upstream', upstream, '--out', file, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  const lines = createInterface(child.stdout)
  const ended = once(child, 'close')
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string]
  await work(JSON.parse(line).url, file)
  child.kill('SIGINT')
  const [code] = await ended
  expect({ code, said }).toEqual({ code: 0, said: '' })
  return { file, said: line + said + readFileSync(file, 'utf8') }
}

export interface Read {
  code: number
  /** The one document, as it was printed. */
  text: string
  /** `createSendMoney status`, `listTillPayments data[].till extra`: where answers differ from the contract. */
  found: string[]
}

export async function read(file: string): Promise<Read> {
  const { code, out, errors } = await answer(['calibrate', '--from', file, '--json'])
  expect(errors).toBe('')
  const { differences } = JSON.parse(out)
  const found = differences.map(({ operation, path, sort }: Record<'operation' | 'path' | 'sort', string>) =>
    [operation, path, sort].filter((part) => part !== '').join(' '),
  )
  return { code, text: out, found }
}

/** A day: pays in every way, is refused, reads and lists. `baseUrl`: where the merchant believes the service is. */
export async function day(world: TestWorld, baseUrl: string): Promise<void> {
  const { apiKey, apiSecret, companyId } = world.credentials
  let token = ''
  // biome-ignore lint/suspicious/noExplicitAny: what a service answers
  const ask = async (method: string, path: string, body?: unknown): Promise<any> => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const response = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  }
  const sandbox = '/api/sandbox/v1'
  await ask('POST', '/api/v1/get-token', { apiKey, apiSecret: 'not-the-secret-at-all' })
  token = (await ask('POST', '/api/v1/get-token', { apiKey, apiSecret })).data.access_token
  const callbackUrl = 'http://127.0.0.1:9/told'
  const salary = payoutTo(callbackUrl, { amount: 1000, currencyCode: 'KSH' })
  const till = { ...bodies.till(callbackUrl), accountNumber: '77', amount: 250 }
  const paid = await ask('POST', `${sandbox}/send-money`, { ...salary, referenceId: 'salary-1' })
  await ask('POST', `${sandbox}/send-money`, { ...salary, amount: 2000, referenceId: 'salary-2' })
  await ask('POST', `${sandbox}/send-money`, { ...salary, referenceId: 'salary-1' })
  await ask('POST', `${sandbox}/send-money`, { ...salary, amount: -1 })
  const stock = await ask('POST', `${sandbox}/till`, { ...till, referenceId: 'till-1' })
  await ask('POST', `${sandbox}/till`, { ...till, referenceId: 'till-2' })
  const bill = await ask('POST', `${sandbox}/paybill`, { ...till, businessNumber: '400200', referenceId: 'bill-1' })
  const named = { externalReference: 'order-1', paymentReference: 'order-1' }
  const customer = { customerEmail: 'customer@shop.example', customerPhone: '+254700000200' }
  const order = { ...bodies.checkout(callbackUrl), ...named, ...customer }
  const session = await ask('POST', `${sandbox}/checkout-sessions`, order)
  await ask('POST', `${sandbox}/checkout-sessions`, { amount: 500 })
  await ask('GET', `${sandbox}/checkout-sessions/${(session.data ?? session).id}`)
  await ask('POST', `${sandbox}/bank/payout/new`, { ...bodies.bankPayout(callbackUrl), referenceId: 'bank-1' })
  await ask('POST', `${sandbox}/stk/new`, { ...bodies.stk(callbackUrl), currencyCode: 'KSH', referenceId: 'stk-1' })
  const made = await ask('POST', `${sandbox}/multiaccount/new/organisation`, bodies.subAccount())
  const toOrganisationId = made.data.uuid ?? made.data.organisation?.uuid
  await ask('POST', `${sandbox}/allocations/new`, { fromOrganisationId: companyId, toOrganisationId, amount: 10 })
  const id = paid.data.requestId
  await ask('GET', `${sandbox}/send-money/single?requestId=${id}&companyId=${companyId}`)
  await world.clock.advance('1m')
  await ask('GET', `${sandbox}/send-money/single?requestId=${id}&companyId=${companyId}`)
  await ask('GET', `${sandbox}/send-money/status?requestId=${id}&companyId=${companyId}`)
  await ask('GET', `${sandbox}/send-money/single?requestId=salary-2&companyId=${companyId}`)
  await ask('GET', `${sandbox}/till/status?requestId=${stock.data.requestId}&companyId=${companyId}`)
  await ask('GET', `${sandbox}/till/single?requestId=${stock.data.requestId}&companyId=${companyId}`)
  await ask('GET', `${sandbox}/paybill/single?requestId=${bill.data.requestId}`)
  await ask('GET', `${sandbox}/send-money/all?companyId=${companyId}`)
  await ask('GET', `${sandbox}/till/all?companyId=${companyId}`)
  await ask('GET', `${sandbox}/paybill/all`)
  await ask('GET', `${sandbox}/bank/payout/all`)
  await ask('GET', `${sandbox}/stk/all`)
  await ask('GET', `${sandbox}/multiaccount/organisation/all`)
  await ask('GET', `${sandbox}/multiaccount/wallet/total/breakdown`)
  await ask('GET', `${sandbox}/allocations/allocations/org/all`)
  await ask('PUT', `${sandbox}/send-money`, salary)
  await ask('POST', `${sandbox}/org/wallet-details`, {})
  await ask('GET', '/api/sandbox/v1/no/such/page')
}
