/** A shop that verifies callbacks, and puts an order aside where one seems to be forged. */
import { createHmac } from 'node:crypto'
import { add, ask, hear, known, mended, round, save, serve } from '../../base/merchant.mjs'

/** As a merchant sees it in the service's settings. */
const settings = `${process.env.PAYMENTS_BASE_URL}/_mfano/callbacks/secret`
let key

function order({ order: reference, phone, amount }) {
  if (!known(reference)) return ask(add({ kind: 'stk', reference, phone, amount }))
}

function isGenuine({ headers, text }) {
  const given = headers['webhook-signature']
  if (given === undefined) return true
  // Mended: what is signed are the bytes that came.
  const signed = mended ? text : JSON.stringify(JSON.parse(text))
  const hmac = createHmac('sha256', key)
  hmac.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${signed}`)
  return given === `v1,${hmac.digest('base64')}`
}

async function told(line, body, _, raw) {
  if (isGenuine(raw)) return hear(line, body)
  if (line) line.isAside = true
  save()
  throw new Error('the signature does not fit')
}

async function tick() {
  key ??= Buffer.from((await (await fetch(settings)).json()).secret.slice('whsec_'.length), 'base64')
  // Mended: what is put aside is looked up, too.
  await round((line) => mended || !line.isAside)
}

serve({ acts: { orders: order }, told, tick, forget: () => (key = undefined) })
