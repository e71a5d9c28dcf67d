/** Three processes that share nothing behind a stock proxy, by the recipes of the documentation. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { expect, it, onTestFinished } from 'vitest'
import { needs } from '../../support/needs.ts'
import { mfano } from '../../support/program.ts'

const WORLDS = 150
const NAMES = ['a', 'b', 'c']
const recipes = readFileSync(join(import.meta.dirname, '../../../src/docs/processes.md'), 'utf8')

const proxies = {
  nginx: {
    /** What a system's own nginx.conf has around the recipe, without any folder of the system. */
    around: (recipe: string, folder: string) =>
      `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
       events {} http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`).join(' ')}
       ${recipe.replace('listen 8080', `listen unix:${folder}/proxy.sock`)} }`,
    arguments: (file: string) => ['-c', file, '-e', 'stderr'],
  },
  haproxy: {
    around: (recipe: string, folder: string) => recipe.replace('bind :8080', `bind unix@${folder}/proxy.sock`),
    arguments: (file: string) => ['-db', '-q', '-f', file],
  },
}
type Proxy = keyof typeof proxies

/** The proxy of a recipe in front of processes; asks through it. */
async function behind(proxy: Proxy, ports: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'mfano-proxy-'))
  const recipe = new RegExp(`\`\`\`${proxy}\\n(.*?)\`\`\``, 's').exec(recipes)?.[1] ?? ''
  const asStarted = recipe.replaceAll(/127\.0\.0\.1:(808[123])/g, (_, port) => `127.0.0.1:${ports[port]}`)
  const file = join(folder, 'conf')
  writeFileSync(file, proxies[proxy].around(asStarted, folder))
  const child = spawn(proxy, proxies[proxy].arguments(file), { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const dispatcher = new Agent({ connect: { socketPath: join(folder, 'proxy.sock') } })
  onTestFinished(async () => {
    await dispatcher.destroy()
    await ended(child)
    rmSync(folder, { recursive: true })
  })
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await request(`http://localhost${path}`, {
      dispatcher,
      method: method as 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    // biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
    return { status: answer.statusCode, body: (text.startsWith('{') ? JSON.parse(text) : text) as any }
  }
  await expect
    .poll(() =>
      ask('GET', '/_mfano/health').then(
        ({ status }) => status,
        () => said || child.exitCode,
      ),
    )
    .toBe(200)
  return ask
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const over = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  await over
}

const start = (name: string, data: string, { port = '0', peers = [] }: { port?: string; peers?: string[] } = {}) =>
  mfano(
    ...['--port', port, '--data', join(data, name), '--process-name', name],
    ...(peers.length > 0 ? ['--peers', peers.map((peer) => `http://127.0.0.1:${peer}`).join()] : []),
  )

it.for(Object.keys(proxies) as Proxy[])(
  'spreads worlds over three processes behind %s',
  { timeout: 300_000 },
  async (proxy, context) => {
    needs(proxy, context)
    const data = mkdtempSync(join(tmpdir(), 'mfano-processes-'))
    onTestFinished(() => rmSync(data, { recursive: true }))
    const portOf = async (program: ReturnType<typeof start>) => new URL((await program.ready()).baseUrl).port
    const others = NAMES.slice(0, 2).map((name) => start(name, data))
    const [one = '', two = ''] = await Promise.all(others.map(portOf))
    // Ports are given out as they start; so the last of them knows the others.
    const last = start('c', data, { peers: [one, two] })
    const three = await portOf(last)
    const programs = [...others, last]
    const ask = await behind(proxy, { 8081: one, 8082: two, 8083: three })

    const home = new Map<string, string>()
    for (let i = 0; i < WORLDS; i++) {
      const made = await ask('POST', `/w/team-${i}/_mfano/worlds`, { clock: { mode: 'frozen' } })
      expect([made.status, made.body.id, made.body.baseUrl]).toEqual([201, `team-${i}`, `http://localhost/w/team-${i}`])
      home.set(made.body.id, made.body.process)
    }
    const of = (name: string) => [...home].filter(([, process]) => process === name).map(([id]) => id)
    // Evenly: none has less than half of its share.
    for (const name of NAMES) expect(of(name).length, name).toBeGreaterThan(WORLDS / 6)
    for (const name of NAMES) {
      const { worlds } = (await ask('GET', `/process/${name}/_mfano/worlds?of=process`)).body
      expect(worlds.map(({ id }: { id: string }) => id).sort()).toEqual([...of(name), 'default'].sort())
      expect(new Set(worlds.map(({ process }: { process: string }) => process))).toEqual(new Set([name]))
    }

    const all = async () => {
      const { worlds, unanswered } = (await ask('GET', '/process/c/_mfano/worlds')).body
      const listed = worlds.filter(({ id }: { id: string }) => id !== 'default')
      return { homes: new Map(listed.map((one: { id: string; process: string }) => [one.id, one.process])), unanswered }
    }
    expect(await all()).toEqual({ homes: home, unanswered: [] })

    const killed = 'b'
    await programs[NAMES.indexOf(killed)]?.kill()
    for (const [id, process] of home) {
      const { status, body } = await ask('GET', `/w/${id}/_mfano/health`)
      if (process === killed) expect(status, id).toBeGreaterThanOrEqual(502)
      else expect([id, status, body.process]).toEqual([id, 200, process])
    }
    expect(await all()).toEqual({
      homes: new Map([...home].filter(([, process]) => process !== killed)),
      unanswered: [{ address: `http://127.0.0.1:${two}`, problem: 'ECONNREFUSED' }],
    })
    // Back at its place, with all that was in it.
    await start(killed, data, { port: two }).ready()
    for (const id of of(killed))
      expect((await ask('GET', `/w/${id}/_mfano/health`)).body).toMatchObject({ status: 'ok', process: killed })
    const [some = ''] = of(killed)
    expect((await ask('DELETE', `/w/${some}/_mfano/worlds/${some}`)).status).toBe(200)
    expect((await ask('GET', `/w/${some}/_mfano/health`)).status).toBe(404)
  },
)
