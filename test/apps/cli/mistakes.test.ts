import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { answer, asking, command, folder, words } from './support.ts'

// What somebody mistypes, and what the command says about it: in the words that were typed, with the nearest right ones.

const bench = useBench()
const { at, said } = asking(bench)

/** What is wrong, as it is told; `{base}` stands for the address of the server. */
async function mistake(world: TestWorld, typed: string) {
  const { code, out, errors } = await answer([...words(typed), ...at(world)])
  expect(out).toBe('')
  return `${code} ${errors.replace(/^mfano: /, '').replace(/\n$/, '')}`
}

test.each([
  ['payment list --limit 0', '2 --limit: must be at least 1, got "0"'],
  ['payment list --limit 1.5', '2 --limit: must be a whole number, got "1.5"'],
  ['populate --months 0', '2 --months: must be at least 1, got 0'],
  ['populate --payments 100000000', '2 --payments: must be at most 1000000, got 100000000'],
  ['snapshot save A.B', '2 NAME: must be 1 to 63 lower-case letters, digits and inner hyphens, got "A.B"'],
  ['world create A.B', '2 ID: must be 1 to 63 lower-case letters, digits and inner hyphens, got "A.B"'],
  ['report --run zzz', '1 --run: there is no run "zzz". No run has begun yet: mfano run start AT begins one'],
  [
    'payment list --organisation x',
    '1 --organisation: no organisation has the id "x"; mfano organisation list AT lists them',
  ],
])('what a server refuses is told by the flag or the word that was typed: %s', async (typed, told) => {
  const world = await bench.world()
  const at = `--url ${bench.simulator.baseUrl} --world ${world.id}`
  expect(await mistake(world, typed)).toBe(told.replace('AT', at))
})

it('names the flag in one place, and the nearest word with it', async () => {
  const world = await bench.world()
  expect(await mistake(world, 'payment list --status SUCESS')).toMatch(
    /^2 --status: expected .*, got "SUCESS"\. Did you mean "SUCCESS"\?/,
  )
})

test.each(['payment list --limit=', "payment list --search ''", "payment list --csv --status ''"])(
  'a flag whose value is empty has none: %s',
  async (typed) => {
    const world = await bench.world()
    const flag = /--(?:limit|search|status)/.exec(typed)?.[0]
    const { code, errors } = await answer([...words(typed.replace(/ ''$/, '=')), ...at(world)])
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(`${flag} needs a value: `) })
  },
)

it('does not print CSV and JSON at once', async () => {
  const world = await bench.world()
  const { code, errors } = await answer(['payment', 'list', '--json', '--csv', ...at(world)])
  expect({ code, errors }).toEqual({
    code: 2,
    errors: expect.stringContaining('--json and --csv contradict each other. Remove one of them.'),
  })
})

it('a command to show something is told to those who name the thing alone', async () => {
  const world = await bench.world()
  expect(await mistake(world, 'inbox hello')).toContain('To see "hello": mfano inbox show hello\n')
  expect(await mistake(world, 'payment lst')).toContain('Did you mean "list"?\n')
})

it('says the nearest end of a payment', async () => {
  const world = await bench.world()
  await said(world, 'payment collect stk 254712345678 500 --reference sale-1')
  expect(await mistake(world, 'payment resolve sale-1 FAILD')).toMatch(
    /^1 .* cannot become FAILD\. Possible now: .*FAILED.*\. Did you mean "FAILED"\?$/,
  )
})

it('says which command makes a world, with its id, and how a snapshot is replaced', async () => {
  const { errors } = await answer(['payment', 'list', '--url', bench.simulator.baseUrl, '--world', 'shop-9'])
  expect(errors).toBe(
    `mfano: No such world: There is no world "shop-9". Make it: mfano world create shop-9 --url ${bench.simulator.baseUrl}\n`,
  )
  const world = await bench.world()
  await said(world, 'snapshot save before')
  expect(await mistake(world, 'snapshot save before')).toMatch(
    /Choose another name, or mfano snapshot save before --url \S+ --world \S+ --replace to replace it\.$/,
  )
})

describe('a rate', () => {
  it('scales time, and is not for time that is not scaled', async () => {
    const world = await bench.world()
    const id = `rated-${world.id}`
    expect(await said(world, `world create ${id} --rate 5`)).toMatch(/\nmode +scaled\n/)
    expect(await mistake(world, `world create ${id} --rate 5 --clock frozen`)).toContain('--clock says frozen')
    expect(await mistake(world, 'clock set frozen --rate 5')).toContain('not to frozen')
    await said(world, `world delete ${id}`)
  })
})

describe('files', () => {
  const nowhere = '/tmp/mfano-there-is/none'

  test.each([
    [`world upload ${nowhere}`, 'cannot be read: there is no such file.'],
    [`replay ${nowhere}`, 'cannot be read: there is no such file.'],
    [`coverage ${nowhere}`, 'cannot be read: there is no such file.'],
    [`scenario explain default --on till --request @${nowhere}`, 'cannot be read: there is no such file.'],
    [`report --out ${nowhere}`, 'cannot be written: there is no such folder.'],
    [`coverage --out ${nowhere}`, 'cannot be written: there is no such folder.'],
    [`world download default ${nowhere}`, 'cannot be written: there is no such folder.'],
  ])('says what is wrong with one: %s', async (typed, told) => {
    const asked = /^(?:replay|scenario)/.test(typed) ? [] : ['--url', bench.simulator.baseUrl]
    const { code, errors } = await answer([...words(typed), ...asked])
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(`${nowhere} ${told}`) })
  })

  it('tells a folder from a file that is not there', async () => {
    const directory = folder()
    mkdirSync(join(directory, 'one.mfano'))
    const { code, errors } = await answer([
      ...['world', 'upload', join(directory, 'one.mfano')],
      ...['--url', bench.simulator.baseUrl],
    ])
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringMatching(/cannot be read: it is a folder/) })
  })

  it('says that a report is written', async () => {
    const world = await bench.world()
    const file = join(folder(), 'report.html')
    expect(await said(world, `report --out ${file}`)).toBe(`Wrote ${file}.\n`)
  })
})

// /proc takes no folders on Linux; elsewhere there is none, which is as impossible to write to.
it('a data directory that cannot be made is said at once', async () => {
  const { code, errors } = await command(['start', '--port', '0', '--data', '/proc/mfano/data', '--log', 'off'])
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(/^mfano: The data directory \/proc\/mfano\/data cannot be used/),
  })
})
