/** What the callback doctor says of facts that a test cannot bring about: containers, compose files, tunnels, frameworks. */
import { describe, expect, it } from 'vitest'
import { diagnose, isReceived } from '../../../src/core/diagnose.ts'
import {
  type Answered,
  callbackTarget,
  type Failure,
  type Network,
  type Tried,
} from '../../../src/core/model/callback.ts'
import fc from '../../support/fast-check.ts'

const outside: Network = { container: false, callbackHost: undefined }
const inside: Network = { container: true, callbackHost: undefined }
const mapped: Network = { container: true, callbackHost: 'host.docker.internal' }

function tried(url: string, outcome: Answered | Failure, place = outside): Tried {
  const to = callbackTarget(url, place)
  return { url, outcome, place, timeoutMs: 5000, success: '2xx', ...(to?.moved && { sentTo: to.target }) }
}
const failed = (url: string, code: string, place = outside, more: Partial<Failure> = {}) =>
  diagnose(tried(url, { code, message: code, ...more }, place))
const answered = (
  status: number,
  headers: Record<string, string> = {},
  body = '',
  url = 'http://localhost:3000/hooks',
) => diagnose(tried(url, { status, headers, body }))

describe('without an answer', () => {
  it('names all that fits for the loopback of its own container, likeliest first', () => {
    const found = failed('http://localhost:3000/hooks', 'ECONNREFUSED', inside)
    expect(found?.code).toBe('container-loopback')
    expect(found?.why).toContain('mfano runs in a container, where localhost is the container itself')
    expect(found?.todo).toContain('MFANO_CALLBACK_HOST=host.docker.internal')
    expect(found?.todo).toContain('http://your-app:3000/hooks')
    expect(found?.why).toMatch(/your app runs outside of it, or it runs in it and does not listen at port 3000$/)
    expect(found?.todo).toMatch(/If it runs in this container, start it, or correct the port\.$/)
  })

  it('suggests to listen for others where MFANO_CALLBACK_HOST is set already', () => {
    const found = failed('http://127.0.0.1:3000/hooks', 'ECONNREFUSED', mapped)
    expect(found).toMatchObject({ code: 'refused' })
    expect(found?.why).toContain('host.docker.internal stands for 127.0.0.1 (MFANO_CALLBACK_HOST)')
    expect(found?.todo).toContain('0.0.0.0:3000')
  })

  it('suggests to start the app, outside of containers', () => {
    expect(failed('http://localhost/hooks', 'ECONNREFUSED')).toMatchObject({
      code: 'refused',
      why: 'no program on this machine listens at port 80 of localhost, which is tried where an address names none: your app does not run, it listens at another port or address, or it runs in a container',
    })
  })

  it('knows that between containers ports are not the published ones', () => {
    expect(failed('http://shop:8081/hooks', 'ECONNREFUSED', inside)?.todo).toContain('not the one that is published')
  })

  it.each([
    ['http://shop:3000/', outside, /known only inside of their network/, /http:\/\/localhost:…/],
    ['http://shop:3000/', inside, /known only inside of their network/, /spelling of the service/],
    ['http://host.docker.internal:3000/', outside, /only containers know/, /write localhost/],
    ['http://host.docker.internal:3000/', inside, /only those that are told/, /host\.docker\.internal:host-gateway/],
    [
      'http://host.docker.intenal:3000/',
      inside,
      /knows no host\.docker\.intenal/,
      /Did you mean "host\.docker\.internal"\?/,
    ],
    ['http://locahost:3000/', outside, /known only inside/, /Did you mean "localhost"\?/],
    ['http://shop.local/', outside, /no public name server/, /\/etc\/hosts/],
    ['http://shop.co.ke/', outside, /knows no shop\.co\.ke/, /spelling/],
  ])('says of the unknown name in %s where names are known', (url, place, why, todo) => {
    const found = failed(url, 'ENOTFOUND', place)
    expect(found?.code).toBe('name-unknown')
    expect(found?.why).toMatch(why)
    expect(found?.todo).toMatch(todo)
  })

  it.each([
    ['EAI_AGAIN', {}, 'name-server'],
    ['TIMEOUT', { stage: 'connect' }, 'unreachable'],
    ['TIMEOUT', { stage: 'answer' }, 'too-slow'],
    ['UND_ERR_CONNECT_TIMEOUT', {}, 'unreachable'],
    ['EHOSTUNREACH', {}, 'unreachable'],
    ['UND_ERR_SOCKET', { stage: 'answer' }, 'closed'],
    ['EACCES', {}, 'failed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', {}, 'tls-self-signed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, 'tls-unknown-issuer'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', {}, 'tls'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', {}, 'tls'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', {}, 'tls'],
    ['EWHATEVER', {}, 'failed'],
  ] as const)('tells %s %o apart as %s', (code, more, expected) => {
    expect(failed('https://10.1.2.3/hooks', code, outside, more)?.code).toBe(expected)
  })

  it('knows private addresses', () => {
    expect(failed('http://192.168.1.20:3000/', 'ETIMEDOUT')?.why).toContain('a private address')
    expect(failed('http://shop.co.ke/', 'ETIMEDOUT')?.why).not.toContain('a private address')
  })
})

