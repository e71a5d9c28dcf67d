/** Who gets in to the control plane at all: no callback of ours, and no browser under somebody else's name. */
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type Bench, type TestWorld, useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'

const bench = useBench()

/** Asks under another name than the one that the connection goes to, as a browser does that was led here. */
function under(
  name: string,
  { simulator }: Bench,
  path: string,
  method = 'GET',
): Promise<{ status?: number; text: string }> {
  const { port } = simulator
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { host: `${name}:${port}` } }, (answer) => {
      let text = ''
      answer.on('data', (part) => {
        text += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode as number, text }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('a callbackUrl is no command', () => {
  /** What became of the one callback of a payment whose callbackUrl is at the control plane. */
  async function told(world: TestWorld, callbackUrl: string) {
    const uuid = await bench.pay(world, { callbackUrl })
    await world.advance('5s')
    const { callbacks } = await world.control('GET', `/payments/${uuid}`)
    return world.control('GET', `/callbacks/${callbacks[0].id}`)
  }

  const paths = '/reset /snapshots/saved/restore /callbacks/1/redeliver /worlds /inbox/x/verify /handset/254711000100/'
  it.each([...paths.split(' '), '/login'])('%s', async (path) => {
    const world = await bench.world()
    await world.control('POST', '/snapshots', { name: 'saved' })
    const callback = await told(world, `${world.baseUrl}/_mfano${path}`)
    expect(callback.tries[0]).toMatchObject({ status: 403 })
    expect(callback.tries[0].responseBody).toMatch(/takes no callbacks: a callbackUrl is an endpoint of a merchant/)
    expect((await world.control('GET', '/payments')).total).toBe(1)
    expect((await world.control('GET', '/callbacks')).callbacks).toHaveLength(1)
  })

  it('of another world, of a redelivery, or of the doctor either', async () => {
    const [world, other] = [await bench.world(), await bench.world()]
    await bench.pay(other)
    const reset = `${other.baseUrl}/_mfano/reset`
    const callback = await told(world, reset)
    await world.control('POST', `/callbacks/${callback.id}/redeliver`)
    await world.advance('0s')
    const { tries } = await world.control('GET', `/callbacks/${callback.id}`)
    expect(tries.map(({ status }: { status: number }) => status)).toEqual([403, 403])
    const examined = await world.control('POST', '/doctor', { url: reset, send: 'send-money' })
    expect([examined.ok, examined.answer.status]).toEqual([false, 403])
    expect((await other.control('GET', '/payments')).total).toBe(1)
  })

  it('but inboxes take them, marked as callbacks', async () => {
    const world = await bench.world()
    expect((await told(world, `${world.baseUrl}/_mfano/inbox/hello`)).state).toBe('delivered')
    const [message] = (await world.control('GET', '/inbox/hello')).messages
    expect(message.headers['mfano-callback']).toBe('true')
  })
})

describe('behind a proxy', () => {
  const proxied = useBench({ settings: ['--trust-proxy'] })
  const seen = {
    'x-forwarded-proto': 'https, http',
    'x-forwarded-host': 'dev.example',
    'x-forwarded-prefix': '/mfano/',
  }
  const addressOf = async (of: typeof bench, headers: Record<string, string>) => {
    const answer = await fetch(`${of.simulator.baseUrl}/_mfano/worlds`, { headers })
    return (await answer.json()).worlds[0].baseUrl
  }

  it('that it trusts, it has the address that the proxy names', async (context) => {
    needsProcess('proxies', context)
    const own = proxied.simulator.baseUrl
    expect(await addressOf(proxied, seen)).toBe('https://dev.example/mfano')
    expect(await addressOf(proxied, { 'x-forwarded-proto': 'https' })).toBe(own.replace('http:', 'https:'))
    expect(await addressOf(proxied, { 'x-forwarded-host': 'a b', 'x-forwarded-prefix': '/"' })).toBe(own)
    expect(await addressOf(proxied, {})).toBe(own)
  })

  it('that it was not told to trust, it keeps its own', async () => {
    expect(await addressOf(bench, seen)).toBe(bench.simulator.baseUrl)
  })
})

describe('under another name than its own', () => {
  const named = useBench({ settings: ['--base-url', 'https://mfano.shop.example/sandbox'] })
  const guarded = useBench({ settings: ['--admin-token', 's3cret'] })

  it.each('127.0.0.1 [::1] localhost LOCALHOST shop.localhost mfano mfano. host.docker.internal'.split(' '))(
    '%s is its own',
    async (name) => {
      expect((await under(name, bench, '/_mfano/clock')).status).toBe(200)
    },
  )

  it.each(['rebound.example', '127.0.0.1.rebound.example', 'localhost.rebound.example', 'mfano.shop.example'])(
    '%s is not, and is told which setting would make it so',
    async (name) => {
      const world = await bench.world()
      await bench.pay(world)
      const reset = await under(name, bench, `/w/${world.id}/_mfano/reset`, 'POST')
      expect(reset.status).toBe(403)
      expect(JSON.parse(reset.text).error).toMatchObject({
        code: 'FOREIGN_HOST',
        details: expect.stringMatching(
          new RegExp(`got "${name}".*--base-url http://${name} \\(MFANO_BASE_URL\\).*MFANO_ADMIN_TOKEN`),
        ),
      })
      const phone = await under(name, bench, `/w/${world.id}/_mfano/handset/254711000100/`)
      expect([phone.status, phone.text]).toEqual([403, expect.stringContaining('MFANO_BASE_URL')])
      expect((await under(name, bench, '/_mfano/login')).status).toBe(403)
      expect((await world.control('GET', '/payments')).total).toBe(1)
    },
  )

  it('is asked by its base URL, by callbacks and by health checks', async () => {
    expect((await under('mfano.shop.example', named, '/_mfano/clock')).status).toBe(200)
    expect((await under('rebound.example', named, '/_mfano/clock')).status).toBe(403)
    expect((await under('rebound.example', named, '/_mfano/health')).status).toBe(200)
    expect((await under('rebound.example', named, '/_mfano/inbox/x', 'POST')).status).toBe(200)
    expect((await under('rebound.example', named, '/docs')).status).toBe(200)
  })

  it('is asked by the token where there is one', async () => {
    expect((await under('mfano.shop.example', guarded, '/_mfano/clock')).status).toBe(401)
    expect((await under('mfano.shop.example', guarded, '/_mfano/login')).status).toBe(200)
  })

  it('takes what the dashboard behind a proxy sends', async () => {
    const headers = { origin: 'https://mfano.shop.example' }
    const advance = (to: Bench) =>
      fetch(`${to.simulator.baseUrl.replace(/^https.*/, `http://127.0.0.1:${to.simulator.port}`)}/_mfano/clock`, {
        method: 'PATCH',
        headers,
        body: '{}',
      })
    expect((await advance(named)).status).toBe(200)
    expect((await advance(bench)).status).toBe(403)
  })
})
