/** Types that openapi-typescript makes of the contract take the requests that the service takes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'

const bench = useBench()
const directory = mkdtempSync(join(tmpdir(), 'mfano-client-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** What a compiler says of a use of the types. */
async function complaints(use: string): Promise<string[]> {
  const world = await bench.world()
  const { body } = await world.raw('GET', '/openapi.json')
  writeFileSync(join(directory, 'api.ts'), astToString(await openapiTS(body)))
  const file = join(directory, 'use.ts')
  writeFileSync(file, `import type { operations } from './api.ts'\n${use}`)
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
    types: [],
  })
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

const bodyOf = (operation: string) =>
  `NonNullable<operations['${operation}']['requestBody']>['content']['application/json']`
const payout = `phoneNumber: '254712345678', amount: 1000, remarks: 'Salary', occasion: 'January', callbackUrl: 'http://localhost:1/'`

it('lets a request leave out its currency', async () => {
  const use = `export const kenyan: ${bodyOf('createSendMoney')} = { ${payout} }
export const prompt: ${bodyOf('createStkCollection')} = { phoneNumber: '254712345678', amount: 10, description: 'Bill', accountReference: 'A1', callbackUrl: 'http://localhost:1/' }
export const ugandan: ${bodyOf('createSendMoney')} = { phoneNumber: '256772345678', amount: 1000, currencyCode: 'UGX', narration: 'Wages', customerName: 'Sarah Nakato' }
`
  expect(await complaints(use)).toEqual([])
})

it('would hear of a request that the service refuses', async () => {
  const [told = ''] = await complaints(
    `export const wrong: ${bodyOf('createSendMoney')} = { ${payout.replace('1000', "'1000'")} }\n`,
  )
  expect(told).toContain("Type 'string' is not assignable to type 'number'")
})
