/** What no source shows and no alternative is offered for is declared, and is so. */
import { expect, it } from 'vitest'
import { guesses } from '../../../src/service/facts/declared-guesses.ts'
import { facts } from '../../../src/service/facts/facts.ts'
import { useBench } from '../../support/harness.ts'
import { ofPayments } from './of-payments.ts'
import { ofRequests } from './of-requests.ts'

const bench = useBench()
const shown = { ...ofRequests, ...ofPayments }

it.each(Object.entries(shown))('%s: as it is declared', async (name, [asked, is]) => {
  expect(facts.find((one) => one.about === 'guess' && one.name === name)).toMatchObject({
    basis: 'assumed',
    assumption: null,
    source: null,
  })
  expect(await asked(await bench.world(), bench.receiver)).toEqual(is)
})

it('says of each guess what happens and why there is no choice, and shows that it happens', () => {
  const told = facts.filter(({ about }) => about === 'guess')
  expect(told.map(({ name }) => name)).toEqual(Object.keys(guesses))
  expect(told.filter(({ value, meaning }) => value.length === 0 || !/\w+ \w+/.test(meaning))).toEqual([])
  expect(Object.keys(guesses).filter((name) => !(name in shown))).toEqual([])
})
