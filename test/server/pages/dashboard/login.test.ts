import { expect, it } from 'vitest'
import { useBench } from '../../../support/harness.ts'
import { expectAccessible } from '../axe.ts'
import { useBrowser } from '../browser.ts'

const TOKEN = 'a-token-that-nobody-guesses'
const bench = useBench({ settings: ['--admin-token', TOKEN] })
const browser = useBrowser()

it('lets in who knows the token, and remembers them in a cookie that no script reads', async () => {
  const { baseUrl } = bench.simulator
  const context = await browser()
  const page = await context.newPage()
  await page.goto(`${baseUrl}/_mfano/`)
  await page.waitForURL(`${baseUrl}/_mfano/login`)
  await expectAccessible(page)

  await page.getByLabel('Admin token').fill('another-token')
  await page.getByTestId('login').click()
  await page.getByTestId('wrong').waitFor()
  await page.getByLabel('Admin token').fill(TOKEN)
  await page.getByTestId('login').click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.locator('[data-live=true]').waitFor()

  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  expect(cookie?.value).not.toContain(TOKEN)

  await page.getByRole('button', { name: 'Log out' }).click()
  await page.waitForURL(`${baseUrl}/_mfano/login`)
  expect(await context.cookies()).toEqual([])
})

it('refuses a cookie that was altered, and one whose time is over', async () => {
  const { baseUrl } = bench.simulator
  const login = await fetch(`${baseUrl}/_mfano/login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token: TOKEN }),
  })
  const [name = '', value = ''] = (login.headers.get('set-cookie') ?? '').split(';')[0]?.split('=') ?? []
  const statusWith = async (cookie: string) => (await fetch(`${baseUrl}/_mfano/clock`, { headers: { cookie } })).status
  expect(await statusWith(`${name}=${value}`)).toBe(200)
  const [expires = '', proof = ''] = value.split('.')
  expect(await statusWith(`${name}=${Number(expires) + 1}.${proof}`)).toBe(401)
  expect(await statusWith(`${name}=1000000000.${proof}`)).toBe(401)
  expect(await statusWith(`${name}=${value.slice(0, -1)}`)).toBe(401)
  expect(await statusWith('')).toBe(401)
})

it('stands before the handset too, whoever answers a prompt', async () => {
  const phone = `${bench.simulator.baseUrl}/_mfano/handset/254711000100/`
  for (const method of ['GET', 'POST']) {
    const answer = await fetch(phone, { method, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '../../login'])
  }
})
