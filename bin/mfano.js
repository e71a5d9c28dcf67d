#!/usr/bin/env node
// @ts-check
// The command. Any Node must be able to read this file, if only to say that it is too old; so it keeps to the syntax of
// 2020, and imports the rest afterwards. A package has a program that is built; a clone bundles its sources when they
// have changed.
import { existsSync } from 'node:fs'
import module from 'node:module'
import process from 'node:process'
import { unfitNode } from './node-version.js'

const inClone = existsSync(new URL('../src/apps/cli.ts', import.meta.url))
const unfit = unfitNode()

if (unfit === undefined) {
  // Compiled code is kept between starts. From here on, because a clone that kept it from its first source file on would
  // have to load what takes the types out of that one.
  module.enableCompileCache()
  const program = inClone
    ? import('../install/own-program.js').then(({ ownProgram }) => ownProgram())
    : Promise.resolve(new URL('../dist/cli.mjs', import.meta.url))
  program.then(({ href }) => import(href))
} else if (inClone) {
  import('../install/newer-node.js').then(({ runWithNewerNode }) => runWithNewerNode(process.argv.slice(1)))
} else {
  const quoted = process.argv
    .slice(2)
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`))
  process.stderr.write(`${unfit}: ${['npx -p node@24 -p mfano mfano', ...quoted].join(' ')}\n`)
  process.exitCode = 1
}
