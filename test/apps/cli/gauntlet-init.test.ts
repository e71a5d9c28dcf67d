import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePort } from '../../../src/judge/app/free-port.ts'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { order, SEND_MONEY } from '../../http/faults/support.ts'
import { useBench } from '../../support/harness.ts'
import { serving } from '../../support/listening.ts'
import { answer, folder } from './support.ts'

const bench = useBench()

/** An app that answers these addresses with 200 and JSON, and everything else with 404. */
const appWith = (answers: Record<string, unknown>) =>
  serving(({ url = '' }, response) => {
    response.statusCode = url in answers ? 200 : 404
    response.end(JSON.stringify(answers[url] ?? {}))
  })

const init = (url: string, out: string) =>
  answer(['gauntlet', '--init', '--out', out, '--', 'curl', `${url}/salaries`, '-d', '{"phone": "254712000001"}'])

it('is drafted from a request and from what answers, and says what to check', async () => {
  const url = await appWith({ '/health': {}, '/ledger': { balance: 1 }, '/payments': [] })
  const file = join(folder(), 'merchant.yaml')
  const { code, out } = await init(url, file)
  expect([code, out]).toEqual([0, expect.stringContaining('  act    POST /salaries\n  books  /payments\n')])
  expect(out).toContain(
    'Check: app.command and app.env are a guess: the system does not say which program listens there.\n',
  )
  expect(readMerchantFile(file)).toMatchObject({
    processes: [{ command: 'npm start', ready: { path: '/health' } }],
    acts: [{ name: 'salaries', request: { method: 'POST', path: '/salaries', body: { phone: '25471200000{n}' } } }],
    books: { path: '/payments' },
  })
  const text = readFileSync(file, 'utf8')
  expect(text).toMatch(/^# yaml-language-server: \$schema=http:\/\/localhost:8080\/_mfano\/merchant\.schema\.json\n/)
})

it('needs no correction where the system shows the process, and its variables what it is told', async (context) => {
  if (!existsSync('/proc/net/tcp')) context.skip('this machine has no /proc/net/tcp')
  const source = `require('node:http').createServer((q, r) => r.writeHead(404).end('{}')).listen(process.env.AT, '127.0.0.1', function () { console.log(this.address().port) })`
  const here = folder({ 'my shop.cjs': source, '.env': 'export GATEWAY="http://127.0.0.1:8080/w/mine/"\n' })
  const port = await freePort()
  const env = { AT: String(port), SECRET: 'mfano-secret', SHOP_DB: './data/shop.db', PRIVATE: 'nobody knows' }
  const app = spawn(process.execPath, [join(here, 'my shop.cjs'), `--at=${port}`], { cwd: here, env })
  onTestFinished(() => void app.kill())
  await once(app.stdout, 'data')
  const shown = [
    'curl',
    '-sXPOST',
    `localhost:${port}/pay?now=1`,
    '-H',
    'a: b',
    '-d',
    '{"ref":"June","to":"25471","amount":5}',
  ]
  const { out } = await answer(['gauntlet', '--init', '--', ...shown])
  const file = join(here, 'merchant.yaml')
  expect(out).not.toContain('Check')
  expect(readMerchantFile(file)).toMatchObject({
    processes: [{ command: "node 'my shop.cjs' --at={port}", ready: undefined }],
    env: {
      ...{ AT: '{port}', SECRET: '{apiSecret}', SHOP_DB: '{dir}/shop.db', GATEWAY: '{baseUrl}' },
      ...{ PAYMENTS_KEY: '{apiKey}', PAYMENTS_COMPANY: '{companyId}' },
    },
    follows: true,
    books: undefined,
    acts: [{ request: { method: 'POST', path: '/pay?now=1', body: { ref: 'June-{n}', to: '2547{n}', amount: 5 } } }],
  })
  expect(readFileSync(file, 'utf8')).not.toContain('nobody knows')
})

const answers = (body: string) =>
  `require('node:http').createServer((q, r) => r.end('${body}')).listen(PORT, '127.0.0.1', () => console.log(URL))`

it.for([
  [
    'finds variables in the source where the app was started with its defaults',
    (port: number) => `const PORT = Number(process.env.SHOP_PORT ?? ${port})
const { GATEWAY_URL: URL = 'http://localhost:8080/api/v1', TZ } = process.env
const key = process.env['GATEWAY_KEY'] ?? "mfano-key"
const books = process.env.SHOP_DATA_DIR || __dirname
const ledger = process.env.LEDGER_FILE ?? __dirname + '/data/ledger.json'
${answers('[{"id": 1, "state": "open"}]')}`,
    [
      '/books cannot be read as books: books: no line has a reference or a requestId, so nothing can be compared; line 1 has "id", "state". While the app does not know one, write null.',
    ],
    {
      SHOP_PORT: '{port}',
      GATEWAY_URL: '{baseUrl}/api/v1',
      GATEWAY_KEY: '{apiKey}',
      SHOP_DATA_DIR: '{dir}',
      LEDGER_FILE: '{dir}/ledger.json',
    },
  ],
  [
    'says that no variable holds its address and its port',
    (port: number) => `const PORT = ${port}
const URL = 'http://localhost:8080'
${answers('[]')}`,
    [
      "No variable of your app holds mfano's address. Have it read PAYMENTS_BASE_URL, or change the name in the file.",
      'No variable of your app holds its port. Have it read PORT, or change the name in the file.',
    ],
    { PORT: '{port}', PAYMENTS_BASE_URL: '{baseUrl}' },
  ],
] as const)('%s', async ([_, source, checks, env], context) => {
  if (!existsSync('/proc/net/tcp')) context.skip('this machine has no /proc/net/tcp')
  const port = await freePort()
  const here = folder({ 'app.cjs': source(port) })
  const app = spawn(process.execPath, ['app.cjs'], { cwd: here, env: {} })
  onTestFinished(() => void app.kill())
  await once(app.stdout, 'data')
  const { out } = await answer(['gauntlet', '--init', '--', 'curl', `localhost:${port}/pay`, '-d', '{"amount":5}'])
  expect(out.match(/(?<=^Check: ).*$/gm)).toEqual(checks)
  const file = readMerchantFile(join(here, 'merchant.yaml'))
  expect(file.env).toMatchObject(env)
  expect(Object.values(file.env).filter((one) => one.startsWith('{baseUrl}'))).toHaveLength(1)
})

it('finds the app by the callback URLs in the journal of the running world, where no request is shown', async () => {
  const world = await bench.world()
  vi.stubEnv('MFANO_URL', world.baseUrl)
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = join(folder(), 'merchant.yaml')
  const find = () => answer(['gauntlet', '--init', '--out', file])
  const pay = (callbackUrl: string) => world.post(SEND_MONEY, order(bench, { callbackUrl }))
  await pay(`${world.baseUrl}/_mfano/inbox/shop`)
  expect(await find()).toMatchObject({ code: 2, errors: expect.stringContaining('named a callbackUrl of an app') })
  await pay(`${await appWith({ '/books': [] })}/told`)
  const { out } = await find()
  expect(out).toContain('  act    POST /pay\n  books  /books\n')
  expect(out).toContain('Check: The act is an example, because no request shows how people have your app pay.')
})

it.each([
  ['curl localhost:3000/pay -d amount=5', 'a JSON object as data'],
  ['curl -d {}', 'expected an address'],
  ['wget localhost:3000', 'shows no request'],
])('refuses %s as what has the app pay', async (words, why) => {
  const { code, errors } = await answer(['gauntlet', '--init', '--', ...words.split(' ')])
  expect([code, errors]).toEqual([2, expect.stringContaining(why)])
})

it('overwrites nothing, and says where nobody answers', async () => {
  const there = join(folder({ 'merchant.yaml': 'name: mine\n' }), 'merchant.yaml')
  expect(await init(await appWith({}), there)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('is there already'),
  })
  expect(readFileSync(there, 'utf8')).toBe('name: mine\n')
  const nobody = await init('http://127.0.0.1:1', join(folder(), 'merchant.yaml'))
  expect(nobody).toMatchObject({ code: 2, errors: expect.stringContaining('Nobody answers at http://127.0.0.1:1') })
})
