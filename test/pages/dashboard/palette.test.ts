import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { expectAccessible } from '../axe.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

/** What the arrow keys have come to. */
const selected = (page: Page) => page.locator('[role=option][aria-selected=true]')

it('finds pages, does things, and gives the focus back', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const page = await open(world)
  await page.getByTestId('clock').focus()
  await page.keyboard.press('ControlOrMeta+k')
  await selected(page).filter({ hasText: 'Overview' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.type('wall')
  await selected(page).filter({ hasText: 'Wallets and ledger' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByTestId('palette').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-testid') === 'clock')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('advance 5s')
  await selected(page).filter({ hasText: 'Advance the clock by 5s' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByTestId('told').filter({ hasText: 'Advanced by 5s' }).waitFor()
  await page.getByTestId('now').filter({ hasText: '16:28:05' }).waitFor()
})

it('finds a payment by phone, amount, reference and id, and what was told and asked of it', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { phoneNumber: '254711000404', amount: 1500, referenceId: 'Salary-7' })
  await bench.pay(world)
  await world.advance('5s')
  const page = await open(world)
  await page.getByTestId('open-palette').click()
  for (const text of ['+254 711 000 404', '0711000404', 'KES 1,500.00', 'salary-7', uuid]) {
    await page.getByTestId('palette').fill(text)
    const payments = page.getByRole('group', { name: 'Payments' }).getByRole('option')
    await payments.filter({ hasText: 'Salary-7, KES 1,500.00' }).waitFor()
    await expect.poll(() => payments.count()).toBe(1)
  }
  await page.getByRole('group', { name: 'Callbacks' }).getByRole('option').filter({ hasText: 'Salary-7' }).waitFor()
  await page
    .getByRole('group', { name: 'Requests' })
    .getByRole('option')
    .filter({ hasText: 'createSendMoney' })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/#/payments/${uuid}`)
})

it('finds scenarios, worlds, organisations and documentation', async () => {
  const world = await bench.world()
  const page = await open(world)
  const find = async (text: string, group: string) => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByTestId('palette').fill(text)
    return page.getByRole('group', { name: group }).getByRole('option').first()
  }
  await (await find('example merchant', 'Organisations')).waitFor()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByTestId('palette').waitFor({ state: 'detached' })
  await (await find(world.id, 'Worlds')).filter({ hasText: world.id }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByTestId('palette').waitFor({ state: 'detached' })
  await (await find('signatures', 'Documentation')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByTestId('palette').waitFor({ state: 'detached' })
  await (await find('late-rev', 'Scenarios')).filter({ hasText: 'late-reversal' }).click()
  await page
    .getByTestId('verdict')
    .filter({ hasText: 'late-reversal' })
    .filter({ hasText: 'not in force yet' })
    .waitFor()
})

it('says which keys there are, and goes by them', async () => {
  const world = await bench.world()
  const page = await open(world)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).filter({ hasText: 'Find anything' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.type('gp')
  await page.waitForURL('**/#/payments')
  await page.getByTestId('search').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('g?')
  await page.waitForURL('**/#/payments?search=*')
  expect(await page.getByRole('dialog').count()).toBe(0)
})
