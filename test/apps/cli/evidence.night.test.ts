/** Evidence of a small app, from real runs of the judges: made, checked, and outdated. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { command, folder, type Ran } from './support.ts'

const SECRET = 'key-that-nobody-may-see'
/** Pays, lets time pass, and looks at what came of it. It says its secret, as a careless suite would. */
const SUITE = `
const { PAYMENTS_BASE_URL: url, PAYMENTS_KEY: apiKey, PAYMENTS_SECRET: apiSecret, PAYMENTS_COMPANY: companyId } = process.env
const ask = async (method, path, body, token) => {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: 'Bearer ' + token }) }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return response.json()
}
console.log(process.env.APP_KEY)
const { data } = await ask('POST', '/api/v1/get-token', { apiKey, apiSecret })
const salary = { phoneNumber: '254712345678', amount: 100, remarks: 'May', occasion: 'May', referenceId: 'may-1', callbackUrl: url + '/_mfano/inbox/may' }
const paid = await ask('POST', '/api/sandbox/v1/send-money', salary, data.access_token)
await ask('POST', '/_mfano/clock/advance', { by: '10s' })
const query = new URLSearchParams({ requestId: paid.data.requestId, companyId })
const { data: record } = await ask('GET', '/api/sandbox/v1/send-money/single?' + query, undefined, data.access_token)
process.exit(record.status === 'SUCCESS' ? 0 : 1)
`
const duka = join(import.meta.dirname, '../../judge/explore/planted')

it('is made of one commit, counts for it, and for no other', { timeout: 300_000 }, async () => {
  const cwd = folder({ 'suite.mjs': SUITE, '.gitignore': 'evidence\n*.json\n' })
  cpSync(duka, cwd, { recursive: true })
  const git = (...typed: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@mfano.example', ...typed], { cwd })
  const commit = () => {
    git('add', '.')
    git('commit', '-qm', 'As it is')
  }
  git('init', '-q')
  commit()
  const mfano = (...typed: string[]): Promise<Ran> => command(typed, cwd, { APP_KEY: SECRET })
  const suite = [
    '--env',
    `APP_KEY=${SECRET}`,
    '--',
    process.execPath,
    'suite.mjs',
    `postgres://u:${SECRET}@db/x`,
    '-p',
    SECRET,
  ]
  const kept = ['--evidence', 'evidence']

  const judged = [
    await mfano('gauntlet', 'merchant.yaml', ...kept, '--scenario', 'callback-twice'),
    await mfano('matrix', ...kept, '--assumption', 'list-order', '--assumption', 'funds-check', '--alone', ...suite),
    await mfano('mutants', ...kept, '--only', 'status in the answer of getSendMoney', ...suite),
    await mfano('explore', 'merchant.yaml', ...kept, '--schedules', '2', '--within', '20s', '--jobs', '1'),
  ]
  expect(judged.map(({ code, errors }) => [code, errors])).toEqual(judged.map(() => [0, '']))

  const made = await mfano('evidence', '--need', 'gauntlet', '--need', 'matrix')
  expect([made.errors, made.code]).toEqual(['', 0])
  expect(made.out).toContain('Shown by matrix, gauntlet, explore, mutants.')
  expect(made.out).toContain('calibrate: not run.')
  expect(readdirSync(join(cwd, 'evidence')).sort()).toEqual([
    'evidence.json',
    'explore.json',
    'gauntlet.json',
    'index.html',
    'matrix.json',
    'mutants.json',
  ])
  for (const name of readdirSync(join(cwd, 'evidence')))
    expect(readFileSync(join(cwd, 'evidence', name), 'utf8')).not.toContain(SECRET)
  const page = readFileSync(join(cwd, 'evidence/index.html'), 'utf8')
  expect(page).toContain(git('rev-parse', 'HEAD').toString().trim())

  expect(await mfano('evidence')).toMatchObject({ code: 0 })
  expect(await mfano('evidence', '--need', 'calibrate')).toMatchObject({ code: 2 })
  const isOpen = (out: unknown) => ({ code: 2, out })
  writeFileSync(join(cwd, 'new.mjs'), '// In no commit.\n')
  expect(await mfano('evidence')).toMatchObject(isOpen(expect.stringContaining('have changes')))
  rmSync(join(cwd, 'new.mjs'))
  appendFileSync(join(cwd, 'suite.mjs'), '// Changed.\n')
  expect(await mfano('evidence')).toMatchObject(isOpen(expect.stringContaining('have changes')))
  commit()
  expect(await mfano('evidence')).toMatchObject(isOpen(expect.stringMatching(/of commit \w{10}, not of/)))
})
