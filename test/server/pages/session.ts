import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import type { Bench, TestWorld } from '../../support/harness.ts'
import type { useBrowser } from './browser.ts'

/** A checkout session as its merchant made it. */
export interface MadeSession {
  id: string
  checkoutUrl: string
  checkoutRef: string
}

/** A session of 1,500 shillings; the merchant's site and its callback endpoint are the bench's receiver. */
export async function makeSession(bench: Bench, world: TestWorld, changes: object = {}): Promise<MadeSession> {
  const made = await world.post('/api/sandbox/v1/checkout-sessions', {
    ...bodies.checkout(bench.receiver.url()),
    description: 'Payment for order #12345',
    successUrl: bench.receiver.url('/success?order=12345'),
    cancelUrl: bench.receiver.url('/cancel'),
    paymentReference: 'ORDER-12345',
    ...changes,
  })
  expect(made.status, made.text).toBe(201)
  return made.body
}

/** A new session, and its page in a browser that looks so. */
export async function openSession(
  bench: Bench,
  browser: ReturnType<typeof useBrowser>,
  {
    world,
    changes = {},
    look = {},
  }: { world?: TestWorld; changes?: object; look?: Parameters<typeof browser>[0] } = {},
) {
  const its = world ?? (await bench.world())
  const session = await makeSession(bench, its, changes)
  const page = await (await browser(look)).newPage()
  await page.goto(session.checkoutUrl)
  return { world: its, session, page }
}

/** The status as the merchant reads it. */
export async function statusOf(world: TestWorld, { id }: MadeSession): Promise<string> {
  return (await world.get(`/api/sandbox/v1/checkout-sessions/${id}`)).body.status
}

/** What pays by card, as the page's form sends it. */
export const byCard = { action: 'pay', method: 'CARD', number: '4242 4242 4242 4242', expiry: '08/30', cvc: '123' }

/** Types a card into the page. */
export async function fillCard(page: Page, number = byCard.number): Promise<void> {
  await page.getByTestId('card-number').fill(number)
  await page.getByTestId('card-expiry').fill(byCard.expiry)
  await page.getByTestId('card-cvc').fill(byCard.cvc)
}

/** What the page's form sends, without a browser. */
export function submit(
  { checkoutUrl }: MadeSession,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return fetch(checkoutUrl, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form), headers })
}

/** Opens the page of a paid session and reads it before it leads home, which waits for as long as that takes. */
export async function openPaid(page: Page, { checkoutUrl }: MadeSession): Promise<void> {
  const read = Promise.withResolvers<void>()
  await page.route(/\/success/, async (route) => {
    await read.promise
    await route.continue()
  })
  await page.goto(checkoutUrl)
  await page.locator('[data-status=SUCCEEDED]').filter({ hasText: 'Paid' }).waitFor()
  read.resolve()
  await page.waitForURL(/\/success/)
}

/** The phone of a listed subscriber. */
export const JANE = '254711000100'

/** Has her phone ring for 1,500 shillings; gives the payment's id. */
export async function askByPhone(bench: Bench, world: TestWorld): Promise<string> {
  const chairs = { amount: 1500, description: 'Two chairs', accountReference: 'D1' }
  const asked = { ...bodies.stk(bench.receiver.url()), phoneNumber: JANE, ...chairs }
  const { body } = await world.post('/api/sandbox/v1/stk/new', asked)
  return body.data.requestId
}
