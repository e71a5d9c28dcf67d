/** Operations of the control plane as commands that nobody wrote: made of their declarations. */
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { answer, asking } from './support.ts'

const bench = useBench()
const { at, said, json } = asking(bench)
const purse =
  'name: short\ndescription: A float.\nrails: { float: [{ name: purse, on: till, amount: 100 }] }\nrules: []\n'

it('asks with flags for fields, and shows a list as a table, as CSV and as JSON', async () => {
  const world = await bench.world({ scenario: purse })
  expect(await json(world, 'float fund --name purse --amount 50.5')).toMatchObject({ name: 'purse', remaining: 150.5 })
  expect(await said(world, 'float list')).toMatch(
    /^NAME +ON +CURRENCY +AMOUNT +REMAINING +WAITING +WAITING FOR\npurse /,
  )
  expect(await said(world, 'float --csv')).toMatch(/^name,on,currency,amount,remaining,.*\r\npurse,/)
  expect(await json(world, 'float list')).toMatchObject({ floats: [{ name: 'purse' }] })
})

it('reads objects as JSON, and lists of values', async () => {
  const world = await bench.world()
  const answered = await json(world, `inbox change hello '[500,"200"]'`)
  expect(answered).toMatchObject({ behaviour: { answers: ['500', '200'] } })
  const verified = `verify request --times '{"exactly":0}'`
  expect(await json(world, verified)).toMatchObject({ ok: true, found: 0 })
})

it('takes every parameter of an operation that is shown by hand', async () => {
  const world = await bench.world()
  const { requests } = await json(world, 'requests list --refused')
  expect(requests).toEqual([])
  expect((await json(world, 'requests list --refused false')).requests).toEqual([])
})

it.each([
  ['float lst', 2, /Unknown command "lst"\. Known: list, fund\. Did you mean "list"\?/],
  ['flaot list', 2, /Did you mean "float"\?/],
  ['float fund --amout 5', 2, /Unknown flag --amout\. Did you mean "--amount"\?/],
  ['float fund --amount x', 2, /--amount: expected a number, got "x"/],
  ['float fund', 2, /--amount: /],
  ['callback show 99', 1, /no callback has the id "99"; mfano callback list --url \S+ --world \S+ lists them/],
  ['organisation change', 2, /UUID is missing/],
])('says what is wrong with it: %s', async (typed, code, told) => {
  const ran = await answer([...typed.split(' '), ...at(await bench.world())])
  expect(ran).toMatchObject({ code, out: '' })
  expect(ran.errors).toMatch(told)
})

it('has help, and is completed', async () => {
  expect((await answer(['help', 'float'])).out).toMatch(/Usage: mfano float <command>[\s\S]*\n {2}fund {2}Add money/)
  expect((await answer(['wallet', '--help'])).out).toMatch(/\n {2}fund /)
  expect((await answer(['callback', '--help'])).out).not.toMatch(/examine/)
  expect((await answer(['help', 'float', 'fund'])).out).toMatch(
    /--amount <number>\n +Money that the float gets\..* Required\.\n/,
  )
  const next = async (...words: string[]) =>
    (await answer(['__complete', 'words', ...words])).out.replaceAll(/\t.*/g, '')
  expect(await next('flo')).toBe('float\n')
  expect(await next('float', 'f')).toBe('fund\n')
  expect(await next('float', 'fund', '--a')).toBe('--amount\n')
})
