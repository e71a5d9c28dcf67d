import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type Mfano, startMfano } from '../../../src/apps/testing/index.ts'
import { MfanoContainer } from '../../../src/apps/testing/testcontainers.ts'
import { folder } from '../../support/folder.ts'
import { serving } from '../../support/listening.ts'

// There is no container engine here. What follows speaks Docker's HTTP API as far as Testcontainers asks, keeps what it
// is told to make, and has a mfano of this process answer at the port of each "container".

const token = 's3cret'
let mfano: Mfano
let gone: () => Promise<void>
/** What was asked of the engine since the test began. */
const asked: { request: string; body: string }[] = []

beforeAll(async () => {
  mfano = await startMfano({ adminToken: token })
  const answerAsEngine: RequestListener = async (request, response) => {
    const path = (request.url ?? '').replace(/^\/v[\d.]+/, '')
    asked.push({ request: `${request.method} ${path}`, body: await text(request) })
    const [status, answer] = answerTo(`${request.method} ${path.split('?')[0]}`)
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer && JSON.stringify(answer))
  }
  const engine = await serving(answerAsEngine, (close) => {
    gone = close
  })
  vi.stubEnv('DOCKER_HOST', engine.replace('http', 'tcp'))
  vi.stubEnv('TESTCONTAINERS_RYUK_DISABLED', 'true')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await gone()
  await mfano.close()
})
beforeEach(() => {
  asked.length = 0
})

function answerTo(request: string): [status: number, answer: unknown] {
  const [method, , what, id, then] = request.split(/[ /]/)
  if (method === 'POST' && what === 'containers') return [then === 'start' || then === 'stop' ? 204 : 201, { Id: 'c1' }]
  if (what === 'containers' && id === 'json') return [200, []]
  if (method === 'GET' && what === 'containers') {
    const ports = { '8080/tcp': [{ HostIp: '127.0.0.1', HostPort: new URL(mfano.url).port }] }
    return [
      200,
      {
        Id: 'c1',
        Name: '/mfano',
        Config: { Labels: {}, Hostname: 'c1' },
        State: { Running: true, Status: 'running', StartedAt: '2025-01-24T16:28:00Z', FinishedAt: '' },
        NetworkSettings: { Ports: ports, Networks: {} },
        HostConfig: { PortBindings: {} },
      },
    ]
  }
  if (what === 'info') return [200, { ServerVersion: '28.0.0', OperatingSystem: 'here', OSType: 'linux', NCPU: 1 }]
  if (method === 'PUT') return [200, undefined]
  return [method === 'DELETE' ? 204 : 200, {}]
}

/** The container that the engine was told to make. */
function made() {
  const { body } = asked.find(({ request }) => request.startsWith('POST /containers/create')) ?? { body: '{}' }
  return JSON.parse(body)
}

it('runs the image with its port open, nothing kept, and the test machine as localhost of callbacks', async () => {
  await using container = await new MfanoContainer('mfano:1').withAdminToken(token).start()
  expect(made()).toMatchObject({
    Image: 'mfano:1',
    ExposedPorts: { '8080/tcp': {} },
    HostConfig: {
      ExtraHosts: ['host.docker.internal:host-gateway'],
      PortBindings: { '8080/tcp': [{ HostPort: '0' }] },
    },
  })
  expect(made().Env.sort()).toEqual([
    `MFANO_ADMIN_TOKEN=${token}`,
    'MFANO_CALLBACK_HOST=host.docker.internal',
    'MFANO_DATA=:memory:',
  ])
  expect(container.url).toBe(mfano.url)
})

it('gives worlds as soon as its health check is good', async () => {
  await using container = await new MfanoContainer().withAdminToken(token).start()
  await using world = await container.world({ scenario: 'stuck-pending' })
  const client = await world.client(container.credentials)
  expect((await client.listPaybillPayments()).data).toEqual([])
  expect(world.credentials).toEqual(container.credentials)
  const other = await container.connect({ seed: 3 })
  expect(await (await other.world()).clock.now()).toBe('2025-01-24T16:28:00.000000Z')
})

it('takes a shipped scenario by its name, and a file along', async () => {
  await using _shipped = await new MfanoContainer().withScenario('slow-rails').start()
  expect(made().Env).toContain('MFANO_SCENARIO=slow-rails')
  asked.length = 0
  const file = join(folder({ 'rent.yaml': 'name: rent\ndescription: Rent.\n' }), 'rent.yaml')
  await using _own = await new MfanoContainer().withScenario(file).withCallbackHost('tests.example').start()
  expect(made().Env).toEqual(
    expect.arrayContaining(['MFANO_SCENARIO=/scenarios/rent.yaml', 'MFANO_CALLBACK_HOST=tests.example']),
  )
  const archive = asked.find(({ request }) => request.startsWith('PUT /containers/c1/archive'))
  expect(archive?.body).toMatch(/scenarios\/rent\.yaml[\s\S]*description: Rent\./)
})
