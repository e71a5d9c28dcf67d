// @ts-check
// Loads the built program. In Node's own cache of compiled code a file has only what V8 compiles when it loads it: each
// function that runs afterwards is compiled again in every start, which was a quarter of it. So what V8 has of a file at
// the end is kept here, beside what Node keeps, and taken along by the next start.
'use strict'
const { readFileSync, renameSync, writeFileSync } = require('node:fs')
const { createRequire, enableCompileCache, getCompileCacheDir } = require('node:module')
const { join } = require('node:path')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const PROGRAM = join(__dirname, '../dist/program')
/** The exit code of a command that is not known, or not typed so. */
const NOT_UNDERSTOOD = 2
/** A kept file begins with the checksum of the rest. */
const SUM_BYTES = 8

enableCompileCache()
const folder = getCompileCacheDir()
/** Other commands run other functions of a file. */
const command = process.argv[2]?.match(/^[a-z]+$/)?.[0] ?? 'start'
const others = createRequire(join(PROGRAM, 'run.cjs'))
/** @type {Map<string, { exports: any }>} */
const loaded = new Map()
/** Scripts by the file that they are kept in. @type {Map<string, import('node:vm').Script>} */
const unkept = new Map()

/**
 * What a file of the program requires.
 * @param {string} name
 */
function load(name) {
  if (!name.startsWith('./')) return others(name)
  const known = loaded.get(name)
  if (known) return known.exports
  const module = { exports: {} }
  loaded.set(name, module)
  const file = join(PROGRAM, name)
  compiled(file, name).runInThisContext()(module.exports, load, file, PROGRAM)
  return module.exports
}

/**
 * @param {string} file
 * @param {string} name
 */
function compiled(file, name) {
  const source = readFileSync(file)
  // By content, because V8 compares no more of it than its length.
  const kept = folder && join(folder, `${command}-${crc32(source)}-${name.slice(2)}`)
  const cachedData = kept && read(kept)
  const script = new Script(source.toString('latin1'), {
    filename: file,
    ...(cachedData && { cachedData }),
  })
  if (kept && (!cachedData || script.cachedDataRejected)) unkept.set(kept, script)
  return script
}

/** @param {string} kept */
function read(kept) {
  try {
    const bytes = readFileSync(kept)
    const code = bytes.subarray(SUM_BYTES)
    return bytes.readUInt32LE() === crc32(code) ? code : undefined
  } catch {
    return undefined
  }
}

/** The flags that a start sets are put back, because V8 takes no code that was compiled under others. */
function keep() {
  if (unkept.size === 0) return
  const { setFlagsFromString } = require('node:v8')
  for (const flag of ['--no-expose-gc', '--heap-growing-percent=0', '--allocation-site-pretenuring'])
    setFlagsFromString(flag)
  for (const [kept, script] of unkept)
    try {
      const code = script.createCachedData()
      const sum = Buffer.alloc(SUM_BYTES)
      sum.writeUInt32LE(crc32(code))
      writeFileSync(`${kept}.${process.pid}`, Buffer.concat([sum, code]))
      renameSync(`${kept}.${process.pid}`, kept)
    } catch {
      // Only the next start takes longer.
    }
}

// A mistyped command has nothing that another start would need.
process.once('exit', (code) => code === NOT_UNDERSTOOD || keep())
load('./run.cjs').main()
