import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('has a form for every kind that a merchant asks for, each with an example that is taken', async () => {
  const world = await bench.world()
  const { kinds } = await world.control('GET', '/kinds')
  const sendable = kinds.filter(({ operation }: { operation: string | null }) => operation !== null)
  const page = await open(world, '/send')
  for (const { phrase, operation } of sendable) {
    await page.getByTestId('send-kind').click()
    await page.getByRole('option', { name: phrase.replace(/^an? /, ''), exact: true }).click()
    // The form of this kind is there, and no answer to another.
    await page.getByText(operation, { exact: true }).first().waitFor()
    await page.getByTestId('send').click()
    await page.getByTestId('send-answer').getByRole('link', { name: 'Open request' }).waitFor()
  }
  const { requests } = await world.control('GET', '/requests?method=POST')
  const asked = requests.filter(({ operation }: { operation: string }) => operation !== 'getToken')
  expect(asked).toHaveLength(sendable.length)
})
