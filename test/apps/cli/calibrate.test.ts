import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { assuming } from '../../support/contract.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { entry } from '../../support/program-entry.ts'
import { answer, folder } from './support.ts'

const bench = useBench()
const SOME = ['error-body', 'unknown-fields', 'list-order'].flatMap((id) => ['--assumption', id])

function keysOf({ credentials: { apiKey, apiSecret, companyId } }: TestWorld): void {
  vi.stubEnv('PAYMENTS_KEY', apiKey).stubEnv('PAYMENTS_SECRET', apiSecret).stubEnv('PAYMENTS_COMPANY', companyId)
}

const asking = (world: TestWorld, ...more: string[]) =>
  answer(['calibrate', '--base-url', world.baseUrl, '--pace', '0s', ...more])

it('plans without a key, and sends nothing', async () => {
  const { code, out } = await answer(['calibrate', '--base-url', 'https://api.provider.example', '--plan'])
  expect(code).toBe(0)
  expect(out).toContain(
    'POST /api/sandbox/v1/allocations/new {"amount":9000000000000000}  [certain to be refused: impossible-amount]',
  )
  expect(out).toContain('payment, not asked without --allow payment')
  expect(out).toContain('Cannot be asked')
})

it('writes what it found', async () => {
  const world = await bench.world(assuming({ 'error-body': 'flat' }))
  keysOf(world)
  const out = join(folder(), 'measured.yaml')
  const first = await asking(world, '--out', out, ...SOME)
  expect(first).toMatchObject({ code: 0, errors: '' })
  expect(first.out).toMatch(/^holds +error-body: flat$/m)
  expect(first.out).toContain('could not be told  list-order  the account has less than two records in each list\n')
  expect(readFileSync(out, 'utf8')).toContain('  error-body: { is: "flat", on: "')
  expect(readFileSync(out.replace('.yaml', '.json'), 'utf8')).not.toContain(world.credentials.apiSecret)
})

it('says by 2 that the service could not be asked', async () => {
  const world = await bench.world()
  keysOf(world)
  vi.stubEnv('PAYMENTS_SECRET', 'another')
  const { code, out } = await asking(world, ...SOME)
  expect(code).toBe(2)
  expect(out).toContain('get-token answered 401')
})

it('keeps what it knows when it is interrupted', async () => {
  const world = await bench.world(assuming({ 'error-body': 'flat' }))
  keysOf(world)
  const out = join(folder(), 'measured.yaml')
  const typed = ['calibrate', '--base-url', world.baseUrl, '--out', out, '--pace', '100ms']
  const child = spawn(process.execPath, [entry, ...typed], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (said === '') child.kill('SIGINT')
    said += text
  })
  expect(await once(child, 'close')).toEqual([0, null])
  expect(said).toContain('Stopped: it was interrupted.')
  expect(readFileSync(out, 'utf8')).toContain('  error-body: "flat"\n')
})

it('asks no address that may be something else, and nobody without a key', async () => {
  vi.stubEnv('PAYMENTS_KEY', '')
  const elsewhere = await answer(['calibrate', '--base-url', 'https://api.provider.example/live'])
  expect(elsewhere.code).toBe(2)
  expect(elsewhere.errors).toContain('If it is the sandbox, give --base-url twice.')
  const keyless = await answer(['calibrate', '--base-url', 'http://localhost:1'])
  expect(keyless.code).toBe(2)
  expect(keyless.errors).toContain('PAYMENTS_KEY')
  const unknown = await answer(['calibrate', '--base-url', 'http://localhost:1', '--allow', 'money'])
  expect(unknown.errors).toContain('--allow: expected some of free, session, lasting')
})

it('asks nothing where its answers could not be written', async () => {
  const world = await bench.world()
  keysOf(world)
  const { code, errors } = await asking(world, '--out', join(folder(), 'none/measured.yaml'), ...SOME)
  expect([code, errors]).toEqual([2, expect.stringContaining('there is no such folder')])
  expect((await world.control('GET', '/requests')).requests).toEqual([])
})
