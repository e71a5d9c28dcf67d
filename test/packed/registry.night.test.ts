/**
 * The package as a stranger gets it: published to a registry, and fetched from there into an empty folder by every package
 * manager. Package managers and other versions of Node come from npm's registry; where that does not answer, the tests
 * that need it are skipped, and say so.
 */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest'
import { ServiceCaller } from '../../src/client/service-client.ts'
import { bodies } from '../support/bodies.ts'
import { dayOrNight, isNight } from '../support/night.ts'
import { type OwnRegistry, ownRegistry } from '../support/registry.ts'

const run = promisify(execFile)
const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const VERSION = /^mfano 0\.1\.0, Node\.js [\d.]+$/m

// Each installs.
vi.setConfig({ testTimeout: 300_000 })

let registry: OwnRegistry
/** Whether npm's registry answers behind ours. */
let isOnline = false
beforeAll(async () => {
  registry = await ownRegistry()
  isOnline = await fetch(`${registry.url}is-number`).then(
    ({ ok }) => ok,
    () => false,
  )
}, 300_000)
afterAll(() => registry.close())

function emptyFolder(): string {
  const folder = mkdtempSync(join(inject('packed'), 'stranger-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  return folder
}

/** Runs a program in a folder; gives all that was said. */
async function said(folder: string, program: string, words: string[], more: Record<string, string> = {}) {
  const env = { ...registry.env, ...more }
  const { stdout, stderr } = await run(program, words, { cwd: folder, env, maxBuffer: 1e8 }).catch((error) => {
    throw new Error(`${program} ${words.join(' ')} failed:\n${error.stdout}\n${error.stderr}`)
  })
  return stdout + stderr
}

/** A program that npm's registry has, in a folder of its own. */
async function fetched(name: string, file: string, skip: (why: string) => void): Promise<string> {
  if (!isOnline) skip(`this machine has no npm registry, from which ${name} would come`)
  const folder = emptyFolder()
  await said(folder, 'npm', ['install', '--ignore-scripts', name])
  return join(folder, 'node_modules', name.slice(0, name.lastIndexOf('@')), file)
}

/** Starts it, asks for a first payment, and sees its dashboard. */
async function takesAPayment(folder: string, program: string, words: string[], more: Record<string, string> = {}) {
  const flags = ['start', '--port', '0', '--data', ':memory:', '--log', 'off', '--json']
  const env = { ...registry.env, ...more }
  const child = spawn(program, [...words, ...flags], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  const { baseUrl, credentials } = JSON.parse(line.value as string)
  const service = new ServiceCaller(baseUrl)
  await service.login(credentials)
  const body = bodies.till(`${baseUrl}/_mfano/inbox/till`)
  expect((await service.request('POST', '/api/sandbox/v1/till', { body })).status).toBe(201)
  const page = await fetch(`${baseUrl}/_mfano/`, { headers: { accept: 'text/html' } })
  expect([page.status, (await fetch(`${baseUrl}/docs/recipes/python.tar`)).status]).toEqual([200, 200])
  child.kill('SIGTERM')
  await once(child, 'close')
}

it('npx mfano, in an empty folder and without a network', async () => {
  const folder = emptyFolder()
  expect(await said(folder, 'npx', ['--yes', 'mfano', 'version'])).toMatch(VERSION)
  await takesAPayment(folder, 'npx', ['--yes', 'mfano'])
})

// These two would compile SQLite although it comes compiled, with a compiler and headers from nodejs.org.
const UNCOMPILED = '--ignore-scripts'

const FIRST_TEST = `import { expect } from 'vitest'
import { test } from 'mfano/testing/vitest'
test('a customer pays', async ({ world }) => {
  await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
  await world.clock.advance('1m')
  expect(await world.available()).toBeGreaterThan(1_000_000)
})`

if (isNight) {
  it('npm i -D mfano vitest, and a first test', async ({ skip }) => {
    if (!isOnline) skip('this machine has no npm registry, from which vitest would come')
    const folder = emptyFolder()
    await said(folder, 'npm', ['install', '--save-dev', 'mfano', 'vitest'])
    writeFileSync(join(folder, 'first.test.ts'), FIRST_TEST)
    expect(await said(folder, 'npx', ['vitest', 'run'], { NO_COLOR: '1' })).toMatch(/Tests +1 passed/)
  })

  it('pnpm add -D mfano', async ({ skip }) => {
    const pnpm = await fetched('pnpm@10', 'bin/pnpm.cjs', skip)
    const folder = emptyFolder()
    // A version is held back while it is new, where somebody asks for that; this one is seconds old.
    const store = { npm_config_store_dir: join(folder, 'store'), npm_config_minimum_release_age: '0' }
    await said(folder, process.execPath, [pnpm, 'add', '-D', 'mfano'], store)
    expect(await said(folder, process.execPath, [pnpm, 'exec', 'mfano', 'version'], store)).toMatch(VERSION)
    await takesAPayment(folder, join(folder, 'node_modules/.bin/mfano'), [])
  })

  it.for(['node-modules', 'pnp'])('yarn add -D mfano, with the linker %s', async (linker, { skip }) => {
    const yarn = await fetched('@yarnpkg/cli-dist@4', 'bin/yarn.js', skip)
    const folder = emptyFolder()
    writeFileSync(join(folder, 'yarn.lock'), '')
    const env = { YARN_NODE_LINKER: linker, YARN_GLOBAL_FOLDER: join(folder, '.yarn/global') }
    await said(folder, process.execPath, [yarn, 'add', '-D', 'mfano'], env)
    expect(await said(folder, process.execPath, [yarn, 'mfano', 'version'], env)).toMatch(VERSION)
    await takesAPayment(folder, process.execPath, [yarn, 'mfano'], env)
  })

  it('yarn 1: yarn add -D mfano --ignore-scripts', async ({ skip }) => {
    const yarn = await fetched('yarn@1.22.22', 'bin/yarn.js', skip)
    const folder = emptyFolder()
    const own = ['--registry', registry.url, '--cache-folder', join(folder, 'cache')]
    await said(folder, process.execPath, [yarn, 'add', '-D', 'mfano', UNCOMPILED, ...own])
    expect(await said(folder, process.execPath, [yarn, '--silent', 'mfano', 'version'])).toMatch(VERSION)
    await takesAPayment(folder, join(folder, 'node_modules/.bin/mfano'), [])
  })

  it('bun add -d mfano --ignore-scripts, and Node runs it', async ({ skip }) => {
    const bun = await fetched(`@oven/bun-${system.replace('arm64', 'aarch64')}@1.3.0`, 'bin/bun', skip)
    const folder = emptyFolder()
    const cache = `[install.cache]\ndir = "${join(folder, 'cache')}"\n`
    writeFileSync(join(folder, 'bunfig.toml'), `[install]\nregistry = "${registry.url}"\n${cache}`)
    await said(folder, bun, ['add', '-d', 'mfano', UNCOMPILED])
    expect(await said(folder, bun, ['run', 'mfano', 'version'])).toMatch(VERSION)
    await takesAPayment(folder, join(folder, 'node_modules/.bin/mfano'), [])
  })
}

it.for(dayOrNight(['22.19.0'], ['22.19.0', '26']))('npx mfano, on Node %s', async (version, { skip }) => {
  const node = await fetched(`node-${system}@${version}`, 'bin/node', skip)
  const folder = emptyFolder()
  await said(folder, 'npm', ['install', 'mfano'])
  const path = { PATH: [dirname(node), registry.env['PATH']].join(delimiter) }
  await takesAPayment(folder, 'npx', ['mfano'], path)
})
