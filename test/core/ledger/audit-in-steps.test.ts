/** An audit that lets others in between, and still compares what belongs together. */
import { expect, it } from 'vitest'
import { perform } from '../../../src/core/perform.ts'
import type { World } from '../../../src/core/world.ts'
import { fatedScenario, openWorld, payout } from '../../support/inside.ts'

const PAYMENTS = 25_000

async function filled(): Promise<World> {
  const world = openWorld(fatedScenario())
  for (let done = 0; done < PAYMENTS; done += 500)
    await world.commit.submit(() => {
      for (let i = 0; i < 500; i++) perform(world.core, payout())
    })
  return world
}

/** Goes through an audit, and does something after each step. */
async function auditWhile(world: World, between: (step: number) => Promise<unknown>) {
  const audit = world.core.store.ledger.auditing()
  for (let step = 1; ; step++) {
    const { done, value } = audit.next()
    if (done) return { imbalances: value, steps: step }
    await between(step)
  }
}

it('agrees with payments that begin, end and are rolled back between its steps', async () => {
  const world = await filled()
  const { core, commit } = world
  const end = (seq: number) =>
    commit.submit(() => core.ledger.complete(seq, seq % 2 === 0 ? 'post' : 'void', core.clock.now()))
  const { imbalances, steps } = await auditWhile(world, async (step) => {
    await commit.submit(() => perform(core, payout()))
    await end(step)
    await end(PAYMENTS - step)
    await commit
      .submit(() => {
        core.ledger.complete(PAYMENTS - 100 - step, 'post', core.clock.now())
        throw new Error('taken back')
      })
      .catch(() => {})
  })
  expect(imbalances).toEqual([])
  expect(steps).toBeGreaterThan(2)
}, 60_000)

it('sees a transfer that was changed behind its back', async () => {
  const world = await filled()
  const { imbalances } = await auditWhile(world, async (step) => {
    if (step === 1)
      world.core.store.sql.exec(`UPDATE transfer SET amountMinor = amountMinor + 7 WHERE id = ${PAYMENTS}`)
  })
  expect(imbalances).toMatchObject([
    { what: expect.stringMatching(/debits pending$/) },
    { what: expect.stringMatching(/credits pending$/) },
  ])
}, 60_000)
