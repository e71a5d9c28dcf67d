import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { jsonLog } from '../../../src/hosts/node/log/json.ts'
import {
  callbackLine,
  messageLine,
  prettyLog,
  requestLine,
  silentLog,
  transitionLine,
} from '../../../src/hosts/node/log.ts'

const request = {
  world: 'default',
  requestId: 'req-1',
  method: 'POST',
  path: '/api/sandbox/v1/send-money',
  status: 201,
  tookMs: 4.23,
}
const callback = {
  world: 'shop',
  callbackId: 'cb-1',
  url: 'http://localhost:3000/done',
  attempt: 2,
  status: 200,
  tookMs: 31.4,
}
const transition = { world: 'default', kind: 'till', uuid: 'u-1', from: 'PENDING', to: 'SUCCESS', by: 'the clock' }

test('a request is a line', () => {
  expect(requestLine({ ...request, rule: 'default success' })).toBe(
    'POST   /api/sandbox/v1/send-money  201  4.2 ms  rule: default success  req-1',
  )
  expect(requestLine({ ...request, method: 'GET', status: 500, error: 'disk full', world: 'shop' })).toBe(
    '[shop] GET    /api/sandbox/v1/send-money  500  4.2 ms  disk full  req-1',
  )
})

test('a callback is a line', () => {
  expect(callbackLine(callback)).toBe('[shop] callback to http://localhost:3000/done  200  31 ms  attempt 2  cb-1')
  expect(callbackLine({ ...callback, world: 'default', status: undefined, error: 'ECONNREFUSED' })).toBe(
    'callback to http://localhost:3000/done  ECONNREFUSED  31 ms  attempt 2  cb-1',
  )
})

test('a transition is a line', () => {
  expect(transitionLine(transition)).toBe('till u-1  PENDING -> SUCCESS  by the clock')
  expect(transitionLine({ ...transition, from: undefined, to: 'PENDING' })).toBe('till u-1  PENDING  by the clock')
})

test('a message is a line with its fields; an error brings its stack', () => {
  expect(messageLine('loaded', { rules: 3, file: 'a.yaml', none: undefined })).toBe('loaded  rules: 3  file: a.yaml')
  expect(messageLine('failed', { err: new Error('no') })).toMatch(/^failed\n {4}Error: no\n {8}at /)
})

test('nobody forges a line or steers the terminal', () => {
  const line = requestLine({ ...request, path: '/a\n12:00:00 POST /b\u001b[2J\u009b', rule: 'x\r\u2028y' })
  expect(line).toBe('POST   /a\\u000a12:00:00 POST /b\\u001b[2J\\u009b  201  4.2 ms  rule: x\\u000d\\u2028y  req-1')
})

test('readable lines of one turn are written together, with the time', async () => {
  const written: string[] = []
  const log = prettyLog('info', false, (text) => written.push(text))
  log.request(request)
  log.transition(transition)
  expect(written).toEqual([])
  await turn()
  expect(written).toHaveLength(1)
  expect(written[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}POST .*\n\d\d:\d\d:\d\d\.\d{3} {2}till .*\n$/)
})

test('much text does not wait for the turn to end, and flush writes the rest', () => {
  let written = ''
  const log = prettyLog('info', false, (text) => {
    written += text
  })
  for (let i = 0; i < 2_000; i++) log.transition(transition)
  expect(written.length).toBeGreaterThan(64 * 1024)
  log.flush()
  expect(written.split('\n')).toHaveLength(2_001)
})

test('colours are only there when asked for', () => {
  const written: string[] = []
  const log = prettyLog('info', true, (text) => written.push(text))
  log.error('broken')
  log.flush()
  expect(written.join('')).toContain('\u001b[31merror\u001b[39m  broken')
})

test('JSON lines hold the event and its level', () => {
  const lines: Record<string, unknown>[] = []
  const log = jsonLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  log.request(request)
  log.request({ ...request, error: 'disk full' })
  log.callback(callback)
  log.callback({ ...callback, error: 'ECONNREFUSED' })
  log.transition(transition)
  log.warn('late', { err: new Error('no'), by: 3 })
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
  expect(lines).toEqual([
    { level: 'info', time, event: 'request', ...request },
    { level: 'error', time, event: 'request', ...request, error: 'disk full' },
    { level: 'info', time, event: 'callback', ...callback },
    { level: 'warn', time, event: 'callback', ...callback, error: 'ECONNREFUSED' },
    { level: 'info', time, event: 'transition', ...transition },
    {
      level: 'warn',
      time,
      message: 'late',
      by: 3,
      err: expect.objectContaining({ message: 'no', stack: expect.any(String) }),
    },
  ])
})

test.for(['pretty', 'json'])('the level leaves out what matters less (%s)', (format) => {
  let written = ''
  const write = (text: string) => {
    written += text
  }
  const log = format === 'pretty' ? prettyLog('warn', false, write) : jsonLog('warn', { write })
  log.request(request)
  log.callback(callback)
  log.transition(transition)
  log.info('hello')
  log.callback({ ...callback, error: 'ECONNREFUSED' })
  log.error('broken')
  log.flush()
  expect(written.trim().split('\n')).toHaveLength(2)
})

test('the silent log says nothing', () => {
  expect(silentLog.error('x')).toBeUndefined()
})
