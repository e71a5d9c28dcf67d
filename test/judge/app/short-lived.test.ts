/** What a judged Node app preloads: V8 leaves the WebAssembly of `fetch` as it is. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../src/hosts/node/package.ts'

/** More than V8 needs to find that parser worth it. */
const ENOUGH = 100
const APP = `
const server = require('node:http').createServer((_, response) => response.end('{}'))
server.listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + server.address().port
  await new Promise((resolve) => require('node:http').get(url, (answer) => answer.resume().on('end', resolve)))
  for (let i = 0; i < ${ENOUGH} || process.argv[1] === 'on'; i++) await (await fetch(url)).text()
  process.exit()
})`

/** What V8 says of the WebAssembly that it compiles, until the app ends, or until it optimizes some. */
async function compiled(options: string[], words: string[]): Promise<string> {
  const child = spawn(process.execPath, [...options, '--trace-wasm-compilation-times', '-e', APP, '--', ...words])
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
    if (said.includes('TurboFan')) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return said
}

it('is compiled once, and not optimized', async () => {
  const preload = join(packageRoot(), 'bin/short-lived.cjs')
  const judged = await compiled(['--require', preload], [])
  expect(judged).toContain('using Liftoff')
  expect(judged).not.toContain('TurboFan')
  expect(await compiled([], ['on'])).toContain('using TurboFan')
})
