import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'

const bench = useBench()

it('keeps a connection longer than the minute of usual proxies, so that none is taken up while it closes', async (context) => {
  needsProcess('sockets', context)
  const answer = await fetch(`${bench.simulator.baseUrl}/_mfano/health`)
  expect(answer.headers.get('keep-alive')).toBe('timeout=75')
})

it('takes a thousand connections at once', async () => {
  const port = Number(new URL(bench.simulator.baseUrl).port)
  const sockets = Array.from({ length: 1_000 }, () => connect({ port, host: '127.0.0.1' }))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  const answers = sockets.map(async (socket) => {
    socket.write('GET /_mfano/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    let text = ''
    for await (const chunk of socket) text += chunk
    return text.slice(0, 15)
  })
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']))
})
