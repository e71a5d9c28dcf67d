#!/usr/bin/env node
// The entry, and nothing else: an older Node must be able to read this file to say that it is too old, so it keeps to
// syntax of 2020 and imports the rest only afterwards.
import * as nodeModule from 'node:module'

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `mfano needs Node.js 24 or newer; this is ${process.versions.node} (${process.execPath}).\n` +
      'Without installing one: npx -p node@24 -p mfano mfano\n' +
      'In a clone of the project, "npm ci" brings a fitting one and "npm start" uses it.\n',
  )
  process.exitCode = 1
} else {
  // Compiled code is kept between starts, which halves the time that the second one takes.
  nodeModule.enableCompileCache()
  import('./commands/main.ts').then(({ main }) => main())
}
