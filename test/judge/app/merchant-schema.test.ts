import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { startMfano } from '../../../src/apps/testing/index.ts'
import { merchantSchemaText, readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { folder } from '../../apps/cli/support.ts'

const root = join(import.meta.dirname, '../../..')
const published = join(root, 'scenarios/merchant.schema.json')

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema has no shape of its own
type Any = any
const schema: Any = JSON.parse(merchantSchemaText())

it('is published as the reader has it, and served to editors', async () => {
  const text = readFileSync(published, 'utf8')
  expect(merchantSchemaText()).toBe(text)
  await using mfano = await startMfano()
  const answer = await fetch(`${mfano.url}/_mfano/merchant.schema.json`)
  expect(answer.headers.get('content-type')).toBe('application/schema+json')
  expect(await answer.text()).toBe(text)
})

it('takes every merchant file of the examples, and refuses what the reader refuses', () => {
  const validate = new Ajv2020({ strict: false }).compile(schema)
  const files = globSync('test/**/merchant.yaml', { cwd: root }).filter((file) => !file.includes('node_modules'))
  expect(files.length).toBeGreaterThan(5)
  for (const file of files)
    expect([file, validate(parse(readFileSync(join(root, file), 'utf8')))]).toEqual([file, true])

  const good = {
    app: { command: 'node a.mjs', ready: { get: '/' } },
    acts: { pay: { post: '/pay' } },
    books: { get: '/b' },
  }
  const wrong = [
    { ...good, books: { get: '/b', post: '/b' } },
    { ...good, books: {} },
    { ...good, acts: { pay: { post: 'pay' } } },
    { ...good, clock: 'told' },
    { ...good, tock: { post: '/tick' } },
    { app: good.app, books: good.books },
    { acts: good.acts, books: good.books },
    { ...good, app: {} },
    { ...good, app: { ...good.app, processes: { web: good.app } } },
    { ...good, reset: { post: '/reset', command: 'node reset.mjs' } },
  ]
  const read = (value: object) =>
    readMerchantFile(join(folder({ 'merchant.yaml': JSON.stringify(value) }), 'merchant.yaml'))
  expect([validate(good), read(good).acts]).toMatchObject([true, [{ name: 'pay' }]])
  const several = { ...good, app: { processes: { web: good.app, worker: { command: 'node w.mjs' } } } }
  const reset = { command: 'node reset.mjs' }
  expect([validate({ ...several, reset }), read({ ...several, reset })]).toMatchObject([
    true,
    { processes: [{ name: 'web' }, { name: 'worker', ready: undefined }], reset },
  ])
  const { acts } = good
  expect([validate({ acts, app: reset }), read({ acts, app: reset })]).toMatchObject([
    true,
    { processes: [{ ready: undefined }], books: undefined },
  ])
  for (const value of wrong) {
    expect(validate(value)).toBe(false)
    expect(() => read(value)).toThrow()
  }
})

const ready = { get: '/' }
it.for([
  ['app.processes: is empty', { processes: {} }, {}],
  [
    '"comand" is not a setting here. Known: command, env, ready. Did you mean "command"?',
    { processes: { web: { comand: 'node w.mjs', ready } } },
    {},
  ],
  ['"{prot}" is nothing that is filled in here', { processes: { web: { command: 'node w.mjs {prot}', ready } } }, {}],
  ['"{ownPort}" is nothing that is filled in here', { command: 'node a.mjs {ownPort}', ready }, {}],
  [
    'tick.process: "wroker" is none of app.processes. Known: web, worker. Did you mean "worker"?',
    { processes: { web: { command: 'node w.mjs', ready }, worker: { command: 'node w.mjs' } } },
    { tick: { post: '/t', process: 'wroker' } },
  ],
  [
    'reset.post: stands beside command',
    { command: 'node a.mjs', ready },
    { reset: { post: '/r', command: 'node r.mjs' } },
  ],
] as const)('says of a file about processes that %s', ([said, app, more]) => {
  const file = join(
    folder({ 'merchant.yaml': JSON.stringify({ app, acts: { pay: { post: '/p' } }, books: { get: '/b' }, ...more }) }),
    'merchant.yaml',
  )
  expect(() => readMerchantFile(file)).toThrow(said)
})

it('is explained key by key in the documentation', () => {
  const page = readFileSync(join(root, 'src/docs/merchant-file.md'), 'utf8')
  const keys = Object.keys(schema.properties).flatMap((key) => {
    const inner: Any[] = key === 'app' ? schema.properties.app.anyOf : []
    return [key, ...inner.flatMap(({ properties }) => Object.keys(properties).map((name) => `app.${name}`))]
  })
  expect(keys.filter((key) => !page.includes(`| \`${key}\` |`))).toEqual([])
  expect(['{port}', '{dir}', '{baseUrl}', '{n}', '{now}'].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})
