import { expect, test } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { durabilities } from '../../../src/hosts/node/settings.ts'
import { START } from '../../support/harness.ts'
import { dataDirectory } from '../../support/restart.ts'
import { merchant, payout, stored } from './load.ts'
import { start } from './started.ts'

// The real program, killed at the worst moment that there is.

test.each(durabilities)(
  'a kill in the middle of an advance turns no time back and loses none of what was due, with durability %s',
  {
    timeout: 60_000,
  },
  async (durability) => {
    const directory = dataDirectory()
    const { receiver, heard, hears } = await merchant(new Chance(1))
    const flags = ['--durability', durability]
    const before = await start(directory, ...flags)
    await before.call('POST', '/_mfano/worlds', { id: 'frozen', clock: { mode: 'frozen', start: START } })
    const token = await before.login('/w/frozen')
    const uuids: string[] = []
    for (let i = 0; i < 30; i++) {
      const { body } = await before.call('POST', '/w/frozen/api/sandbox/v1/send-money', payout(receiver.url()), token)
      uuids.push(body.data.requestId)
      await before.call('POST', '/w/frozen/_mfano/clock/advance', { by: '50ms' })
    }
    // The program dies while it waits for an answer to the tenth callback.
    const tenth = new Promise<void>((resolve) => {
      const answer = receiver.answer
      receiver.answer = (received) => {
        if (heard.size === 9) resolve()
        return typeof answer === 'number' ? answer : answer(received)
      }
    })
    const advancing = before.call('POST', '/w/frozen/_mfano/clock/advance', { by: '1h' }).catch((error) => error)
    await tenth
    await before.program.kill()
    expect(await advancing).toBeInstanceOf(TypeError)

    const after = await start(directory, ...flags)
    const { now } = (await after.call('GET', '/w/frozen/_mfano/clock')).body
    const reached = (await stored(after, '/w/frozen')).filter(({ status }) => status === 'SUCCESS')
    expect(reached.length).toBeGreaterThanOrEqual(9)
    expect(reached.length).toBeLessThan(30)
    const newest = reached
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1)
    // Stamps of one moment are microseconds apart; the moment itself must not be earlier.
    expect(now.slice(0, 22) >= newest.slice(0, 22)).toBe(true)

    await after.call('POST', '/w/frozen/_mfano/clock/advance', { by: '2h' })
    await hears(uuids.map((uuid) => `${uuid} SUCCESS`))
    expect((await after.call('GET', '/w/frozen/_mfano/ledger?limit=1')).body.imbalances).toEqual([])
    expect((await after.call('GET', '/w/frozen/_mfano/callbacks')).body.counts).toMatchObject({ pending: 0, failed: 0 })
  },
)
