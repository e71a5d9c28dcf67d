import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { ServiceClient, startMfano } from '../../../src/apps/testing/index.ts'
import { issueCertificate, makeAuthority, openAuthority } from '../../../src/hosts/node/authority.ts'
import { silentLog } from '../../../src/hosts/node/log.ts'
import { type SettingTexts, settingsOf } from '../../../src/hosts/node/settings.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { bodies } from '../../support/bodies.ts'
import { listening } from '../../support/listening.ts'
import { needs } from '../../support/needs.ts'

async function started(texts: SettingTexts = {}, warn: (text: string) => void = () => {}) {
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off', tls: 'true', ...texts })
  const simulator = await startSimulator(settings, { ...silentLog, warn })
  onTestFinished(() => simulator.close())
  return { ...simulator, ca: simulator.authority?.certificate as string }
}

/** Asks by Node's own client, which trusts `ca` alone. */
function ask(
  url: string,
  ca: string,
  { method = 'GET', body = '' } = {},
): Promise<{ status?: number; text: string; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { ca, method, agent: false, headers: { 'content-type': 'application/json' } },
      (answer) => {
        text(answer).then((told) => resolve({ status: answer.statusCode, text: told, headers: answer.headers }), reject)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

/** What the server shows of itself when it is called by a name. */
function certificateAt(port: number, servername: string): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', servername, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate() as X509Certificate)
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

it('speaks both protocols on one port, and every address that it names follows the one that was asked by', async () => {
  const { baseUrl, port, ca } = await started()
  expect(baseUrl).toBe(`https://127.0.0.1:${port}`)
  const plain = `http://127.0.0.1:${port}`
  for (const name of ['127.0.0.1', 'localhost']) {
    const contract = JSON.parse((await ask(`https://${name}:${port}/openapi.json`, ca)).text)
    expect(contract.servers).toMatchObject([{ url: `https://${name}:${port}` }])
  }
  expect((await (await fetch(`${plain}/openapi.json`)).json()).servers).toMatchObject([{ url: plain }])
  const made = JSON.parse((await ask(`${baseUrl}/_mfano/worlds`, ca, { method: 'POST', body: '{"id":"shop"}' })).text)
  expect(made.baseUrl).toBe(`${baseUrl}/w/shop`)
})

it('hands out the certificate to trust without the admin token, and no other mfano has one', async () => {
  const { port, ca } = await started({ adminToken: 's3cret' })
  const answer = await fetch(`http://127.0.0.1:${port}/_mfano/ca.pem`)
  expect(answer.headers.get('content-type')).toBe('application/x-x509-ca-cert')
  expect(await answer.text()).toBe(ca)
  const without = await started({ tls: 'false' })
  const refused = await fetch(`${without.baseUrl}/_mfano/ca.pem`)
  expect([refused.status, (await refused.json()).error.code]).toEqual([404, 'NO_TLS'])
})

it('logs in with a cookie that is Secure over HTTPS alone', async () => {
  const { port, ca } = await started({ adminToken: 's3cret' })
  const asked = { method: 'POST', body: 'token=s3cret' }
  const secure = await ask(`https://localhost:${port}/_mfano/login`, ca, asked)
  expect(String(secure.headers['set-cookie'])).toMatch(/; Secure/)
  const plain = await fetch(`http://localhost:${port}/_mfano/login`, { ...asked, redirect: 'manual' })
  expect(plain.headers.get('set-cookie')).not.toMatch(/; Secure/)
})

it('keeps its authority with the data and its key for its owner, and issues a certificate at each start', async () => {
  const data = folder()
  const first = await started({ data })
  const shown = await certificateAt(first.port, 'localhost')
  expect(shown.checkHost('localhost')).toBe('localhost')
  expect(shown.checkIP('::1')).toBe('::1')
  await first.close()
  const modes = readdirSync(join(data, 'tls')).map((file) => [file, statSync(join(data, 'tls', file)).mode & 0o077])
  expect(Object.fromEntries(modes)).toEqual({ 'ca.pem': 0o044, 'ca-key.pem': 0 })

  const renamed = await started({ data, tlsNames: 'mfano.internal, shop.test', baseUrl: 'https://10.1.2.3' })
  expect(renamed.ca).toBe(first.ca)
  const other = await certificateAt(renamed.port, 'mfano.internal')
  expect(other.serialNumber).not.toBe(shown.serialNumber)
  expect(['mfano.internal', 'shop.test'].map((name) => other.checkHost(name))).not.toContain(undefined)
  expect(other.checkIP('10.1.2.3')).toBe('10.1.2.3')
  expect(other.verify(new X509Certificate(first.ca).publicKey)).toBe(true)
})

it('vouches for a machine, a network and the names of its making, for nobody else, and for two years', async () => {
  const data = folder()
  const certificate = (...names: string[]) => answer(['certificate', ...names, '--data', data, '--out', data])
  for (const name of ['google.com', 'localhost.example.com', 'test.com', '*.com', 'shop', '8.8.8.8', '2001:4860::8888'])
    expect(await certificate('localhost', name)).toMatchObject({
      code: 2,
      errors: expect.stringContaining(`may not vouch for "${name}". It may for localhost, `),
    })
  expect(readdirSync(data)).toEqual([])
  const own = 'localhost shop.test *.shop.internal Printer.local 127.0.0.1 192.168.4.5 ::1 fd00::7'.split(' ')
  expect(await certificate(...own)).toMatchObject({ code: 0 })
  const kept = await openAuthority(data)
  const days = (Date.parse(new X509Certificate(kept.certificate).validTo) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(730)
  await expect(started({ data, baseUrl: 'https://pay.example.com' })).rejects.toThrow('"pay.example.com"')

  const other = folder()
  const named = await started({ data: other, tlsNames: 'mfano', baseUrl: 'https://pay.example.com' })
  expect((await certificateAt(named.port, 'mfano')).checkHost('pay.example.com')).toBe('pay.example.com')
  await expect((await openAuthority(other)).issue(['example.com'])).rejects.toThrow('"example.com"')
  await expect((await openAuthority(other)).issue(['mfano', 'shop.pay.example.com'])).resolves.toBeDefined()
})

it('makes an authority whose stolen key is of no use for names of others, as clients see it', async () => {
  const authority = makeAuthority('mfano', [], Date.now())
  const answers = async (names: string[], servername: string) => {
    const { key, certificate } = issueCertificate(authority, names, Date.now())
    const { url } = await receiver({ key, cert: certificate })
    const { port } = new URL(url)
    return new Promise((resolve) => {
      const socket = connectTls(
        { port: Number(port), host: '127.0.0.1', servername, ca: authority.certificate },
        () => {
          resolve('trusted')
          socket.destroy()
        },
      )
      socket.on('error', ({ message }) => resolve(message))
    })
  }
  expect(await answers(['localhost', '127.0.0.1'], 'localhost')).toBe('trusted')
  expect(await answers(['*.shop.test'], 'api.shop.test')).toBe('trusted')
  expect(await answers(['127.0.0.1'], '')).toBe('trusted')
  expect(await answers(['google.com'], 'google.com')).toBe('permitted subtree violation')
  expect(await answers(['localhost', '8.8.8.8'], 'localhost')).toBe('permitted subtree violation')
})

it('touches no file of a data folder that another mfano has', async () => {
  const data = folder()
  await started({ data, tls: 'false' })
  await expect(started({ data })).rejects.toThrow('is in use')
  expect(readdirSync(data)).not.toContain('tls')
})

it('makes its authority anew where the key is not that of the certificate', async () => {
  const data = folder()
  const { certificate, file = '' } = await openAuthority(data)
  rmSync(join(data, 'tls', 'ca-key.pem'))
  expect((await openAuthority(data)).certificate).not.toBe(certificate)
  expect(readFileSync(file, 'utf8')).toBe((await openAuthority(data)).certificate)
})

it('says once in the log that a client does not trust it', async (context) => {
  needs('curl', context)
  const said: string[] = []
  const { baseUrl } = await started({}, (text) => said.push(text))
  const curl = () => promisify(execFile)('curl', ['-s', `${baseUrl}/_mfano/health`])
  for (const _ of [1, 2]) await expect(curl()).rejects.toMatchObject({ code: 60 })
  await expect.poll(() => said).toEqual([expect.stringMatching(/a client does not trust .*GET \/_mfano\/ca\.pem/)])
})

it('tells a command that does not trust it how to', async () => {
  const { baseUrl } = await started()
  const { code, errors } = await answer(['clock', '--url', baseUrl])
  expect([code, errors]).toEqual([3, expect.stringMatching(/is not trusted[\s\S]*NODE_EXTRA_CA_CERTS=mfano-ca\.pem/)])
})

it('ends a connection that has said nothing when it stops', async () => {
  const simulator = await started()
  const socket = connect(simulator.port, '127.0.0.1')
  await new Promise((resolve) => socket.once('connect', resolve))
  await expect(ask(`${simulator.baseUrl}/_mfano/health`, simulator.ca)).resolves.toMatchObject({ status: 200 })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  await simulator.close()
  await closed
})

it('tells people who type a secret that it can be read on its way, and where it cannot', async () => {
  const { port, ca } = await started({ adminToken: 's3cret' })
  const warning = /plain HTTP.*token.*<a href="https:\/\/mfano:\d+\/_mfano\/login">/
  const plain = (host: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET /_mfano/login HTTP/1.1\r\nhost: ${host}:${port}\r\nconnection: close\r\n\r\n`),
      )
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text)).on('error', reject)
    })
  expect(await plain('mfano')).toMatch(warning)
  expect(await plain('localhost')).not.toMatch(/plain HTTP/)
  expect((await ask(`https://localhost:${port}/_mfano/login`, ca)).text).not.toMatch(/plain HTTP/)
})

/** An HTTPS receiver of callbacks. */
async function receiver(pair: { key: string; cert: string }) {
  const received: string[] = []
  const server = createServer(pair, async (asked, answer) => {
    received.push(await text(asked))
    answer.end('ok')
  })
  return { received, url: `https://localhost:${await listening(server)}/hook` }
}

it('serves a suite over HTTPS alone: an app that fetches, and its receiver with a certificate of the kit', async () => {
  const mfano = await startMfano({ tls: true })
  onTestFinished(() => mfano.close())
  const scenario = {
    name: 'https-only',
    description: 'Only https is accepted.',
    assumptions: { 'url-rules': 'https-only' },
  } as const
  const world = await mfano.world({ scenario })
  expect(world.baseUrl).toMatch(/^https:/)
  const service = new ServiceClient(world.baseUrl)
  await service.login(world.credentials)
  const { received, url } = await receiver(await mfano.certificate('localhost'))
  const paid = (callbackUrl: string) => service.createSendMoney(bodies.sendMoney(callbackUrl))
  await paid(url)
  await expect(paid('http://localhost:3000/hook')).rejects.toMatchObject({ status: 400 })
  await world.clock.settle()
  expect(received).toEqual([expect.stringContaining('"SUCCESS"')])
})

it('trusts receivers by --callback-ca, and says of others how', async () => {
  const data = folder()
  const authority = await openAuthority(data)
  const { key, certificate } = await authority.issue(['localhost'])
  const { url } = await receiver({ key, cert: certificate })
  const examined = async (texts: SettingTexts) => {
    const { baseUrl } = await started({ tls: 'false', ...texts })
    const answer = await fetch(`${baseUrl}/_mfano/doctor`, { method: 'POST', body: JSON.stringify({ url }) })
    return answer.json()
  }
  expect(await examined({})).toMatchObject({ ok: false, diagnosis: { todo: expect.stringContaining('--callback-ca') } })
  expect(await examined({ callbackCa: authority.file as string })).toMatchObject({ ok: true })
  // A receiver whose certificate was made with `mfano certificate` for this data folder.
  expect(await examined({ data })).toMatchObject({ ok: true })
  await expect(started({ callbackCa: join(data, 'none.pem') })).rejects.toThrow('--callback-ca')
})

it('resets a connection over TLS where a scenario says so', async () => {
  const mfano = await startMfano({ tls: true })
  onTestFinished(() => mfano.close())
  const faults = [{ name: 'reset', on: 'POST /api/v1/get-token', then: { reset: true } }] as const
  const world = await mfano.world({ scenario: { name: 'reset', description: 'Nobody logs in.', faults } })
  const login = { method: 'POST', body: JSON.stringify(world.credentials) }
  const asked = ask(`${world.baseUrl}/api/v1/get-token`, mfano.ca as string, login)
  await expect(asked).rejects.toMatchObject({ code: 'ECONNRESET', message: expect.stringContaining('ECONNRESET') })
})
