import { text } from 'node:stream/consumers'
import type { Download } from 'playwright-core'
import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { useDashboard } from './support.ts'

const bench = useBench()
const open = useDashboard()

/** What the browser would keep. */
const saved = async (file: Download) => text(await file.createReadStream())

it('begins a run by its name, reads its report, and ends it', async () => {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'before' })
  const page = await open(world, '/report')
  const report = page.frameLocator('[data-testid=report]')
  await report.getByRole('heading', { level: 1, name: world.id }).waitFor()
  await page.getByRole('link', { name: 'Choose a test run' }).click()
  await page.getByTestId('field-name').fill('payday <1>')
  await page.getByRole('button', { name: 'Start run' }).click()
  await report.getByRole('heading', { level: 1, name: 'payday <1>' }).waitFor()
  await report.getByText('Nothing was tested').waitFor()

  await bench.pay(world, { referenceId: 'salary-2' })
  await world.advance('1m')
  await page.getByTestId('again').click()
  await report.locator('#outcomes').getByText('SUCCESS').waitFor()
  await page.getByRole('link', { name: 'Choose a test run' }).click()
  await page.getByRole('button', { name: 'Actions of payday <1>' }).click()
  await page.getByRole('menuitem', { name: 'End…' }).click()
  await page.getByTestId('question').getByRole('button', { name: 'End' }).click()
  await expect.poll(async () => (await world.control('GET', '/runs')).runs[0].endedAt).not.toBe(null)
})

it('links to the report of a judge that is the note of a run', async () => {
  const world = await bench.world()
  const proof = 'https://ci.shop.example/builds/12/receipt.html'
  await world.control('POST', '/runs', { name: 'prove SAL-88121', note: proof })
  await world.control('POST', '/runs', { name: 'by hand', note: 'javascript:alert(1)' })
  const page = await open(world, '/runs')
  expect(await page.getByRole('link', { name: proof }).getAttribute('href')).toBe(proof)
  await page.getByText('javascript:alert(1)').waitFor()
  expect(await page.getByRole('link', { name: 'javascript' }).count()).toBe(0)
})

it('exports a list as it is filtered', async () => {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'salary-1' })
  await bench.pay(world, { referenceId: 'rent' })
  const page = await open(world, '/payments?search=salary-1')
  await page.getByText('salary-1').first().waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-payments').click()])
  const rows = await saved(file)
  expect(rows).toContain('salary-1')
  expect(rows).not.toContain('rent')
})

it('prints the report on A4, in light colours whatever the theme', async () => {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('1m')
  const page = await open(world, '/', { colorScheme: 'dark' })
  await page.goto(`${world.baseUrl}/_mfano/report?format=html`)
  await page.locator('#outcomes').getByText('SUCCESS').waitFor()
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await paper()).toBe('rgb(17, 22, 21)')
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf).toMatch(/^%PDF-/)
  expect(pdf).toMatch(/\/MediaBox \[0 0 59[45](?:\.\d+)? 84[12](?:\.\d+)?\]/)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await paper()).toBe('rgb(255, 255, 255)')
})

it('compares pasted books with the ledger, and shows the finding beside its payment', async () => {
  const world = await bench.world()
  const uuid = await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('5s')
  const page = await open(world, '/report')
  const report = page.frameLocator('[data-testid=report]')
  await page.getByTestId('field-books').fill('reference,amount,status\nsalary-1,100,FAILED')
  await page.getByRole('button', { name: 'Compare with the ledger' }).click()
  const findings = report.locator('#findings')
  await findings.getByText('stale').first().waitFor({ state: 'attached' })
  await findings.getByRole('link').first().click()
  await page.waitForURL(`**/#/payments/${uuid}`)
  const finding = page.getByTestId('finding')
  await finding.filter({ hasText: 'the books say FAILED' }).waitFor()
  // Books that are right take it away again, whoever sends them.
  await world.control('POST', '/reconcile', [{ reference: 'salary-1', amount: 100, status: 'SUCCESS' }])
  await page.goto(`${world.baseUrl}/_mfano/#/report`)
  await findings.getByText('They agree.').waitFor({ state: 'attached' })
  await page.goto(`${world.baseUrl}/_mfano/#/payments/${uuid}`)
  await page.getByTestId('story').waitFor()
  await expect.poll(() => finding.count()).toBe(0)
})

it('says what cannot be read of them', async () => {
  const page = await open(await bench.world(), '/report')
  await page.getByTestId('field-books').fill('[{ "amount": "much" }]')
  await page.getByRole('button', { name: 'Compare with the ledger' }).click()
  await page.getByTestId('error').filter({ hasText: 'books line 1, amount' }).waitFor()
})

it('shows what was exercised, and what was not', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const page = await open(world, '/coverage')
  const report = page.frameLocator('[data-testid=report]')
  await report.getByRole('heading', { level: 1, name: `Coverage of ${world.id}` }).waitFor()
  await report.getByText('RATE_LIMITED').first().waitFor({ state: 'attached' })
})
