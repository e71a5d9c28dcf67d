/** What following a program costs it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('has Node watch none of its promises', async ({ signal }) => {
  const file = JSON.stringify(new URL('../../../src/apps/clock/app-activity.ts', import.meta.url).href)
  // Behind each await Node has another id where promises are watched, and one and the same where they are not.
  const script = `
    import { createHook, executionAsyncId } from 'node:async_hooks'
    const { AppActivity } = await import(${file})
    const ids = async () => {
      const seen = new Set()
      for (let i = 0; i < 3; i++) { await i; seen.add(executionAsyncId()) }
      return seen.size
    }
    const activity = new AppActivity()
    const followed = await ids()
    createHook({ init() {} }).enable()
    console.log(followed, await ids())
    activity.stop()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { signal })
  expect(stdout.trim()).toBe('1 3')
})
