import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'
import { answer } from './support.ts'

const bench = useBench()
const doctor = (...typed: string[]) => answer(['doctor', ...typed, '--url', bench.simulator.baseUrl])

it('says that an address is good, and that nothing was sent', async (context) => {
  needsProcess('sockets', context)
  const { code, out } = await doctor(bench.receiver.url())
  expect(code).toBe(0)
  expect(out).toMatch(/^address +http:\S+\n/)
  expect(out).toMatch(/\nname +true +\d+ ms +127\.0\.0\.1 is an address\n/)
  expect(out).toMatch(/\nconnect +true +\d+ ms +connected to 127\.0\.0\.1 port \d+\n/)
  expect(out).toContain('\nNo callback was sent. Add --send send-money to see how your app answers a sample.')
})

it('says what is wrong and what to do, and fails', async (context) => {
  needsProcess('sockets', context)
  bench.receiver.answer = 405
  const { code, out } = await doctor(bench.receiver.url(), '--send', 'till')
  expect(code).toBe(1)
  expect(out).toMatch(/\nanswer +false +\d+ ms +answered 405; a 2xx counts as received\n/)
  expect(out).toMatch(/\nwhy +\/callback is there and takes no POST\n/)
  expect(out).toContain("Let the route take POST: app.post('/callback', …).\n")
})

it('says how far it came, and what it did not try', async (context) => {
  needsProcess('sockets', context)
  const { code, out } = await doctor('https://127.0.0.1:1/callback')
  expect(code).toBe(1)
  expect(out).toMatch(/\nnot tried +tls, answer\n(?:.*\n)*connect +false +\d+ ms +connection refused/)
})

it('asks a world, and answers for programs', async (context) => {
  needsProcess('sockets', context)
  const world = await bench.world({ id: 'asked' })
  const { code, out } = await doctor(bench.receiver.url(), '--world', world.id, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ ok: true, sentTo: null, diagnosis: null })
})

it('refuses a kind that nobody is told of', async () => {
  const { code, errors } = await doctor(bench.receiver.url(), '--send', 'allocation')
  expect([code, errors]).toEqual([2, expect.stringContaining('--send: expected send-money, till,')])
})
