import { pbkdf2 } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../../../src/apps/cli/start/read-settings.ts'
import { silentLog } from '../../../src/hosts/node/log.ts'
import { scenarioLibrary } from '../../../src/hosts/node/scenarios.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'
import { followScenario } from '../../../src/hosts/node/storage/watch.ts'
import { alarmRealMs } from '../../../src/hosts/node/wall.ts'
import { alarms } from '../../support/alarms.ts'
import { folder } from './support.ts'

const rules = (name: string) => `rules: [{ name: ${name}, on: till, then: { after: 1s, end: SUCCESS } }]\n`
const text = (head: string, rule: string) => `name: mine\ndescription: Mine.\n${head}${rules(rule)}`

/** For so long a file has to be left alone before it is read again. */
const QUIET_MS = 60

/** A simulator that follows `mine.yaml`, what it said, and a way to save. */
async function following(files: Record<string, string>, ...flags: string[]) {
  const directory = folder(files)
  const said: string[] = []
  let told = () => {}
  const say = (line: string) => {
    said.push(line)
    told()
  }
  const log = { ...silentLog, info: say, warn: say }
  const time = alarms()
  const watch = ['--scenario', join(directory, 'mine.yaml'), '--watch', '--port', '0', '--data', ':memory:', ...flags]
  const { settings, error } = readSettings(watch, {})
  if (!settings) throw new Error(error)
  const simulator = await startSimulator(settings, log, { realTime: time.host })
  onTestFinished(() => simulator.close())
  const path = (name: string) => join(directory, name)
  return {
    simulator,
    time,
    path,
    save: (name: string, content: string) => writeFileSync(path(name), content),
    /** The folder comes to rest; waits for a line then, and forgets what was said until then. */
    heard: async (pattern: RegExp) => {
      if (said.length === 0) {
        await time.set(QUIET_MS)
        time.pass(QUIET_MS)
      }
      while (!pattern.test(said.join('\n')))
        await new Promise<void>((resolve) => {
          told = resolve
        })
      return said.splice(0).join('\n')
    },
    decides: () => simulator.worlds.default.core.scenario.rules.find(({ on }) => on.includes('till'))?.name,
  }
}

it('takes a saved scenario for new payments', async () => {
  const { save, heard, decides, simulator } = await following({ 'mine.yaml': text('', 'first') })
  expect(decides()).toBe('first')
  save('mine.yaml', text('', 'second'))
  await heard(/scenario mine was read again/)
  expect(decides()).toBe('second')
  const made = await fetch(`${simulator.baseUrl}/_mfano/worlds`, { method: 'POST', body: '{"id":"other"}' })
  expect(made.status).toBe(201)
  expect(simulator.worlds.get('other').core.scenario.rules[0]?.name).toBe('second')
})

it('reports a broken one with its problems, and keeps the last good one', async () => {
  const { save, heard, decides, simulator } = await following({ 'mine.yaml': text('', 'first') })
  save('mine.yaml', text('sede: 7\n', 'second'))
  const said = await heard(/Did you mean "seed"\?/)
  expect(said).toMatch(
    /^the scenario cannot be used as it was saved; the last good one stays\n\S+mine\.yaml:3:1: sede: /,
  )
  expect(decides()).toBe('first')
  const made = await fetch(`${simulator.baseUrl}/_mfano/worlds`, { method: 'POST', body: '{"id":"other"}' })
  expect(made.status).toBe(201)
  save('mine.yaml', text('seed: 7\n', 'second'))
  await heard(/was read again/)
  expect(decides()).toBe('second')
})

it('warns of what comes to nothing, at the start and whenever it is saved', async () => {
  const idle = (name: string) => `parameters: { ${name}: { default: 1 } }\n`
  const { save, heard } = await following({ 'mine.yaml': text(idle('first'), 'first') })
  expect(await heard(/Nothing uses/)).toMatch(
    /^\S+mine\.yaml:3:15: parameters\.first: Nothing uses the parameter "first"\./,
  )
  save('mine.yaml', text(idle('second'), 'second'))
  expect(await heard(/Nothing uses/)).toMatch(/was read again.*\n\S+mine\.yaml:3:15: parameters\.second: /)
})

it('follows a file that an editor replaces, more than once', async () => {
  const { save, heard, decides, path } = await following({ 'mine.yaml': text('', 'first') })
  for (const name of ['second', 'third', 'fourth']) {
    save('.mine.yaml.swp', text('', name))
    renameSync(path('.mine.yaml.swp'), path('mine.yaml'))
    await heard(/was read again/)
    expect(decides()).toBe(name)
  }
  rmSync(path('mine.yaml'))
  await heard(/There is no file/)
  expect(decides()).toBe('fourth')
  save('mine.yaml', text('', 'fifth'))
  await heard(/was read again/)
  expect(decides()).toBe('fifth')
})

it('follows the files that it extends, also one that was missing', async () => {
  const base = `name: base\ndescription: Base.\n${rules('of the base')}`
  const mine = 'name: mine\ndescription: Mine.\nextends: ./base.yaml\n'
  const { save, heard, decides } = await following({ 'mine.yaml': mine, 'base.yaml': base })
  expect(decides()).toBe('of the base')
  save('base.yaml', base.replace('of the base', 'of the new base'))
  await heard(/was read again/)
  expect(decides()).toBe('of the new base')
  save('mine.yaml', mine.replace('base', 'other'))
  await heard(/There is no file "\.\/other\.yaml"/)
  save('other.yaml', base.replace('of the base', 'of the other'))
  await heard(/was read again/)
  expect(decides()).toBe('of the other')
})

it('sees what is saved in the moment after a file was first looked for', async () => {
  const file = join(folder({ 'mine.yaml': text('', 'first') }), 'mine.yaml')
  const scenario = scenarioLibrary().find(file)
  const again = Promise.withResolvers<unknown>()
  const read = (onFile: (file: string) => void) => {
    onFile(file)
    writeFileSync(file, text('', 'the second'))
    return scenario
  }
  // Whatever is looked at beside the program has to wait.
  for (let i = 0; i < 8; i++) pbkdf2('', '', 100_000, 64, 'sha512', () => {})
  onTestFinished(followScenario({ read, changed: again.resolve, broken: again.reject, alarm: alarmRealMs }).close)
  await again.promise
})

it('lets other files of the folder be', async () => {
  const { save, heard, decides } = await following({ 'mine.yaml': text('', 'first') })
  save('notes.txt', 'x')
  save('mine.yaml', text('', 'second'))
  expect(await heard(/was read again/)).not.toContain('\n')
  expect(decides()).toBe('second')
})

it('needs a file', async () => {
  const { settings } = readSettings(['--watch', '--port', '0', '--data', ':memory:'], {})
  if (!settings) throw new Error('the settings are wrong')
  await expect(startSimulator(settings, silentLog)).rejects.toThrow('--watch needs a scenario in a file')
})

it('is a flag without a value, or a variable', () => {
  expect(readSettings(['--watch', '--port', '0'], {}).settings).toMatchObject({ watch: true, port: 0 })
  expect(readSettings([], { MFANO_WATCH: 'true' }).settings?.watch).toBe(true)
  expect(readSettings([], { MFANO_WATCH: '0' }).settings?.watch).toBe(false)
  expect(readSettings([], { MFANO_WATCH: 'yes' }).error).toBe('MFANO_WATCH: expected true or false, got "yes".')
  expect(readSettings(['--watch=no'], {}).error).toBe('--watch: expected true or false, got "no".')
})
