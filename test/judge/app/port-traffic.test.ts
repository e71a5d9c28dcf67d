/** What is on its way between an app that listens and those who talk to it, as the system shows it. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePort, returnPort } from '../../../src/judge/app/free-port.ts'
import { portTraffic } from '../../../src/judge/app/system.ts'

/** On a machine that may be busy. */
const LONG_MS = 30_000

it('counts who is connected, and sees what they have not read', async ({ skip }) => {
  if (!existsSync('/proc/net/tcp')) skip('this machine has no /proc/net/tcp')
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  expect(portTraffic(port)).toEqual({ callers: 0, underWay: false })
  const accepted = once(server, 'connection')
  const caller = connect(port, '127.0.0.1').pause()
  const [app] = (await accepted) as [Socket]
  onTestFinished(() => {
    caller.destroy()
    app.destroy()
    server.close()
    returnPort(port)
  })
  await vi.waitUntil(() => portTraffic(port)?.callers === 1, LONG_MS)
  app.write('nobody reads this')
  await vi.waitUntil(() => portTraffic(port)?.underWay, LONG_MS)
})
