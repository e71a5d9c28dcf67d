/** A deployment as it is watched and driven from outside: figures of its objects, and agents. */
import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Receiver } from '../../support/harness.ts'
import { type RunningWorkerd, startWorkerd } from '../../support/workers.ts'
import { callerOf } from './caller.ts'

let deployed: RunningWorkerd
const receiver = new Receiver()

beforeAll(async () => {
  await receiver.start()
  deployed = await startWorkerd()
})
afterAll(async () => {
  await deployed?.kill()
  await receiver.stop()
})

async function figures() {
  const answer = await fetch(`${deployed.baseUrl}/_mfano/metrics`)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await answer.text()
  return new Map(
    text.split('\n').flatMap((line): [string, number][] => {
      const at = line.lastIndexOf(' ')
      return line === '' || line.startsWith('#') ? [] : [[line.slice(0, at), Number(line.slice(at + 1))]]
    }),
  )
}

test('counts what each world did, in the text that Prometheus reads', async () => {
  const world = callerOf(deployed.baseUrl, 'counted')
  await world.make({ clock: { mode: 'frozen' } })
  receiver.answer = 200
  await world.pay({ callbackUrl: receiver.url() })
  await world.control('POST', '/clock/advance', { by: '1m' })
  const told = await figures()
  const of = (name: string, labels = '') => told.get(`${name}{world="counted"${labels}}`)
  expect(of('mfano_requests_total', ',operation="createSendMoney",status="201"')).toBe(1)
  expect(of('mfano_requests_total', ',operation="getToken",status="200"')).toBe(1)
  expect(of('mfano_request_duration_seconds_count')).toBe(2)
  expect(of('mfano_steps_total')).toBe(1)
  expect(of('mfano_callback_attempts_total', ',result="accepted"')).toBe(1)
  expect(of('mfano_commit_batch_size_count')).toBeGreaterThan(2)
  expect(of('mfano_agenda_lag_seconds', ',lane="deliveries"')).toBe(0)
  expect(told.get('mfano_steps_total{world="default"}')).toBe(0)
  expect(told.get('mfano_worlds{state="known"}')).toBe(2)
  expect([...told.keys()].filter((name) => name.startsWith('process_'))).toEqual([])
  await world.remove()
})

test('names the zone of a world beside its instants', async () => {
  const world = callerOf(deployed.baseUrl, 'zoned')
  await world.make({ scenario: 'name: here\ndescription: Here.\nextends: default\ntimezone: Africa/Kampala\n' })
  const answer = await fetch(`${world.baseUrl}/_mfano/clock`)
  expect(answer.headers.get('mfano-timezone')).toBe('Africa/Kampala 180')
  expect(await answer.json()).toMatchObject({ now: expect.stringMatching(/\.\d{6}Z$/) })
  const elsewhere = await fetch(`${deployed.baseUrl}/_mfano/clock`)
  expect(elsewhere.headers.get('mfano-timezone')).toBe('UTC 0')
  await world.remove()
})

test('lets an agent rehearse in a world of its own, by the Model Context Protocol', async () => {
  const client = new Client({ name: 'an agent', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${deployed.baseUrl}/_mfano/mcp`)))
  onTestFinished(() => client.close())
  const use = async (name: string, given: object) => {
    const { content } = await client.callTool({ name, arguments: { ...given } })
    return (content as { text: string }[])[0]?.text ?? ''
  }
  const clock = { mode: 'frozen', start: '2025-01-24T16:28:00' }
  const made = JSON.parse(await use('make_world', { id: 'rehearsal', clock }))
  expect(made).toMatchObject({ baseUrl: `${deployed.baseUrl}/w/rehearsal`, credentials: { apiKey: 'mfano-key' } })
  const paid = await use('pay_in', { world: 'rehearsal', way: 'stk', phoneNumber: '254712000402', amount: 250 })
  await use('settle', { world: 'rehearsal', within: '1d' })
  const explained = await use('explain_payment', { world: 'rehearsal', id: JSON.parse(paid).uuid })
  expect(explained).toMatch(/^stk .* KES 250\.00: FAILED\n[\s\S]*The balance is insufficient for the transaction/)
  expect(await use('settle', { world: 'nowhere' })).toContain('There is no world "nowhere"')
  await callerOf(deployed.baseUrl, 'rehearsal').remove()
})

test('gives browsers the files of the dashboard as they are, whatever compression they take', async () => {
  const page = await fetch(`${deployed.baseUrl}/_mfano/`, { headers: { accept: 'text/html' } })
  const script = /src="\.\/(app\/index-[^"]+\.js)"/.exec(await page.text())?.[1] ?? ''
  const given = await fetch(`${deployed.baseUrl}/_mfano/${script}`, { headers: { 'accept-encoding': 'br, gzip' } })
  expect(await given.text()).toBe(readFileSync(new URL(`../../../dist/dashboard/${script}`, import.meta.url), 'utf8'))
})
