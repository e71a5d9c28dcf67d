import { describe, expect, it } from 'vitest'
import { tokenCheck } from '../../../src/server/control/guesses.ts'
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
  expect((await ask('/payments', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
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

  it('slows who tries one token after the other, by header or at the login page, and never the right one', async () => {
    const { baseUrl } = guessed.simulator
    const get = (path: string, token: string) =>
      fetch(`${baseUrl}/_mfano${path}`, { headers: { authorization: `Bearer ${token}` } })
    const ask = (token: string) => get('/clock', token)
    const login = (token: string) =>
      fetch(`${baseUrl}/_mfano/login`, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ token }) })
    for (let i = 0; i < 5; i++) {
      expect((await ask(`guess-${i}`)).status).toBe(401)
      // A program that is set up wrong says the same again and again, and is no guesser.
      expect((await ask('guess-0')).status).toBe(401)
      expect((await login(`form-${i}`)).status).toBe(401)
    }
    // Behind a proxy all come from one address: the operator and the scraper of metrics are not locked out.
    for (let i = 0; i < 3; i++) {
      expect((await ask('s3cret')).status).toBe(200)
      expect((await get('/metrics', 's3cret')).status).toBe(200)
      expect((await login('s3cret')).status).toBe(303)
    }
    for (const guess of [() => ask('guess-5'), () => login('form-5')]) {
      const waiting = time.set(1_000)
      const answering = guess()
      await waiting
      expect((await ask('s3cret')).status).toBe(200)
      time.pass(1_000)
      const answer = await answering
      expect(answer.status).toBe(429)
      expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/)
      expect(await answer.text()).toContain('10 different wrong admin tokens came from here within a minute')
    }
  })
})

it('forgets wrong ones after a minute, and counts those of everybody else apart', async () => {
  let nowMs = 0
  const waited: number[] = []
  const isToken = tokenCheck(
    () => nowMs,
    async (ms) => void waited.push(ms),
  )
  const guess = (given: string, caller = 'a') => isToken(given, 's3cret', caller)
  for (let i = 0; i < 10; i++) {
    expect(await guess(`guess-${i}`)).toBe(false)
    nowMs += 1000
  }
  await expect(guess('s3cre')).rejects.toMatchObject({ status: 429, retryAfterS: 50 })
  expect(await guess('s3cret')).toBe(true)
  for (const near of ['', 's3crets3cret', 's3cret\0']) expect(await guess(near, 'b')).toBe(false)
  nowMs = 60_000
  expect(await guess('guess-10')).toBe(false)
  await expect(guess('guess-11')).rejects.toMatchObject({ retryAfterS: 1 })
  expect(waited).toEqual([1000, 1000])
})
