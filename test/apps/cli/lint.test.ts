import { expect, it } from 'vitest'
import { answer, folder, scenario } from './support.ts'

const head = 'name: late\ndescription: Late.\nrules:\n'
const sound = `${head}  - { name: slow, on: till, when: request.amount > 5, then: { after: 1h, end: SUCCESS } }\n`
const mistyped = `${head}  - { name: slow, on: till, when: request.amonut > 5, then: { after: 1h, end: SUCCES } }\n`
const covered = `${head}  - { name: all, on: till, then: { after: 1h, end: SUCCESS } }
  - { name: some, on: [till, paybill], when: request.amount > 5, then: { after: 1s, end: FAILED } }
  - { name: never, on: till, then: { after: 1s, end: FAILED } }
`

it('says that a file is sound', async () => {
  const ran = await scenario(['lint', 'late.yaml', 'flaky-rail'], folder({ 'late.yaml': sound }))
  expect(ran).toMatchObject({ code: 0, errors: '' })
  expect(ran.out).toMatch(/^late\.yaml: ok, late has \d+ rules with those it extends\nflaky-rail: ok, .*\n$/)
})

it('prints every problem with its place and the nearest name, and fails', async () => {
  const ran = await scenario(['lint', 'late.yaml'], folder({ 'late.yaml': mistyped }))
  expect(ran.code).toBe(1)
  expect(ran.out.split('\n')).toEqual([
    expect.stringMatching(
      /^late\.yaml:4:43: error: rules\[0\]\.when: .*"amonut".* Did you mean "amount"\? All that conditions can ask: .*$/,
    ),
    expect.stringMatching(/^late\.yaml:4:79: error: rules\[0\]\.then\.end: .*Did you mean "SUCCESS"\?$/),
    '2 problems in 1 file',
    '',
  ])
})

it('finds rules that can never decide', async () => {
  const ran = await scenario(['lint', '--format', 'json', 'late.yaml'], folder({ 'late.yaml': covered }))
  expect(ran.code).toBe(1)
  const { clean, files } = JSON.parse(ran.out)
  expect(clean).toBe(false)
  expect(files).toMatchObject([{ file: 'late.yaml', name: 'late', valid: true }])
  expect(files[0].problems).toMatchObject([
    {
      severity: 'warning',
      line: 5,
      message: expect.stringMatching(/^"some" never decides till: the rule "all" on line 4 /),
    },
    {
      severity: 'warning',
      line: 6,
      message: expect.stringMatching(/^"never" never decides anything: the rule "all" on line 4 /),
    },
  ])
})

it('annotates a GitHub workflow', async () => {
  const files = { 'late.yaml': mistyped, 'covered.yaml': covered, 'sound.yaml': sound }
  const ran = await scenario(['lint', '--format=github', ...Object.keys(files)], folder(files))
  expect(ran.code).toBe(1)
  const lines = ran.out.trim().split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/^::error file=late\.yaml,line=4,col=43,title=rules\[0\]\.when::The request/)
  expect(lines[2]).toMatch(/^::warning file=covered\.yaml,line=5,col=5,title=rules\[1\]::"some" never decides till: /)
})

it('tells a file that is not there from one that is wrong', async () => {
  const ran = await scenario(['lint', 'flaky-rial'])
  expect(ran).toMatchObject({ code: 2, out: '' })
  expect(ran.errors).toMatch(/There is no scenario "flaky-rial"\. Did you mean "flaky-rail"\?/)
})

it.for<[typed: string, says: RegExp]>([
  ['lint --format yaml x.yaml', /--format: expected text, json or github, got "yaml"\./],
  ['explain default', /--on is missing\. Expected one of send-money/],
  ['explain default --on till --url http://x', /Expected either a FILE, or --url and --world/],
  ['explain default --on till --request {', /--request: expected json, got "\{"/],
  ['explain default --on till --at yesterday', /--at: must be a time/],
  ['explain default --on getTokn', /--on: there is no "getTokn"\. Did you mean "getToken"\?/],
  ['explain default --on till --nth 0', /--nth: must be at least 1, got 0/],
  ['explain default --on till --seed -1', /--seed: expected a whole number from 0 to 4294967295, got "-1"/],
  ['verify --url localhost:8080', /--url: expected an address/],
  ['new Month', /"Month" is no name for a scenario/],
  ['new month --extends flaky', /--extends: there is no scenario "flaky"/],
])('mfano scenario %s', async ([typed, says]) => {
  const ran = await answer(['scenario', ...typed.split(' ')])
  expect(ran).toMatchObject({ code: 2, out: '' })
  expect(ran.errors).toMatch(says)
})

it.each([
  ['webhooks: { retry: { attempts: 3 } }', 'callbacks'],
  ['rules: [{ name: a, on: till, every: 3, then: { after: 1s, end: FAILED } }]', 'nth: { every: 3 }'],
  ['rules: [{ name: a, on: till, probability: 0.1, then: { after: 1s, end: FAILED } }]', 'chance'],
  ['rules: [{ name: a, on: till, if: request.amount > 4, then: { after: 1s, end: FAILED } }]', 'when'],
  ['rules: [{ name: a, on: stk-push, then: { after: 1s, end: FAILED } }]', 'stk'],
  ['rules: [{ name: a, on: till, then: { delay: 1s, end: FAILED } }]', 'after'],
  ['rules: [{ name: a, on: till, then: { after: 1s, end: FAILED, webhook: { drop: true } } }]', 'callback'],
])('knows the words of the field: %s', async (line, meant) => {
  const { out } = await scenario(['lint', 'a.yaml'], folder({ 'a.yaml': `name: a\ndescription: A.\n${line}\n` }))
  expect(out).toContain(`Did you mean "${meant}"?`)
})
