#!/usr/bin/env node
// @ts-check
// The command. Any Node must be able to read this file, if only to say that it is too old; so it keeps to the syntax of
// 2020, and imports the rest afterwards. A package has a program that is built, and so has a clone without the libraries
// that are bundled (`npm ci --omit=dev`); any other clone bundles its sources when they have changed.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { unfitNode } from './node-version.js'

/** @param {string} path */
const has = (path) => existsSync(new URL(path, import.meta.url))
const inClone = has('../src/apps/cli.ts')
const unfit = unfitNode()

if (unfit === undefined) {
  // Compiled code is kept between starts. From here on, because a clone that kept it from its first source file on would
  // have to load what takes the types out of that one.
  module.enableCompileCache()
  const built = '../dist/cli.mjs'
  if (inClone && has('../node_modules/hono'))
    import('../install/own-program.js').then(({ ownProgram }) => import(ownProgram().href))
  else if (has(built)) import(built)
  else fail('This clone is not installed yet. Run npm ci in its folder')
} else if (inClone) {
  import('../install/newer-node.js').then(({ runWithNewerNode }) => runWithNewerNode(process.argv.slice(1)))
} else {
  const words = [relative(process.cwd(), fileURLToPath(import.meta.url)).replace(/\\/g, '/'), ...process.argv.slice(2)]
  const quoted = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`))
  fail(`${unfit}. Run it with a newer one: npx node@24 ${quoted.join(' ')}`)
}

/** @param {string} why */
function fail(why) {
  process.stderr.write(`${why}\n`)
  process.exitCode = 1
}
