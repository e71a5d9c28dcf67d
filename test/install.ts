/**
 * Installs what only tests and checks need, beside them: `npm ci` of test/package-lock.json, unless that has been done.
 * Where the machine has no browser to test pages in, one is unpacked. Its commands are linked to where `npx` and npm's scripts look, so that `npx vitest` and `npx biome` are found.
 * Files that are generated are made as new as the sources.
 */
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateIfStale } from '../install/generated.js'
import { npm } from '../install/newer-node.js'
import { findChromium, unpackChromium } from './support/chromium.ts'

const here = import.meta.dirname
const tools = join(here, 'node_modules')
const lock = readFileSync(join(here, 'package-lock.json'), 'utf8')
const note = join(tools, '.installed-lock')

if (!existsSync(note) || readFileSync(note, 'utf8') !== lock) {
  console.error('Installing what the tests need: npm ci in test/, once')
  npm(['ci'], here)
  writeFileSync(note, lock)
}
if (!findChromium()) await unpackChromium()

const windows = process.platform === 'win32'
const bin = join(here, '../node_modules/.bin')
for (const name of readdirSync(join(tools, '.bin'))) {
  const [from, to] = [join(tools, '.bin', name), join(bin, name)]
  if (existsSync(to) || (windows && !name.endsWith('.cmd'))) continue
  // One that leads nowhere any more.
  rmSync(to, { force: true })
  if (windows) writeFileSync(to, `@call "${from}" %*\r\n`)
  else symlinkSync(join('../../test/node_modules/.bin', name), to)
}
generateIfStale()
