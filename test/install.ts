/**
 * Installs what long tests, the bench and the Workers host need beside the root's packages: `npm ci` of
 * test/package-lock.json, unless that has been done. Unpacks a browser where the machine has none; with the word
 * `browser`, a machine that has one needs nothing. Generated files are made as new as the sources.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateIfStale } from '../install/generated.js'
import { npm } from '../install/newer-node.js'
import { findChromium, unpackChromium } from './support/chromium.ts'

const here = import.meta.dirname
const lock = readFileSync(join(here, 'package-lock.json'), 'utf8')
const note = join(here, 'node_modules/.installed-lock')

if (process.argv[2] !== 'browser' || !findChromium()) {
  if (!existsSync(note) || readFileSync(note, 'utf8') !== lock) {
    console.error('Installing what is beside the root: npm ci in test/, once')
    npm(['ci'], here)
    writeFileSync(note, lock)
  }
  if (!findChromium()) await unpackChromium()
}
generateIfStale()
