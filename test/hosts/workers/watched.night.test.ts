/** A deployment as it is watched and driven from outside, by agents too. */
import { readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type RunningWorkerd, startWorkerd } from '../../support/workers.ts'
import { callerOf } from './caller.ts'

let deployed: RunningWorkerd

beforeAll(async () => {
  deployed = await startWorkerd()
})
afterAll(async () => {
  await deployed?.kill()
})

test('leaves figures to the platform, and pasts to a process', async () => {
  const figures = await fetch(`${deployed.baseUrl}/_mfano/metrics`)
  expect([figures.status, await figures.text()]).toEqual([501, expect.stringContaining('its platform has figures')])
  const past = await fetch(`${deployed.baseUrl}/_mfano/populate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ world: 'old', payments: 5 }),
  })
  expect([past.status, await past.text()]).toEqual([501, expect.stringContaining('/_mfano/worlds/old/file')])
  const { worlds } = await (await fetch(`${deployed.baseUrl}/_mfano/worlds`)).json()
  expect(worlds.map(({ id }: { id: string }) => id)).not.toContain('old')
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
