import { expect, it, onTestFinished } from 'vitest'
import { openLog, readSettings, startSimulator } from '../../../src/apps/index.ts'
import { startMfano } from '../../../src/apps/testing/index.ts'

// What only looks like such a program here is the program itself in test/packed/older-node.long.test.ts.

it.each([
  [{ node: '20.20.2' }, '20.20.2'],
  [{ node: '22.12.0' }, '22.12.0'],
  [{ node: '24.3.0', bun: '1.3.0' }, 'Bun 1.3.0'],
])('nothing starts in %j, and says what it needs', async (versions, name) => {
  const own = Object.getOwnPropertyDescriptor(process, 'versions') as PropertyDescriptor
  onTestFinished(() => void Object.defineProperty(process, 'versions', own))
  Object.defineProperty(process, 'versions', { ...own, value: { ...process.versions, ...versions } })

  const sentence = `mfano needs Node.js 22.19, 24 or newer, and this is ${name} (${process.execPath}).`
  const kit = await startMfano().catch((error) => error)
  expect(kit).toMatchObject({
    code: 'NOT_STARTED',
    details: `${sentence}\nRun your tests with: npx -p node@24 npm test`,
  })

  const reading = readSettings([], { PORT: '0', MFANO_DATA: ':memory:', MFANO_LOG: 'off' })
  if (reading.error !== undefined) throw new Error(reading.error)
  const { settings } = reading
  await expect(startSimulator(settings, await openLog(settings))).rejects.toThrow(sentence)
})
