import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'mfano-imports-'))
const files = {
  'package.json': '{ "type": "module" }',
  'start.js': `import { resolveImports } from ${JSON.stringify(new URL('../../../src/apps/cli/start/resolve-imports.ts', import.meta.url))}
resolveImports()
const { default: told } = await import(process.argv[2])
console.log(JSON.stringify(told))`,
  'one.js': `import { two } from './two.js'
import three from './old/three.js'
import four from './old/four.js'
import { five } from './old/five.mjs'
import six from './six.json' with { type: 'json' }
import { seven } from './seven.ts'
import again, { two as same } from './old/../two.js'
export default [two, three, four, five, six, seven, again, same === two]`,
  'two.js': `export const two = { two: import.meta.url.endsWith('/two.js') }; export default 'two'`,
  'old/package.json': '{ "type": "commonjs" }',
  'old/three.js': `module.exports = require('./four') + 1`,
  'old/four.js': 'module.exports = 4',
  'old/five.mjs': `export { five } from './more/five.mjs'`,
  'old/more/five.mjs': 'export const five = 5',
  'six.json': '{ "six": 6 }',
  'seven.ts': 'export const seven: number = 7',
  'lost.js': `import './two.js'
import './missing.js'`,
}

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

const imported = (file: string) => promisify(execFile)(process.execPath, [join(folder, 'start.js'), `./${file}`])

test('files of one folder that end alike are of one format, and those of others of theirs', async () => {
  const { stdout } = await imported('one.js')
  expect(JSON.parse(stdout)).toEqual([{ two: true }, 5, 4, 5, { six: 6 }, 7, 'two', true])
})

test('a file that is not there is named', async () => {
  await expect(imported('lost.js')).rejects.toThrow(join(folder, 'missing.js'))
})
