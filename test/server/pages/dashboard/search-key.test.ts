import { it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

it('puts the cursor into the search of the page at "/"', async () => {
  const world = await bench.world()
  const page = await open(world, '/payments')
  await page.getByTestId('search').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('salary')
  await page.waitForURL('**/#/payments?search=salary*')
})
