import { expect, it } from 'vitest'
import { useBench } from '../support/harness.ts'

const bench = useBench({ settings: ['--admin-token', 's3cret'] })

it('asks for the admin token where one is set, except for health and for what inboxes receive', async () => {
  const ask = (path: string, init?: RequestInit) => fetch(`${bench.simulator.baseUrl}/_mfano${path}`, init)
  expect((await ask('/health')).status).toBe(200)
  expect((await ask('/inbox/x', { method: 'POST', body: '{}' })).status).toBe(200)
  for (const path of ['/inbox/x', '/inbox/health', '/payments', '/worlds', '/health/', '/scenario'])
    expect((await ask(path)).status, path).toBe(401)
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await ask('/inbox/health', { method, body: '{}' })).status, method).toBe(401)
  expect((await ask('/inbox/health/wait', { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await ask('/payments', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
  expect((await ask('/payments', { headers: { authorization: 'Bearer s3cret' } })).status).toBe(200)
  expect((await ask('/payments', { headers: { 'mfano-admin-token': 's3cret' } })).status).toBe(200)
})
