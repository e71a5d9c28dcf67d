import { expect, it, onTestFinished, vi } from 'vitest'
import { openLog, readSettings, startSimulator } from '../../../src/apps/index.ts'
import { startMfano } from '../../../src/apps/testing/index.ts'

// What only looks like such a program here is the program itself in test/packed/older-node.night.test.ts.

it.each([
  [{ node: '20.20.2' }, '20.20.2', { npm_lifecycle_event: 'test' }, 'npx -p node@24 npm test'],
  [{ node: '22.12.0' }, '22.12.0', { npm_lifecycle_event: 'check' }, 'npx -p node@24 npm run check'],
  [
    { node: '22.12.0' },
    '22.12.0',
    { npm_lifecycle_event: 'npx', npm_lifecycle_script: "vitest 'run'" },
    String.raw`npx -p node@24 -c 'vitest '\''run'\'''`,
  ],
  [{ node: '24.3.0', bun: '1.3.0' }, 'Bun 1.3.0', { npm_lifecycle_event: undefined }, 'npx -p node@24 npm test'],
])('nothing starts in %j, and says what it needs and how to repeat the command', async (versions, name, env, again) => {
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const own = Object.getOwnPropertyDescriptor(process, 'versions') as PropertyDescriptor
  onTestFinished(() => void Object.defineProperty(process, 'versions', own))
  Object.defineProperty(process, 'versions', { ...own, value: { ...process.versions, ...versions } })

  const sentence = `mfano needs Node.js 22.19, 24 or newer, and this is ${name} (${process.execPath}).`
  const kit = await startMfano().catch((error) => error)
  expect(kit).toMatchObject({
    code: 'NOT_STARTED',
    details: `${sentence}\nRun it with a newer one: ${again}`,
  })

  const reading = readSettings([], { PORT: '0', MFANO_DATA: ':memory:', MFANO_LOG: 'off' })
  if (reading.error !== undefined) throw new Error(reading.error)
  const { settings } = reading
  await expect(startSimulator(settings, await openLog(settings))).rejects.toThrow(sentence)
})
