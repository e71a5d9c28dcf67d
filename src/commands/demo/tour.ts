/** The tour: a merchant pays and is paid in every way, some of it fails, and time passes. */
import type { Mfano, Wallet } from '../../testing/index.ts'
import type { Output } from '../output.ts'
import { table } from '../table.ts'
import { amount } from '../words.ts'
import { DemoContext, kes, showCallback, tzs } from './demo-context.ts'
import type { DemoOutput } from './demo-output.ts'
import { Merchant } from './merchant.ts'

/** A Friday morning. */
const START = '2025-01-24T09:00:00'
export const SECTIONS = 7
const words = { remarks: 'Demo', occasion: 'Friday' }

/** Plays it from the beginning to the end. Every request in it is a real one, and so is every callback. */
export async function runDemo(mfano: Mfano, report: DemoOutput, output: Output): Promise<void> {
  const world = await mfano.world({ id: 'demo', clock: { mode: 'frozen', start: START } })
  const merchant = new Merchant(async (told) => showCallback(report, await world.clock.now(), told))
  await merchant.open()
  try {
    const context = new DemoContext({ world, client: await world.client(), merchant, report })
    const before = await sandbox(context)
    await payingOut(context)
    await gettingPaid(context)
    await whatGoesWrong(context)
    await badMoment(context)
    await twoDaysLater(context)
    await whereTheMoneyWent(context, before, output)
  } finally {
    await merchant.close()
  }
}

async function sandbox(context: DemoContext): Promise<Wallet[]> {
  const { world, merchant, report } = context
  const { baseUrl } = world
  await report.section('A sandbox, and a shop')
  await context.say('mfano', `A sandbox is up at ${baseUrl}, in memory. Its clock stands still until it is moved.`, {
    baseUrl,
  })
  await context.say(
    'merchant',
    `A small shop takes callbacks at ${merchant.url}. It has traded its key for a token, good for 300 seconds.`,
  )
  const wallets = await world.wallets.list()
  const held = wallets.map(({ currency, available }) => `${currency} ${amount(available)}`)
  await context.say('merchant', `Its wallets hold ${held.join(', ')}.`, { wallets })
  return wallets
}

async function payingOut(context: DemoContext): Promise<void> {
  const { client, merchant, report, world } = context
  const told = { ...words, callbackUrl: merchant.url }
  await report.section('Paying out, in every way')
  const phone = await client.createSendMoney({ phoneNumber: '254712345678', amount: 1500, ...told })
  await context.paid(phone.data.requestId, `${kes(1500)} to the phone 254712345678`)
  const till = await client.createTillPayment({ businessNumber: '123456', amount: 250, ...told })
  await context.paid(till.data.requestId, `${kes(250)} to the till 123456`)
  const paybill = { businessNumber: '400200', accountNumber: '77-12', amount: 3200, ...told }
  const bill = await client.createPaybillPayment(paybill)
  await context.paid(bill.data.requestId, `${kes(3200)} to the paybill 400200, account 77-12`)
  await context.payBank('01100000000123', 'PETER OTIENO', 20_000, `${kes(20_000)} to a bank account`)
  const abroad = await client.createSendMoney({
    phoneNumber: '255712345678',
    amount: 45_000,
    currencyCode: 'TZS',
    narration: 'Demo',
    firstName: 'Asha',
    lastName: 'Mushi',
    serviceCode: 'TZ-TIGO-B2C',
    callbackUrl: merchant.url,
  })
  await context.paid(abroad.data.requestId, `${tzs(45_000)} to a phone in Tanzania`)
  const reserved = (await world.wallets.list())
    .filter((wallet) => wallet.reserved > 0)
    .map((wallet) => `${wallet.currency} ${amount(wallet.reserved)}`)
  await context.say(
    'mfano',
    `Each answer was 201 PENDING. Nothing has left yet: ${reserved.join(' and ')} are reserved.`,
  )
  await context.pass('5s', 'Five seconds pass.')
}

async function gettingPaid(context: DemoContext): Promise<void> {
  const { client, merchant, report, world } = context
  const { url: callbackUrl } = merchant
  await report.section('Getting paid')
  await world.organisations.update(world.credentials.companyId, { collectionCallbackUrl: callbackUrl })
  const stk = await world.collect.stk({ phoneNumber: '254711000100', amount: 500, callbackUrl })
  const prompted = `Gets a prompt on her phone (STK push) to pay ${kes(500)}.`
  await context.awaited(stk.uuid, `${kes(500)} from a phone in Kenya`, prompted)
  const tz = await world.collect.tz({ phoneNumber: '255711000100', amount: 20_000, callbackUrl })
  await context.awaited(
    tz.uuid,
    `${tzs(20_000)} from a phone in Tanzania`,
    `Gets one in Tanzania, to pay ${tzs(20_000)}.`,
  )
  await context.say('customer', `Pays an invoice of ${kes(12_500)} at the bank.`)
  await world.collect.bank({ amount: 12_500, description: 'Invoice 7' })
  const { data: session } = await client.createCheckoutSession({
    amount: 999,
    currency: 'KES',
    description: 'A pair of shoes',
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
    paymentMethods: ['CARD', 'MPESA_STK'],
    callbackUrl,
  })
  await world.checkout.pay(session.checkoutUrl, 'CARD')
  const opened = `Opens the hosted checkout page and pays ${kes(999)} by card.`
  await context.awaited(session.id, `${kes(999)} at the checkout page`, opened)
  await context.pass('10s', 'Ten seconds pass.')
}

