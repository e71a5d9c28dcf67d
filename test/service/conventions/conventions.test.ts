/** What no source shows and no alternative is offered for is declared, and is so. */
import { expect, it } from 'vitest'
import { conventions } from '../../../src/service/assumptions/conventions.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'
import { ofFields } from './of-fields.ts'
import { ofPayments } from './of-payments.ts'
import { ofRequests, type Shown } from './of-requests.ts'
import { ofTransport } from './of-transport.ts'

const bench = useBench()
const { facts } = paymentsService
const shown: Record<string, Shown> = { ...ofRequests, ...ofTransport, ...ofFields, ...ofPayments }

it.for(Object.entries(shown))('%s: as it is declared', async ([name, [asked, is]], context) => {
  if (name === 'headers that are too large') needsProcess('sockets', context)
  expect(facts.find((one) => one.about === 'convention' && one.name === name)).toMatchObject({
    basis: 'assumed',
    assumption: null,
    convention: name,
    source: null,
  })
  expect(await asked(await bench.world(), bench.receiver)).toEqual(is)
})

it('says of each convention what happens and why there is no choice, and shows that it happens', () => {
  const told = facts.filter(({ about }) => about === 'convention')
  expect(told.map(({ name }) => name)).toEqual(Object.keys(conventions))
  expect(told.filter(({ value, meaning }) => value.length === 0 || !/\w+ \w+/.test(meaning))).toEqual([])
  expect(Object.keys(conventions).filter((name) => !(name in shown))).toEqual([])
})
