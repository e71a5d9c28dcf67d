/** `mfano calibrate`, against an mfano that stands in for the real service. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { assuming } from '../../support/contract.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
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
  expect(out).toContain('POST /api/sandbox/v1/allocations/new {}  [certain to be refused: missing-field]')
  expect(out).toContain('payment, not asked without --allow payment')
  expect(out).toContain('Cannot be asked')
})

it('writes what it found, goes on from there, and checks it later', async () => {
  const world = await bench.world(assuming({ 'error-body': 'flat' }))
  keysOf(world)
  const out = join(folder(), 'measured.yaml')
  const first = await asking(world, '--out', out, ...SOME)
  expect(first).toMatchObject({ code: 0, errors: '' })
  expect(first.out).toContain('error-body: flat\n')
  expect(first.out).toContain('list-order: could not be told: the account has less than two records in each list\n')
  expect(readFileSync(out, 'utf8')).toContain('  error-body: { is: "flat", on: "')
  const har = readFileSync(out.replace('.yaml', '.har'), 'utf8')
  expect(har).toContain('***secret-')
  expect(har + readFileSync(out.replace('.yaml', '.json'), 'utf8')).not.toContain(world.credentials.apiSecret)

  const again = await asking(world, '--out', out, ...SOME, '--json')
  expect(JSON.parse(again.out).requests).toBeLessThan(12)
  expect(existsSync(out.replace('.yaml', '-2.har'))).toBe(true)

  expect(await asking(world, '--check', out)).toMatchObject({ code: 0 })
  const moved = await bench.world(assuming({ 'error-body': 'nested' }))
  keysOf(moved)
  const checked = await asking(moved, '--check', out)
  expect(checked.code).toBe(1)
  expect(checked.out).toContain('error-body: was flat, is nested\n')
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

it('reads the HAR file of a calibration as any other traffic', async () => {
  const world = await bench.world(assuming({ 'error-body': 'flat' }))
  keysOf(world)
  const out = join(folder(), 'measured.yaml')
  await asking(world, '--out', out, ...SOME)
  const read = await answer(['calibrate', '--from', out.replace('.yaml', '.har')])
  expect(read.code).toBe(0)
  expect(read.out).toContain('error-body: flat\n')
})