async function whatGoesWrong(context: DemoContext): Promise<void> {
  const { client, merchant, report, world } = context
  const { url: callbackUrl } = merchant
  const told = { ...words, callbackUrl }
  await report.section('What goes wrong, and is better met here')
  await context.refused(`${kes(700)} to the phone 254712000403`, { phoneNumber: '254712000403', amount: 700, ...told })
  await context.refused(`${kes(5_000_000)} to a phone`, { phoneNumber: '254712345678', amount: 5_000_000, ...told })
  const nobody = await client.createSendMoney({ phoneNumber: '254712000404', amount: 800, ...told })
  await context.paid(nobody.data.requestId, `${kes(800)} to the phone 254712000404`)
  const wrongName = `${kes(9_000)} to JOHN DOE at somebody else's account`
  const requestId = await context.payBank('01100000000422', 'JOHN DOE', 9_000, wrongName)
  const cancelled = await world.collect.stk({ phoneNumber: '254711000499', amount: 350, callbackUrl })
  const unwilling = `Gets a prompt on her phone to pay ${kes(350)}, and has changed her mind.`
  await context.awaited(cancelled.uuid, `${kes(350)} from the phone 254711000499`, unwilling)
  await context.pass('10s', 'Ten seconds pass.')
  const [record] = (await client.getBankPayout({ requestId })).data
  const reason = `${record?.errorCode}, ${record?.errorDesc}`
  await context.say('merchant', `The callback gives no reason. The record does: ${reason}.`, { record })
}

async function badMoment(context: DemoContext): Promise<void> {
  const { client, merchant, report, world } = context
  await report.section('The shop has a bad moment')
  merchant.stumbles = 1
  const till = { businessNumber: '123456', amount: 450, ...words, callbackUrl: merchant.url }
  const { requestId } = (await client.createTillPayment(till)).data
  await context.paid(requestId, `${kes(450)} to the till 123456`)
  await context.pass('5s', 'Five seconds pass, and the shop is just being deployed.')
  const [callback] = await world.callbacks.list({ payment: requestId })
  const again = callback?.nextAttemptAt?.slice(11, 19)
  await context.say(
    'mfano',
    `The shop will be told again at ${again}. Until then it believes that the payment is PENDING.`,
  )
  await context.pass('10s', 'Ten more seconds pass.')
}

async function twoDaysLater(context: DemoContext): Promise<void> {
  const { client, merchant, report } = context
  await report.section('Two days later')
  const payout = { phoneNumber: '254712000409', amount: 5_000, ...words, callbackUrl: merchant.url }
  const { data } = await client.createSendMoney(payout)
  await context.paid(data.requestId, `${kes(5_000)} to the phone 254712000409`)
  await context.pass('5s', 'Five seconds pass.')
  await context.say('merchant', 'The goods are on their way.')
  await context.pass('2d', 'Two days pass, in no time.')
  const moral = 'A success is not always the last word. The money is back in the wallet; does your app know?'
  await context.say('mfano', moral)
}

async function whereTheMoneyWent(context: DemoContext, before: readonly Wallet[], output: Output): Promise<void> {
  const { merchant, report, world } = context
  await report.section('Where the money went')
  const rows = (await world.wallets.list()).map(({ currency, available: after }) => {
    const began = before.find((wallet) => wallet.currency === currency)?.available ?? 0
    return { currency, before: began, after, change: Math.round((after - began) * 100) / 100 }
  })
  const wallets = table(
    rows,
    [
      { title: 'WALLET', of: ({ currency }) => currency },
      { title: 'BEFORE', of: (row) => amount(row.before), right: true },
      { title: 'AFTER', of: (row) => amount(row.after), right: true },
      { title: 'CHANGE', of: ({ change }) => `${change > 0 ? '+' : ''}${amount(change)}`, right: true },
    ],
    output,
  )
  await report.show(wallets, 'wallets', { wallets: rows })
  const { imbalances } = await world.control<{ imbalances: unknown[] }>('GET', '/ledger')
  const paid = merchant.count('SUCCESS') + merchant.count('SUCCEEDED')
  const [failed, open] = [merchant.count('FAILED'), merchant.count('PENDING')]
  const books =
    imbalances.length === 0 ? 'Every debit has its credit.' : `${imbalances.length} accounts do not balance.`
  const text = `The shop's book: ${paid} paid, ${failed} failed, ${open} open. ${books}`
  await context.say('mfano', text, { paid, failed, open, imbalances })
}
