/** One of each is added to a copy of mfano, in as few files as it takes, and then works everywhere. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { additions, edited, filesOf, linesOf } from './additions/additions.ts'

const root = join(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'mfano-additions-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

// biome-ignore lint/suspicious/noExplicitAny: what the copy says of itself
let saw: Record<string, any>

beforeAll(() => {
  for (const part of ['src', 'scenarios', 'test/house/additions', 'install/generate', 'package.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  for (const part of ['node_modules', 'bin']) symlinkSync(join(root, part), join(copy, part))
  for (const edit of Object.values(additions).flat()) {
    const file = join(copy, edit.file)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, edited(edit.after === undefined ? '' : readFileSync(file, 'utf8'), edit))
  }
  const { stdout, stderr } = spawnSync(process.execPath, [join(copy, 'test/house/additions/look.ts')], {
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  expect(stdout, stderr).not.toBe('')
  saw = JSON.parse(stdout)
})

/** What each takes at the most. A kind is a folder and a line: `new-kind.test.ts`. */
const most: Readonly<Record<keyof typeof additions, { files: number; lines: number }>> = {
  'operation of the service': { files: 2, lines: 30 },
  'control operation': { files: 2, lines: 25 },
  finding: { files: 1, lines: 12 },
  'callback fault': { files: 1, lines: 8 },
  'response fault': { files: 1, lines: 16 },
  choice: { files: 1, lines: 1 },
  mutation: { files: 1, lines: 1 },
  assumption: { files: 2, lines: 17 },
  country: { files: 2, lines: 30 },
  command: { files: 2, lines: 16 },
  scenario: { files: 1, lines: 6 },
}

it.each(Object.entries(additions))('adds a %s in few files and lines', (name, edits) => {
  const limit = most[name]
  expect(limit).toBeDefined()
  expect(filesOf(edits).length).toBeLessThanOrEqual(limit?.files ?? 0)
  expect(linesOf(edits)).toBeLessThanOrEqual(limit?.lines ?? 0)
})

it('answers an operation of the service, and has it in contract, docs, client and coverage', () => {
  expect(saw['operation of the service']).toMatchObject({
    answer: { status: 200, text: expect.stringContaining('Every shilling arrives') },
    ...{ contract: 'getMotto', docs: true, client: true, covered: true, faults: true },
  })
})

it('asks a control operation, and declares what it refuses as it is answered', () => {
  const refused = { refused: 402, declared: ['INSUFFICIENT_FUNDS'] }
  const command = expect.stringContaining('"left": 3')
  expect(saw['control operation']).toEqual({ answer: { left: 3 }, ...refused, listed: true, command })
})

it('tells a finding by its own sentence and advice', () => {
  expect(saw['finding']).toEqual([
    expect.objectContaining({
      level: 'warning',
      text: expect.stringMatching(
        /^A callback was sent elsewhere by its receiver once, first msg_\w+ at .*: answered 302\.$/,
      ),
      todo: 'Give the address at which the callback is taken.',
    }),
  ])
})

it('sends a callback fault, explains and covers it, and blames nobody who refuses what may be refused', () => {
  const tried = ['till 1: its callback breaks off in the middle']
  const told = { isCut: true, explained: true, covered: true, schema: true, tried }
  expect(saw['callback fault']).toMatchObject({ ...told, blamed: [] })
})

it('meets a response fault, and has it in journal, explanation, preview, schema and lint', () => {
  expect(saw['response fault']).toMatchObject({
    ...{ status: 201, type: 'text/html', text: '<h1>Service</h1>' },
    journal: 'a proxy: answered with a page of HTML',
    ...{ explained: true, previewed: true, schema: true, scenario: true },
    tried: ['request 1 to createTillPayment is executed, and is answered with a page of HTML'],
    lint: ['"reset" cannot stand beside "html": an answer can meet one of them.'],
  })
})

it('offers a choice of the explorer, tells it, and does it', () => {
  const { offered, story, scenario } = saw['choice']
  expect(offered).toEqual([{ do: 'tell', kind: 'till', nth: 1, as: 'thrice' }])
  expect(story).toEqual(['till 1: its callback comes three times'])
  expect(JSON.parse(scenario).rules[0].then.callback).toEqual({ duplicate: 3 })
})

it('proposes a mutation', () => {
  expect(saw['mutation']).toContain('receipt in the answer of getTill another receipt')
})

it('lists an assumption in fidelity, docs and schema, and takes another alternative of it', () => {
  expect(saw['assumption']).toEqual({ listed: true, inForce: 'capitals', docs: true, schema: true })
})

it('pays in a country: its currency is in contract, client, schema and wallets', () => {
  expect(saw['country']).toMatchObject({ schema: true, client: true, funded: true })
  expect(saw['country'].currencies).toContain('RWF')
})

it('runs a command, and has it in help and completion', () => {
  const completed = 'motto\tPrints the motto.\n'
  expect(saw['command']).toEqual({ run: 'Every shilling arrives\n', help: true, completed })
})

it('ships a scenario, in the list', () => {
  expect(saw['scenario']).toEqual({ shipped: true, list: true })
})
