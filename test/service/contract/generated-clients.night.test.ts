/** What generators of clients make of both contracts compiles, and knows errors by their form. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import openapiTS, { astToString } from 'openapi-typescript'
import { generate } from 'openapi-typescript-codegen'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { useBench } from '../../support/harness.ts'

const bench = useBench()
const directory = mkdtempSync(join(tmpdir(), 'mfano-generated-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Generators and a compiler over half a megabyte, on a machine that may be busy. */
vi.setConfig({ testTimeout: 240_000 })

const COMPILER = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
const STRICT = [
  ...['--strict', '--noEmit', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ...['--allowImportingTsExtensions', '--lib', 'es2022,dom,dom.iterable', '--types', ''],
]

/** What a strict compiler says of files. */
function complaints(...files: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMPILER, ...STRICT, ...files], {
    cwd: directory,
    encoding: 'utf8',
  })
  return status === 0 ? '' : `tsc ended with ${status}\n${stdout}${stderr}`
}

/** What somebody does with an error that a generated client gives. */
const useOfErrors = {
  service: `import type { CreateSendMoneyError } from './types.gen.ts'
export const told = (failed: CreateSendMoneyError): string => failed.error.code
`,
  control: `import type { WorldCreateError } from './types.gen.ts'
export const told = (failed: WorldCreateError): string => failed.error.code
`,
}

describe.each([
  ['service', '/openapi.json'],
  ['control', '/_mfano/openapi.json'],
] as const)('the contract of the %s', (name, path) => {
  const document = async (query = '') => {
    const { body } = await (await bench.world()).raw('GET', `${path}${query}`)
    expect(Object.keys(body.paths).length).toBeGreaterThan(20)
    return body
  }

  it('becomes types of openapi-typescript that compile', async () => {
    const file = join(directory, `${name}.ts`)
    writeFileSync(file, astToString(await openapiTS(await document())))
    expect(complaints(file)).toBe('')
  })

  it('becomes a client of hey-api that compiles, errors and all', async () => {
    const folder = join(directory, name)
    mkdirSync(folder)
    const input = join(directory, `${name}.json`)
    writeFileSync(input, JSON.stringify(await document()))
    await createClient({ input, output: { path: folder }, logs: { level: 'silent' } })
    const use = join(folder, 'use.ts')
    writeFileSync(use, useOfErrors[name])
    expect(complaints(join(folder, 'sdk.gen.ts'), use)).toBe('')
  })

  it('becomes a client of a generator that knows 3.0 alone, and compiles', async () => {
    const output = join(directory, `${name}-3.0`)
    const input = await document('?as=3.0')
    expect(input.openapi).toBe('3.0.3')
    // Its enums would be named after fields, and one is named in, which is a word of TypeScript.
    await generate({ input, output, httpClient: 'fetch', useUnionTypes: true })
    expect(complaints(join(output, 'index.ts'))).toBe('')
  })
})
