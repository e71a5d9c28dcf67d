#!/usr/bin/env node
// @ts-check
// The command. Any Node must be able to read this file, if only to say that it is too old; so it keeps to the syntax of
// 2020, and imports the rest afterwards. A package has a program that is built, and so has a clone without the libraries
// that are bundled (`npm ci --omit=dev`); any other clone runs its sources.
// No module of Node is imported: for an import Node lists all that the module exports, and loads what hangs on that.
import { unfitNode } from './node-version.js'

const unfit = unfitNode()

if (unfit === undefined) {
  const { existsSync } = process.getBuiltinModule('node:fs')
  const { createRequire, enableCompileCache } = process.getBuiltinModule('node:module')
  /** @param {string} path */
  const has = (path) => existsSync(new URL(path, import.meta.url))
  if (has('../src/apps/cli.ts') && has('../node_modules/hono')) {
    // Compiled code is kept between starts. From here on, because a clone that kept it from its first source file on would
    // have to load what takes the types out of that one.
    enableCompileCache()
    import('../install/generated.js')
      .then(({ generateIfStale }) => generateIfStale())
      .then(() => import('../install/unused.js'))
      .then(({ leaveOutUnused }) => leaveOutUnused())
      .then(() => import('../src/apps/cli.ts'))
  } else if (has('../dist/program')) createRequire(import.meta.url)('./program.cjs')
  else {
    process.stderr.write('This clone is not installed yet. Run npm ci in its folder\n')
    process.exitCode = 1
  }
} else import('./with-newer-node.js').then(({ withNewerNode }) => withNewerNode(unfit))
