import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSettings } from '../../../src/apps/cli/start/read-settings.ts'
import { silentLog } from '../../../src/hosts/node/log.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'
import { mfano } from '../../support/program.ts'
import { dataDirectory } from '../../support/restart.ts'

it('refuses a data directory that another mfano has open, and takes it when that one has stopped', async () => {
  const directory = dataDirectory()
  const { settings } = readSettings(['--port', '0', '--data', directory, '--log', 'off'], {})
  if (!settings) throw new Error('the settings are wrong')
  const first = await startSimulator(settings, silentLog)
  await expect(startSimulator(settings, silentLog)).rejects.toMatchObject({
    message: expect.stringContaining('default.db is in use by another process'),
    hint: expect.stringContaining('--data'),
  })
  // Nor is anything taken for what a crash left, which the other one may be at.
  for (const name of ['shop.db', 'shop.db.before']) writeFileSync(join(directory, name), '')
  await expect(startSimulator(settings, silentLog)).rejects.toThrow('is in use by another process')
  expect(readdirSync(directory).filter((name) => name.startsWith('shop')).length).toBe(2)
  await first.close()
  const second = await startSimulator(settings, silentLog)
  expect(readdirSync(directory).filter((name) => name.startsWith('shop'))).toEqual([])
  await second.close()
})

it('keeps every other process off its worlds, those that it has just made among them', async () => {
  const directory = dataDirectory()
  const flags = ['--port', '0', '--data', directory]
  const { baseUrl } = await mfano(...flags).ready()
  const another = () => {
    const { ready, ended } = mfano(...flags)
    return Promise.race([ready().then(() => 'it started'), ended])
  }
  const refused = { code: 1, errors: expect.stringContaining('default.db is in use by another process') }
  expect(await another()).toMatchObject(refused)
  const ask = async (path: string, body?: string) =>
    (await fetch(`${baseUrl}/_mfano${path}`, { method: 'POST', ...(body !== undefined && { body }) })).status
  expect(await ask('/reset')).toBe(200)
  expect(await ask('/snapshots', '{"name":"now"}')).toBe(201)
  expect(await another()).toMatchObject(refused)
  expect(await ask('/snapshots/now/restore')).toBe(200)
  expect(await another()).toMatchObject(refused)
})
