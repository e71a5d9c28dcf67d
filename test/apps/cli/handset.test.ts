import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { answer, asking } from './support.ts'

// A tester plays the customer of an STK push from the command line.

const bench = useBench()
const { at, said, json } = asking(bench)
const PHONE = '254712345678'

/** A world whose prompts wait for the phone, with one prompt on it. */
async function prompted() {
  const world = await bench.world({ scenario: 'handset' })
  await said(world, `payment collect stk ${PHONE} 500`)
  await said(world, 'clock advance 1s')
  const [{ uuid }] = (await json(world, 'payment list')).payments
  return { world, uuid }
}

it('lists phones with the prompts that wait, and says how to get one', async () => {
  expect(await said(await bench.world(), 'handset')).toMatch(
    /^No phones yet\. Simulate a payment by phone: mfano payment collect stk 254712345678 150/,
  )
  const { world, uuid } = await prompted()
  expect(await said(world, 'handset list')).toMatch(new RegExp(`^PHONE .*PROMPTS +MESSAGES\\n${PHONE} .* 1 +0\\n$`))
  expect(await said(world, `handset show ${PHONE}`)).toMatch(
    new RegExp(`\\n${uuid} +KES 500\\.00 +Example Merchant Ltd +24 Jan 2025, 1\\d:\\d\\d:\\d\\d`),
  )
})

it.each([
  ['approves the only prompt', 'approve PHONE', 'SUCCESS', 'with a receipt'],
  ['declines a prompt that is named', 'decline PHONE UUID', 'FAILED'],
  ['types a wrong PIN', 'approve PHONE --pin 0000', 'FAILED'],
])('%s', async (_, typed, status, receipt = '') => {
  const { world, uuid } = await prompted()
  const told = await said(world, `handset ${typed.replace('PHONE', PHONE).replace('UUID', uuid)}`)
  expect(told).toContain('No prompts are waiting.')
  await said(world, 'clock advance 1h')
  expect(await json(world, `payment show ${uuid}`)).toMatchObject({ status })
  if (receipt) expect(await said(world, `handset show ${PHONE}`)).toMatch(/\nMessages\nAT .*\n24 Jan 2025, .*500/)
})

it('asks for a name where several wait, and says so where none does', async () => {
  const { world } = await prompted()
  await said(world, `payment collect stk ${PHONE} 250`)
  await said(world, 'clock advance 1s')
  const several = await answer(['handset', 'approve', PHONE, ...at(world)])
  expect(several).toMatchObject({ code: 1 })
  expect(several.errors).toMatch(/2 prompts are waiting on 254712345678\.\s+Name one: \S+, \S+/)
  const none = await answer(['handset', 'decline', '254700000001', ...at(world)])
  expect(none.errors).toMatch(/No prompt is waiting on 254700000001\.\s+List all phones: mfano handset list/)
})
