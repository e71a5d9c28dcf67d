import { describe, expect, it } from 'vitest'
import { alarms } from '../../support/alarms.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench({ settings: ['--admin-token', 's3cret'] })

it('asks for the admin token where one is set, except for health and for what inboxes receive', async () => {
  const ask = (path: string, init?: RequestInit) => fetch(`${bench.simulator.baseUrl}/_mfano${path}`, init)
  expect((await ask('/health')).status).toBe(200)
  expect((await ask('/inbox/x', { method: 'POST', body: '{}' })).status).toBe(200)
  for (const path of ['/inbox/x', '/inbox/health', '/payments', '/worlds', '/health/', '/scenario', '/forwarders'])
    expect((await ask(path)).status, path).toBe(401)
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    expect((await ask('/inbox/health', { method, body: '{}' })).status, method).toBe(401)
  for (const path of ['/inbox/health/wait', '/forwarders', '/forwarders/1/answers'])
    expect((await ask(path, { method: 'POST', body: '{}' })).status, path).toBe(401)
  expect((await ask('/payments', { headers: { authorization: 'Bearer s3cret' } })).status).toBe(200)
  expect((await ask('/payments', { headers: { 'mfano-admin-token': 's3cret' } })).status).toBe(200)
})

it('tells nobody without it what worlds there are', async () => {
  const { baseUrl } = bench.simulator
  const headers = { authorization: 'Bearer s3cret' }
  const made = await fetch(`${baseUrl}/_mfano/worlds`, { method: 'POST', body: '{"id":"payroll"}', headers })
  expect(made.status).toBe(201)
  for (const path of ['/_mfano/health', '/api/v1/get-token', '/docs', '/session/x']) {
    const answer = await fetch(`${baseUrl}/w/payrol${path}`)
    expect(answer.status).toBe(404)
    expect((await answer.json()).error.details).toBe(
      'There is no world "payrol". Make it: POST /_mfano/worlds {"id":"payrol"}',
    )
  }
})

describe('whoever guesses', () => {
  const time = alarms()
  const guessed = useBench({ settings: ['--admin-token', 's3cret'], time })

  it('waits for the answer to a wrong token, by header or at the login page; the right one never waits', async () => {
    const { baseUrl } = guessed.simulator
    const get = (path: string, token: string) =>
      fetch(`${baseUrl}/_mfano${path}`, { headers: { authorization: `Bearer ${token}` } })
    const login = (token: string) =>
      fetch(`${baseUrl}/_mfano/login`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ token }) })
    const wrong = ['guess', '', 's3cre', 's3crets3cret'].map((token) => () => get('/clock', token))
    for (const guess of [...wrong, () => get('/metrics', 'guess'), () => login('guess')]) {
      const waiting = time.set(1_000)
      let isAnswered = false
      const answering = guess().finally(() => {
        isAnswered = true
      })
      await waiting
      // Behind a proxy all come from one address: the operator and the scraper of metrics are not locked out.
      expect((await get('/clock', 's3cret')).status).toBe(200)
      expect((await get('/metrics', 's3cret')).status).toBe(200)
      expect((await login('s3cret')).status).toBe(303)
      expect(isAnswered).toBe(false)
      time.pass(1_000)
      expect((await answering).status).toBe(401)
    }
  })

  it('waits for the guesses before it, over however many connections they come', async () => {
    let answered = 0
    let waiting = time.set(1_000)
    const headers = { authorization: 'Bearer guess' }
    for (let n = 0; n < 3; n++)
      void fetch(`${guessed.simulator.baseUrl}/_mfano/clock`, { headers }).then(() => answered++)
    for (const done of [0, 1, 2]) {
      await waiting
      expect(answered).toBe(done)
      waiting = time.set(1_000)
      time.pass(1_000)
      await expect.poll(() => answered).toBe(done + 1)
    }
  })
})
