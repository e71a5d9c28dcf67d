/** Ports for apps under test: nobody else is handed one between the look and the app's own start. */
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { freePort, returnPort } from '../../../src/judge/app/free-port.ts'

const range = '/proc/sys/net/ipv4/ip_local_port_range'
/** Whoever connects is given ports from here on; a machine may have opened all to that. */
const firstOfSystem = existsSync(range) ? Number(readFileSync(range, 'utf8').split(/\s/)[0]) : 0

it('gives each app another', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort))
  onTestFinished(() => ports.forEach(returnPort))
  expect(new Set(ports).size).toBe(20)
})

it('passes over one that somebody listens on', async () => {
  const before = await freePort()
  returnPort(before)
  const holders = [1, 2].map((further) => createServer().listen(before + further, '127.0.0.1'))
  onTestFinished(() => holders.forEach((holder) => void holder.close()))
  // Where listening fails, somebody else has it, which is as good.
  await Promise.all(holders.map((holder) => once(holder, 'listening').catch(() => {})))
  const port = await freePort()
  onTestFinished(() => returnPort(port))
  expect(holders.map((_, n) => before + n + 1)).not.toContain(port)
})

it('gives none that the system hands out by itself', async ({ skip }) => {
  if (firstOfSystem <= 30_000) skip('this machine has no ports that it never hands out')
  const port = await freePort()
  onTestFinished(() => returnPort(port))
  expect(port).toBeLessThan(firstOfSystem)
})

it('passes over one that another judge was given, whose app does not listen yet', async () => {
  const before = await freePort()
  returnPort(before)
  const others = [1, 2].map(() => createSocket('udp4'))
  onTestFinished(() => others.forEach((other) => void other.close()))
  others.forEach((other, n) => void other.bind(before + n + 1, '127.0.0.1'))
  // Where it fails, another judge has it.
  await Promise.all(others.map((other) => once(other, 'listening').catch(() => {})))
  const port = await freePort()
  onTestFinished(() => returnPort(port))
  expect(others.map((_, n) => before + n + 1)).not.toContain(port)
})

it('is held until it is returned, and no process lives on for it', async ({ signal }) => {
  const file = JSON.stringify(new URL('../../../src/judge/app/free-port.ts', import.meta.url).href)
  const script = `
    const { freePort, returnPort } = await import(${file})
    const { createSocket } = await import('node:dgram')
    const bound = (port) => new Promise((resolve) => {
      const socket = createSocket('udp4').once('error', ({ code }) => resolve(code))
      socket.bind(port, '127.0.0.1', () => socket.close(() => resolve('free')))
    })
    const port = await freePort()
    const held = await bound(port)
    returnPort(port)
    await freePort()
    console.log(held, await bound(port))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { signal })
  expect(stdout.trim()).toBe('EADDRINUSE free')
})