describe('with an answer that does not count', () => {
  it.each([
    ['/hooks/', 'the address differs by a slash at its end: it redirects to http://localhost:3000/hooks/'],
    ['https://localhost:3000/hooks', 'the receiver wants https: it redirects to https://localhost:3000/hooks'],
    ['https://www.shop.co.ke/hooks', 'the receiver wants https: it redirects to https://www.shop.co.ke/hooks'],
    ['//www.shop.co.ke/hooks', 'the receiver has moved to another host: it redirects to http://www.shop.co.ke/hooks'],
    ['/v2/hooks', 'the receiver has moved that path: it redirects to http://localhost:3000/v2/hooks'],
  ])('says where the redirect to %s leads', (location, why) => {
    expect(answered(308, { location })).toMatchObject({
      code: 'redirect',
      why,
      what: 'answered 308; redirects are not followed',
    })
  })

  it.each([
    [302, { location: '/users/sign_in' }, ''],
    [302, { location: 'https://accounts.example/oauth2/authorize?x' }, ''],
    [403, { 'content-type': 'text/html' }, '<title>Sign in</title><input type="password">'],
    [401, { 'content-type': 'text/html' }, '<form><input type=password name=p></form>'],
  ])('knows a login page: %i %o', (status, headers, body) => {
    expect(answered(status, headers as Record<string, string>, body)).toMatchObject({ code: 'login-page' })
  })

  it('quotes what the receiver wants for a login', () => {
    const found = answered(401, { 'www-authenticate': 'Basic realm="staging"' })
    expect(found).toMatchObject({
      code: 'login-wanted',
      why: 'the receiver wants a login (Basic realm="staging"); callbacks carry none',
    })
  })

  it.each([
    [403, {}, 'Forbidden (403) CSRF verification failed. Request aborted.', 'csrf'],
    [419, {}, 'Page Expired', 'csrf'],
    [422, {}, 'ActionController::InvalidAuthenticityToken', 'csrf'],
    [
      400,
      {},
      "Invalid HTTP_HOST header: 'host.docker.internal:8000'. You may need to add it to ALLOWED_HOSTS.",
      'host-not-allowed',
    ],
    [403, {}, '<h1>Blocked hosts: host.docker.internal:3000</h1>', 'host-not-allowed'],
    [400, {}, 'The plain HTTP request was sent to HTTPS port', 'http-to-https'],
    [400, {}, 'Client sent an HTTP request to an HTTPS server.', 'http-to-https'],
    [404, { 'ngrok-error-code': 'ERR_NGROK_3200' }, 'The endpoint is offline', 'tunnel'],
    [530, { 'cf-ray': 'x' }, 'error code: 1033', 'tunnel'],
    [404, { 'mfano-request-id': 'req_1' }, '{}', 'mfano-itself'],
    [400, {}, '{"error":"amount missing"}', 'body-refused'],
    [403, {}, 'no', 'forbidden'],
    [405, { allow: 'GET, HEAD' }, '', 'method'],
    [413, {}, '', 'status'],
    [415, {}, '', 'content-type'],
    [429, { 'retry-after': '30' }, '', 'rate-limited'],
    [500, {}, 'TypeError: x is undefined', 'crashed'],
    [503, {}, '', 'not-up'],
    [418, {}, '', 'status'],
  ])('tells %i %o %j apart as %s', (status, headers, body, code) => {
    expect(answered(status, headers as Record<string, string>, body)?.code).toBe(code)
  })

  it('quotes the beginning of what it said, in one line', () => {
    expect(answered(500, {}, `Error:\n  at line 1 ${'x'.repeat(500)}`)?.why).toMatch(
      /^the receiver failed while it worked on the callback: Error: at line 1 x+…$/,
    )
    expect(answered(500, { 'content-type': 'text/html' }, '<html><title>KeyError at /hooks</title>')?.why).toBe(
      'the receiver failed while it worked on the callback: "KeyError at /hooks"',
    )
  })

  it('says that only 200 counts, where a scenario assumes it', () => {
    const strict = { ...tried('http://localhost/', { status: 202, body: '' }), success: '200' as const }
    expect(isReceived(strict)).toBe(false)
    expect(diagnose(strict)).toMatchObject({ code: 'status', what: 'answered 202; only 200 counts as received' })
  })
})

it('says something of whatever is not received, and nothing of what is', () => {
  const outcome = fc.oneof(
    fc.record({
      status: fc.integer({ min: 100, max: 599 }),
      headers: fc.dictionary(fc.constantFrom('location', 'allow', 'www-authenticate'), fc.string()),
      body: fc.string(),
    }),
    fc.record({ code: fc.string(), message: fc.string() }),
  )
  fc.assert(
    fc.property(fc.webUrl(), outcome, fc.constantFrom(outside, inside, mapped), (url, what, place) => {
      const one = tried(url, what, place)
      const found = diagnose(one)
      if (!isReceived(one)) expect(found?.todo.length).toBeGreaterThan(10)
      else if (found) expect(found.code).toBe('page-accepted')
    }),
  )
})
