#!/usr/bin/env node
// @ts-check
// The command. Any Node must be able to read this file, if only to say that it is too old; so it keeps to the syntax of
// 2020, and imports the rest afterwards. A package has a program that is built; a clone runs its sources.
import { existsSync } from 'node:fs'
import module from 'node:module'
import process from 'node:process'

const inClone = existsSync(new URL('../src/cli.ts', import.meta.url))
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major >= 24 || (major === 22 && minor >= 19)) {
  // Compiled code is kept between starts. From here on, because a clone that kept it from its first source file on would
  // have to load what takes the types out of that one.
  module.enableCompileCache()
  import(inClone ? '../src/cli.ts' : '../dist/cli.mjs')
} else if (inClone) {
  import('../install/newer-node.js').then(({ runWithNewerNode }) => runWithNewerNode(process.argv.slice(1)))
} else {
  const here = `this is ${process.versions.node} (${process.execPath})`
  process.stderr.write(`mfano needs Node.js 22.19, 24 or newer, and ${here}: npx -p node@24 -p mfano mfano\n`)
  process.exitCode = 1
}
